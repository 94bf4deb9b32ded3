/// The header of a message or of a part (RFC 5322 §2.2).
struct MailFields {
    private let fields: [(name: String, value: String)]

    /// The maximum size of a header in bytes; further lines are ignored.
    static let maximumBytes = 256 << 10
    private static let maximumFields = 1_000

    /// Reads the header, which ends at the first empty line.
    ///
    /// - Returns: the header, and the index at which the body begins.
    static func read(_ bytes: ArraySlice<UInt8>) -> (MailFields, body: Int) {
        var fields: [(name: String, value: String)] = []
        var position = bytes.startIndex
        while position < bytes.endIndex {
            let end = bytes[position...].firstIndex(of: 10) ?? bytes.endIndex
            var line = bytes[position..<end]
            position = min(end + 1, bytes.endIndex)
            if line.last == 13 { line = line.dropLast() }
            if line.isEmpty { break }
            guard position - bytes.startIndex <= maximumBytes, fields.count < maximumFields else { continue }
            if line.first == 32 || line.first == 9 {
                // A line that begins with a blank continues the previous field.
                if !fields.isEmpty { fields[fields.count - 1].value += " " + text(line) }
            } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
                fields.append((text(line[..<colon]).lowercased(), text(line[(colon + 1)...])))
            }
        }
        return (MailFields(fields: fields), position)
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        let text = Substring(TransferCoding.text(Array(bytes), charset: ""))
        return String(text.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }

    /// The value of the first field of that name, which must be in lower case.
    subscript(_ name: String) -> String? { fields.first { $0.name == name }?.value }

    /// Parses a value such as `image/jpeg; name="a.jpg"`. Returns the part before `;` in lower case, and the
    /// parameters.
    func parameters(_ name: String) -> (value: String, parameters: [String: String]) {
        var remainingText = Substring(self[name] ?? "")
        let value = Self.take(&remainingText, until: ";").lowercased()
        var parameters: [String: String] = [:]
        while !remainingText.isEmpty, parameters.count < 50 {
            let key = Self.take(&remainingText, until: "=").lowercased()
            remainingText = remainingText.drop { $0 == " " || $0 == "\t" }
            var text = ""
            if remainingText.first == "\"" {
                remainingText.removeFirst()
                while let character = remainingText.popFirst(), character != "\"" {
                    if character == "\\", let escaped = remainingText.popFirst() {
                        text.append(escaped)
                    } else {
                        text.append(character)
                    }
                }
                _ = Self.take(&remainingText, until: ";")
            } else {
                text = Self.take(&remainingText, until: ";")
            }
            if !key.isEmpty { parameters[key] = text }
        }
        return (value, parameters)
    }

    /// Removes the text up to and including the separator. Returns the text before the separator, without blanks at
    /// both ends.
    private static func take(_ rest: inout Substring, until separator: Character) -> String {
        let end = rest.firstIndex(of: separator) ?? rest.endIndex
        let text = rest[..<end].split(separator: " ").joined(separator: " ")
        rest = end == rest.endIndex ? "" : rest[rest.index(after: end)...]
        return text
    }

    /// Returns the address of a field such as `Anna <anna@example.at>`, in lower case; nil for several addresses and
    /// for other text.
    func address(_ name: String) -> String? {
        guard let value = self[name], fields.filter({ $0.name == name }).count == 1 else { return nil }
        var address = value
        if let open = value.lastIndex(of: "<"), let close = value.lastIndex(of: ">"), open < close {
            guard value[value.index(after: close)...].allSatisfy({ $0 == " " }), Self.isName(value[..<open]) else {
                return nil
            }
            address = String(value[value.index(after: open)..<close])
        }
        let parts = address.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), address.utf8.count <= 254,
            !address.contains(where: { $0 == " " || $0 == "," || $0 == "\"" || $0 == "<" || $0 == ";" })
        else { return nil }
        return address.lowercased()
    }

    /// Whether the text before `<` belongs to one address: outside quotes, it has no character that separates
    /// addresses, and all quotes and comments in parentheses are closed. Many mail servers do not check DMARC for a
    /// message with several addresses (RFC 7489 §6.6.1).
    private static func isName(_ text: Substring) -> Bool {
        var (isQuoted, isEscaped) = (false, false)
        var openComments = 0
        for scalar in text.unicodeScalars {
            if isEscaped {
                isEscaped = false
            } else if scalar == "\"" {
                isQuoted.toggle()
            } else if scalar == "\\", isQuoted || openComments > 0 {
                isEscaped = true
            } else if isQuoted {
                continue
            } else if scalar == "(" {
                openComments += 1
            } else if scalar == ")" {
                openComments = max(openComments - 1, 0)
            } else if scalar == "," || scalar == ";" || scalar == "<" || scalar == ">" {
                return false
            }
        }
        return !isQuoted && openComments == 0
    }

    /// The name of an attached file: the parameter `filename*` (RFC 2231), `filename` or `name`, in this order. Encoded
    /// words (RFC 2047) are decoded.
    var fileName: String {
        let disposition = parameters("content-disposition").parameters
        if let extended = disposition["filename*"] {
            let parts = extended.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
            if parts.count == 3 {
                let bytes = TransferCoding.quotedPrintable(
                    parts[2].utf8.map { $0 == UInt8(ascii: "%") ? UInt8(ascii: "=") : $0 })
                return TransferCoding.text(bytes, charset: parts[0].lowercased())
            }
        }
        return Self.decodedWords(disposition["filename"] ?? parameters("content-type").parameters["name"] ?? "")
    }

    private static func decodedWords(_ text: String) -> String {
        text.replacing(#/=\?([A-Za-z0-9-]+)\?([BbQq])\?([^? ]*)\?=( (?==\?))?/#) { match in
            let bytes =
                match.2.lowercased() == "b"
                ? TransferCoding.base64(match.3.utf8) : TransferCoding.quotedPrintable(match.3.utf8, isWord: true)
            return TransferCoding.text(bytes, charset: match.1.lowercased())
        }
    }
}
