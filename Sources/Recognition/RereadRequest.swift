/// A place on a page that the grammar wants read again.
public struct RereadRequest: Codable, Sendable, Equatable {
    /// Which characters the reading may contain.
    public enum Alphabet: String, Codable, Sendable {
        /// `0123456789,.-`
        case amount
        /// All characters: the line is read again after another cleaning.
        case text
        /// `0123456789,.-`, cut out of its line: next to other figures the engine may misread one the same way twice.
        case amountAlone
    }

    /// Counted over all files of the document, from 0.
    public var page: Int
    /// In the pixels of that page's reading picture.
    public var box: PixelBox
    /// The engine chooses among these characters only; a smaller alphabet gives a more certain reading.
    public var alphabet: Alphabet

    public init(page: Int, box: PixelBox, alphabet: Alphabet) {
        self.page = page
        self.box = box
        self.alphabet = alphabet
    }
}
