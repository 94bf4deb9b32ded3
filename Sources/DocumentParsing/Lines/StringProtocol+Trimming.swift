extension StringProtocol {
    var trimmingBlanks: SubSequence {
        var rest = self[...]
        while let first = rest.first, first.isWhitespace { rest.removeFirst() }
        while let last = rest.last, last.isWhitespace { rest.removeLast() }
        return rest
    }

    func trimmingSuffix(_ isCut: (Character) -> Bool) -> SubSequence {
        var body = self[...]
        while let last = body.last, isCut(last) { body.removeLast() }
        return body
    }

    /// Whether the text consists of ASCII digits, and their number is in the range.
    func isNumber(_ lengths: ClosedRange<Int>) -> Bool {
        lengths.contains(utf8.count) && utf8.allSatisfy { (48...57).contains($0) }
    }
}
