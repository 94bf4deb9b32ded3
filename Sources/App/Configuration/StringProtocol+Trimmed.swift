extension StringProtocol {
    /// The text without leading and trailing white space.
    var trimmed: String {
        var view = self[...]
        while let first = view.first, first.isWhitespace { view = view.dropFirst() }
        while let last = view.last, last.isWhitespace { view = view.dropLast() }
        return String(view)
    }
}

extension String {
    /// The folder of a path; "." if it has none.
    var parentFolder: String {
        guard let slash = lastIndex(of: "/") else { return "." }
        return slash == startIndex ? "/" : String(self[..<slash])
    }
}
