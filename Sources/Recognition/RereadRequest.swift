/// A place on a page that is to be read again.
public struct RereadRequest: Codable, Sendable, Equatable {
    /// The characters that the reading may contain.
    public enum Alphabet: String, Codable, Sendable {
        /// `0123456789,.-`
        case amount
        /// All characters. The picture of the line is cleaned in another way before it is read again.
        case text
        /// `0123456789,.-`, with the place cut out of its line. With other figures beside it, the engine may repeat its
        /// error.
        case amountAlone
    }

    /// The index of the page over all files of the document, from 0.
    public var page: Int
    /// The place in pixels of the page's reading picture.
    public var box: PixelBox
    /// The characters that the engine may choose. A smaller alphabet gives a more certain reading.
    public var alphabet: Alphabet

    public init(page: Int, box: PixelBox, alphabet: Alphabet) {
        self.page = page
        self.box = box
        self.alphabet = alphabet
    }
}
