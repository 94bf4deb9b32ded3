/// The pages that the reader recognised, in reading order.
///
/// A confined process decodes the untrusted files and sends this document to the server, which parses it.
public struct RecognizedDocument: Codable, Sendable, Equatable {
    /// The pages of all files, in the order in which the files were sent.
    public var pages: [RecognizedPage]

    public init(pages: [RecognizedPage]) {
        self.pages = pages
    }
}

/// One page: words with their boxes on the upright reading picture, and the codes printed on it.
public struct RecognizedPage: Codable, Sendable, Equatable {
    /// The source of the words.
    public enum Source: String, Codable, Sendable {
        /// Recognised on the picture.
        case ocr
        /// The text layer of a PDF; confidences are 100.
        case text
    }

    /// The source of all words of the page.
    public var source: Source
    /// Width of the reading picture in pixels; every box lies inside the picture.
    public var width: Int
    /// Height of the reading picture in pixels; long receipts are many times as high as wide.
    public var height: Int
    /// Text lines from top to bottom; the words of a line from left to right.
    public var lines: [RecognizedLine]
    /// Places with ink of the size of letters that no engine read as text, from top to bottom. Empty for text layers.
    public var unreadInk: [PixelBox]
    /// QR codes and bar codes.
    public var codes: [RecognizedCode]
    /// How the page was read ("lines", "text layer"), for logs and measurements.
    public var pass: String
    /// The place of the reading picture in the file's picture; nil if unknown.
    public var placement: PagePlacement?

    public init(
        source: Source, width: Int, height: Int, lines: [RecognizedLine], unreadInk: [PixelBox] = [],
        codes: [RecognizedCode] = [], pass: String = "", placement: PagePlacement? = nil
    ) {
        self.source = source
        self.width = width
        self.height = height
        self.lines = lines
        self.unreadInk = unreadInk
        self.codes = codes
        self.pass = pass
        self.placement = placement
    }

    /// Also decodes pages that were stored before `unreadInk` or `placement` existed.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        source = try values.decode(Source.self, forKey: .source)
        width = try values.decode(Int.self, forKey: .width)
        height = try values.decode(Int.self, forKey: .height)
        lines = try values.decode([RecognizedLine].self, forKey: .lines)
        unreadInk = try values.decodeIfPresent([PixelBox].self, forKey: .unreadInk) ?? []
        codes = try values.decode([RecognizedCode].self, forKey: .codes)
        pass = try values.decode(String.self, forKey: .pass)
        placement = try values.decodeIfPresent(PagePlacement.self, forKey: .placement)
    }
}

/// A printed line as read by one or two engines.
public struct RecognizedLine: Codable, Sendable, Equatable {
    /// The reading of the first engine (Tesseract) or of the text layer. Words without digits, such as names, come from
    /// the second engine if it is certain of them; words with digits always come from the first. If the first engine
    /// read nothing, all words come from the second, and `secondEngineWords` is empty. Never empty in a page from the
    /// reader.
    public var words: [RecognizedWord]
    /// The second engine's reading of the same ink, with its own boxes. Its words need not correspond one to one to
    /// `words`. Empty if the second engine did not read the line.
    public var secondEngineWords: [RecognizedWord]

    public init(words: [RecognizedWord], secondEngineWords: [RecognizedWord] = []) {
        self.words = words
        self.secondEngineWords = secondEngineWords
    }

    private enum CodingKeys: String, CodingKey {
        case words
        /// The name in stored documents.
        case secondEngineWords = "witness"
    }

    /// Also decodes lines that were stored before `secondEngineWords` existed.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        words = try values.decode([RecognizedWord].self, forKey: .words)
        secondEngineWords = try values.decodeIfPresent([RecognizedWord].self, forKey: .secondEngineWords) ?? []
    }
}

/// A decoded QR code or bar code.
public struct RecognizedCode: Codable, Sendable, Equatable {
    /// The library's name of the symbology: "QRCode", "ITF", "Code128", "EAN-13", "DataMatrix", …
    public var format: String
    /// The decoded content, UTF-8.
    public var text: String
    /// The place of the code; the whole page if the place is unknown.
    public var box: PixelBox

    public init(format: String, text: String, box: PixelBox) {
        self.format = format
        self.text = text
        self.box = box
    }
}
