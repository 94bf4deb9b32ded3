/// What the reader saw on one document: its pages in reading order.
///
/// This is the only thing that crosses from the process that decodes strangers' bytes to the one that understands them.
public struct RecognizedDocument: Codable, Sendable, Equatable {
    /// Of all files, in the order in which these were handed over.
    public var pages: [RecognizedPage]

    public init(pages: [RecognizedPage]) {
        self.pages = pages
    }
}

/// One page: words with their places on the upright reading picture, and the codes printed on it.
public struct RecognizedPage: Codable, Sendable, Equatable {
    /// Where the words come from.
    public enum Source: String, Codable, Sendable {
        /// Read off the picture by the OCR engine.
        case ocr
        /// Taken from the text layer of a PDF; confidences are 100.
        case text
    }

    /// The same for all words of a page.
    public var source: Source
    /// Size of the reading picture in pixels; every box lies inside it.
    public var width: Int
    /// In pixels; long receipts are many times as high as wide.
    public var height: Int
    /// Text lines from top to bottom; the words of a line from left to right.
    public var lines: [RecognizedLine]
    /// QR and bar codes.
    public var codes: [RecognizedCode]
    /// Which cleaning of the picture was read ("normalised", "sauvola", …), for logs and measurements.
    public var pass: String

    public init(
        source: Source, width: Int, height: Int, lines: [RecognizedLine], codes: [RecognizedCode] = [],
        pass: String = ""
    ) {
        self.source = source
        self.width = width
        self.height = height
        self.lines = lines
        self.codes = codes
        self.pass = pass
    }
}

/// Words that stand on one printed line.
public struct RecognizedLine: Codable, Sendable, Equatable {
    /// Never empty where it comes from the engine.
    public var words: [RecognizedWord]

    public init(words: [RecognizedWord]) {
        self.words = words
    }
}

/// One word as the engine read it.
public struct RecognizedWord: Codable, Sendable, Equatable {
    /// UTF-8, NFC, without control characters.
    public var text: String
    /// Round the ink.
    public var box: PixelBox
    /// The engine's certainty, 0…100.
    public var confidence: Int
    /// Other readings of the same ink, best first; often empty.
    public var alternatives: [String]

    public init(text: String, box: PixelBox, confidence: Int, alternatives: [String] = []) {
        self.text = text
        self.box = box
        self.confidence = confidence
        self.alternatives = alternatives
    }
}

/// A QR or bar code and what it says.
public struct RecognizedCode: Codable, Sendable, Equatable {
    /// The library's name of the symbology: "QRCode", "ITF", "Code128", "EAN-13", "DataMatrix", …
    public var format: String
    /// As it was decoded, whatever it means; UTF-8.
    public var text: String
    /// Of the code; the whole page where its place is not known.
    public var box: PixelBox

    public init(format: String, text: String, box: PixelBox) {
        self.format = format
        self.text = text
        self.box = box
    }
}

/// A rectangle in the pixels of the reading picture: origin at the upper left, y downwards.
public struct PixelBox: Codable, Sendable, Equatable, Hashable {
    /// From the left edge.
    public var x: Int
    /// From the upper edge.
    public var y: Int
    /// In pixels; not negative.
    public var width: Int
    /// In pixels; not negative.
    public var height: Int

    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The first column to the right of the box.
    public var maxX: Int { x + width }
    /// The first row below the box.
    public var maxY: Int { y + height }
    /// Twice the vertical middle, in whole pixels.
    public var doubleMidY: Int { 2 * y + height }

    /// The smallest box that holds both.
    public func union(_ other: PixelBox) -> PixelBox {
        let left = min(x, other.x)
        let top = min(y, other.y)
        return PixelBox(
            x: left, y: top, width: max(maxX, other.maxX) - left, height: max(maxY, other.maxY) - top)
    }
}

/// A place on a page that the grammar wants read once more, enlarged and as figures only.
public struct RereadRequest: Codable, Sendable, Equatable {
    /// Which characters can stand there.
    public enum Alphabet: String, Codable, Sendable {
        /// `0123456789,.-`
        case amount
        /// All letters: the line again with another cleaning.
        case text
        /// `0123456789,.-`, cut out of its line: beside other figures the engine may misread one twice alike.
        case amountAlone
    }

    /// Counted over all files of the document, from 0.
    public var page: Int
    /// In the pixels of that page's reading picture.
    public var box: PixelBox
    /// Narrower is surer: the engine guesses among these alone.
    public var alphabet: Alphabet

    public init(page: Int, box: PixelBox, alphabet: Alphabet) {
        self.page = page
        self.box = box
        self.alphabet = alphabet
    }
}

/// A place on a page that is painted over before its pictures are handed out.
public struct CoveredPlace: Codable, Sendable, Equatable {
    /// Counted over all files of the document, from 0.
    public var page: Int
    /// In the pixels of that page's reading picture.
    public var box: PixelBox

    public init(page: Int, box: PixelBox) {
        self.page = page
        self.box = box
    }
}

/// The readings of one `RereadRequest`, best first.
public struct RereadAnswer: Codable, Sendable, Equatable {
    /// As it was asked, so that answers need no order.
    public var request: RereadRequest
    /// Empty where nothing could be read.
    public var readings: [RecognizedWord]

    public init(request: RereadRequest, readings: [RecognizedWord]) {
        self.request = request
        self.readings = readings
    }
}
