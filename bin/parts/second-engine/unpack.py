"""Extracts the second engine's library, its model and their licences from the wheels: unpack.py WHEELS FOLDER

The model is trimmed to European characters.
"""

import sys
import zipfile
from pathlib import Path

from trim import trimmed

# The names of the extracted files, by the end of their path in a wheel.
WANTED = {
    "onnxruntime/capi/libonnxruntime.so.1.32.0": "libonnxruntime.so",
    "onnxruntime/LICENSE": "LICENSE-onnxruntime",
    "onnxruntime/ThirdPartyNotices.txt": "NOTICES-onnxruntime",
    "rapidocr/models/PP-OCRv6_rec_small.onnx": "recogniser.onnx",
    "licenses/LICENSE": "LICENSE-rapidocr",
    "licenses/MODEL_LICENSES.md": "LICENSE-model",
}

wheels, folder = Path(sys.argv[1]), Path(sys.argv[2])
missing = set(WANTED.values())
for path in wheels.glob("*.whl"):
    with zipfile.ZipFile(path) as wheel:
        for name in wheel.namelist():
            for end, target in WANTED.items():
                # LICENSE-rapidocr must come from the wheel of rapidocr. The other wheel may have a file of this name.
                if name.endswith(end) and (target != "LICENSE-rapidocr" or name.startswith("rapidocr")):
                    (folder / target).write_bytes(wheel.read(name))
                    missing.discard(target)
if missing:
    sys.exit(f"missing in the wheels: {', '.join(sorted(missing))}")
model = folder / "recogniser.onnx"
model.write_bytes(trimmed(model.read_bytes()))
# The model's licence requires a notice of changes, and that the copyright notice is kept.
(folder / "NOTICE-model").write_text("""\
recogniser.onnx was changed: it is PP-OCRv6_rec_small.onnx without the outputs for characters that are not European. That file was
converted from an official PaddleOCR model and packaged for RapidOCR. The model's weights are copyright Baidu and/or the applicable
PaddleOCR rights holders and are licensed under the Apache License, Version 2.0 (LICENSE-rapidocr). See LICENSE-model.
""")
