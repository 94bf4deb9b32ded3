/// The format of the vocabulary files: lines `key: value, value, …`, or `key` alone. A line that begins with `#` is a
/// comment.
enum VocabularyText {
    static func lines(_ bytes: [UInt8]) -> [(key: String, values: [String])] {
        String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
            guard !line.hasPrefix("#") else { return nil }
            let colon = line.firstIndex(of: ":") ?? line.endIndex
            return (trimmed(line[..<colon]), parts(line[colon...].dropFirst(), at: ","))
        }
    }

    static func parts(_ text: some StringProtocol, at separator: Character) -> [String] {
        Substring(text).split(separator: separator).map { trimmed($0) }.filter { !$0.isEmpty }
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        var text = Substring(text).drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
