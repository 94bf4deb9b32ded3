"""Takes the second engine's library, its model and their licences out of the wheels: unpack.py WHEELS FOLDER"""

import sys
import zipfile
from pathlib import Path

# By the end of its name in a wheel: the name in the folder.
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
                # Several wheels may have a folder of licences.
                if name.endswith(end) and (target != "LICENSE-rapidocr" or name.startswith("rapidocr")):
                    (folder / target).write_bytes(wheel.read(name))
                    missing.discard(target)
if missing:
    sys.exit(f"not in the wheels: {', '.join(sorted(missing))}")
