/// The amount at the right end of a line, with its VAT class.
struct PriceCell: Sendable, Equatable {
    /// The range of the amount in the line, including the sign.
    var range: Range<Int>
    /// In minor units; nil if the print cannot be read.
    var value: Int64?
    /// The printed text, shown in the reason of a repair.
    var printed: String
    /// False if the value was guessed from damaged print.
    var isExact: Bool
    /// Other possible values of the same print, best first.
    var candidates: [Candidate] = []
    /// The printed VAT class; nil if there is none.
    var vatClass: String?

    struct Candidate: Sendable, Equatable, Hashable {
        enum Source: Int, Sendable, Comparable {
            /// Quantity × unit price.
            case product
            /// Read again from an enlarged picture.
            case reread
            case alternative
            /// All digits are as printed; only the separator was lost.
            case separator
            /// The sign was lost or not printed.
            case sign
            /// The first digits belong to the text before the amount.
            case extra
            /// A letter touches the amount, or letters were read instead of digits.
            case letters
            /// One digit was misread as a similar one.
            case lookAlike
            /// One digit was not read.
            case missing

            static func < (left: Source, right: Source) -> Bool { left.rawValue < right.rawValue }
        }

        var value: Int64
        var source: Source
    }
}
