/// Splits a text into folded words of letters and digits, at most 24.
enum FoldedWords {
    static func words(_ text: some StringProtocol) -> [String] {
        FoldedText.fold(text).split { !($0.isLetter || $0.isNumber) }.prefix(24).map(String.init)
    }
}
