import CTesseract
import Glibc
import Recognition

/// The first engine: Tesseract with its German model. Loaded once and reused. Not thread-safe.
package final class TextEngine {
    private let handle: OpaquePointer

    /// Loads the model. The process must be started with `OMP_THREAD_LIMIT=1` in its environment.
    ///
    /// - Throws: `engine` if Tesseract or its German model is missing.
    package init() throws(ReadingFailure) {
        guard let handle = TessBaseAPICreate() else { throw .engine }
        self.handle = handle
        setMsgSeverity(Int32(L_SEVERITY_NONE))
        // Dictionaries wrongly correct the abbreviations of receipts. They must be disabled before the model is loaded.
        let settings = ["load_system_dawg": "0", "load_freq_dawg": "0"]
        var names = settings.keys.map { strdup($0) }
        var values = settings.keys.map { strdup(settings[$0] ?? "") }
        defer { for text in names + values { free(text) } }
        let started = TessBaseAPIInit4(
            handle, nil, "deu", OEM_LSTM_ONLY, nil, 0, &names, &values, settings.count, 0)
        guard started == 0 else { throw .engine }
        for (name, value) in [
            ("preserve_interword_spaces", "1"), ("invert_threshold", "0"), ("debug_file", "/dev/null"),
            // The network finds the letters itself, so the search for a fixed pitch is not needed.
            ("textord_all_prop", "1"),
        ] {
            _ = TessBaseAPISetVariable(handle, name, value)
        }
    }

    deinit {
        TessBaseAPIEnd(handle)
        TessBaseAPIDelete(handle)
    }

    /// The layout that Tesseract expects.
    enum Layout {
        case block, column, line, sparse

        var mode: TessPageSegMode {
            switch self {
            case .block: PSM_SINGLE_BLOCK
            case .column: PSM_SINGLE_COLUMN
            case .line: PSM_SINGLE_LINE
            case .sparse: PSM_SPARSE_TEXT
            }
        }
    }

    /// The words of a picture with boxes in its pixels, in the engine's order. Empty on failure or after the time
    /// limit.
    func words(
        on picture: Raster, layout: Layout = .block, whitelist: String = "", milliseconds: Int32 = 20_000
    ) -> [RecognizedWord] {
        TessBaseAPISetPageSegMode(handle, layout.mode)
        _ = TessBaseAPISetVariable(handle, "tessedit_char_whitelist", whitelist)
        TessBaseAPISetImage2(handle, picture.pix)
        TessBaseAPISetSourceResolution(handle, 300)
        defer { TessBaseAPIClear(handle) }
        let monitor = TessMonitorCreate()
        defer { TessMonitorDelete(monitor) }
        TessMonitorSetDeadlineMSecs(monitor, milliseconds)
        guard TessBaseAPIRecognize(handle, monitor) == 0, let results = TessBaseAPIGetIterator(handle) else {
            return []
        }
        defer { TessResultIteratorDelete(results) }
        var words: [RecognizedWord] = []
        repeat {
            if let word = word(at: results) { words.append(word) }
        } while TessResultIteratorNext(results, RIL_WORD) != 0
        return words
    }

    private func word(at results: OpaquePointer) -> RecognizedWord? {
        guard let bytes = TessResultIteratorGetUTF8Text(results, RIL_WORD) else { return nil }
        defer { TessDeleteText(bytes) }
        let text = String(String(cString: bytes).unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F })
        guard text.contains(where: { $0 != " " }) else { return nil }
        let place = TessResultIteratorGetPageIteratorConst(results)
        var left: Int32 = 0
        var top: Int32 = 0
        var right: Int32 = 0
        var bottom: Int32 = 0
        guard TessPageIteratorBoundingBox(place, RIL_WORD, &left, &top, &right, &bottom) != 0 else { return nil }
        let confidence = Int(TessResultIteratorConfidence(results, RIL_WORD))
        return RecognizedWord(
            text: text, box: PixelBox(x: Int(left), y: Int(top), width: Int(right - left), height: Int(bottom - top)),
            confidence: max(0, min(100, confidence)))
    }
}
