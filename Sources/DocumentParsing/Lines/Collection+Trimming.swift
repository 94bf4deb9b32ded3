extension BidirectionalCollection {
    /// The longest suffix whose elements satisfy the condition.
    func suffix(while isWanted: (Element) -> Bool) -> SubSequence { self[startOfSuffix(isWanted)...] }

    /// The collection without the longest suffix whose elements satisfy the condition.
    func trimmingSuffix(_ isCut: (Element) -> Bool) -> SubSequence { self[..<startOfSuffix(isCut)] }

    private func startOfSuffix(_ isPart: (Element) -> Bool) -> Index {
        lastIndex { !isPart($0) }.map { index(after: $0) } ?? startIndex
    }
}

extension StringProtocol {
    var trimmingBlanks: SubSequence { drop(while: \.isWhitespace).trimmingSuffix(\.isWhitespace) }

    /// Whether the text consists of ASCII digits, and their number is in the range.
    func isNumber(_ lengths: ClosedRange<Int>) -> Bool {
        lengths.contains(utf8.count) && utf8.allSatisfy { (48...57).contains($0) }
    }
}
