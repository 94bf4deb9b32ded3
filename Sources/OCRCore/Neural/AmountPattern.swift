/// Amounts as tills print them: sign, whole units, separator, two decimals, trailing sign, tax class.
///
/// `1,99`, `-0,25`, `12.49 A`, `0,45-V`, `1.275,92`, `2,15 AW`, `0,99 €`. Units are at most 9,999, with a thousands
/// separator at most 999,999.
struct AmountPattern: TextPattern {
    private enum State: Int {
        case start, signed
        /// One to four digits of the units, or a zero alone.
        case units1, units2, units3, units4, zero
        /// Directly after a separator that may group thousands; directly after a decimal separator.
        case separated, decimal
        /// Digits after a separator that may group thousands.
        case cents1, cents2
        /// Digits after a decimal separator.
        case decimal1, decimal2
        /// Three digits after a separator: another separator must follow.
        case thousand
        case minus, blank, class1, class2
    }

    private static let separators: Set<Unicode.Scalar> = [",", "."]
    private static let classes = Set("ABCDEFGHRVW*#123456789".unicodeScalars)
    /// The second characters of tax classes with two characters.
    private static let secondSigns = Set("WAB*".unicodeScalars)

    let characters: [Unicode.Scalar]? = Array("0123456789,.- €ABCDEFGHRVW*#".unicodeScalars)

    func isComplete(_ state: Int) -> Bool {
        switch State(rawValue: state) {
        case .cents2, .decimal2, .minus, .class1, .class2: true
        default: false
        }
    }

    func next(_ state: Int, _ character: Unicode.Scalar) -> Int? {
        State(rawValue: state).flatMap { follow($0, character) }?.rawValue
    }

    private func follow(_ state: State, _ character: Unicode.Scalar) -> State? {
        let isDigit = ("0"..."9").contains(character)
        let isSeparator = Self.separators.contains(character)
        switch state {
        case .start: return character == "-" ? .signed : isDigit ? (character == "0" ? .zero : .units1) : nil
        case .signed: return isDigit ? (character == "0" ? .zero : .units1) : nil
        case .units1: return isDigit ? .units2 : isSeparator ? .separated : nil
        case .units2: return isDigit ? .units3 : isSeparator ? .separated : nil
        case .units3: return isDigit ? .units4 : isSeparator ? .separated : nil
        case .units4, .zero, .thousand: return isSeparator ? .decimal : nil
        case .separated: return isDigit ? .cents1 : nil
        case .cents1: return isDigit ? .cents2 : nil
        case .cents2: return isDigit ? .thousand : tail(character)
        case .decimal: return isDigit ? .decimal1 : nil
        case .decimal1: return isDigit ? .decimal2 : nil
        case .decimal2: return isDigit ? nil : tail(character)
        case .minus: return character == " " ? .blank : isDigit ? nil : taxClass(character)
        case .blank: return character == "-" ? .minus : taxClass(character)
        case .class1: return Self.secondSigns.contains(character) ? .class2 : nil
        case .class2: return nil
        }
    }

    private func tail(_ character: Unicode.Scalar) -> State? {
        character == "-" ? .minus : character == " " ? .blank : taxClass(character)
    }

    private func taxClass(_ character: Unicode.Scalar) -> State? {
        Self.classes.contains(character) || character == "€" ? .class1 : nil
    }
}
