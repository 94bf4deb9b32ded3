/// Converts HTML to lines of text. The cells of a table row are on the same line.
enum HTMLText {
    /// The maximum number of lines; further ones are dropped.
    private static let maximumLines = 2_000
    private static let hiddenElements: Set<String> = ["script", "style", "head", "title"]
    private static let breakingElements: Set<String> = [
        "br", "p", "div", "tr", "table", "li", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "section",
        "article",
    ]

    static func lines(_ source: String) -> [String] {
        var lines: [String] = []
        var line = ""
        var remainingText = source[...]
        func endLine() {
            let text = String(line.drop { $0 == " " })
            if !text.isEmpty, lines.count < maximumLines { lines.append(text) }
            line = ""
        }
        while let character = remainingText.first {
            if character == "<" {
                let tag = takeTag(&remainingText)
                if hiddenElements.contains(tag) { skip(tag, &remainingText) }
                let name = tag.hasPrefix("/") ? String(tag.dropFirst()) : tag
                if breakingElements.contains(name) { endLine() }
                if name == "td" || name == "th", !line.isEmpty, !line.hasSuffix("   ") { line += "   " }
            } else if character == "&" {
                line.append(contentsOf: takeEntity(&remainingText))
            } else {
                remainingText.removeFirst()
                if !character.isWhitespace {
                    line.append(character)
                } else if !line.isEmpty, !line.hasSuffix(" ") {
                    line.append(" ")
                }
            }
        }
        endLine()
        return lines
    }

    /// Removes a tag from the beginning of `rest`. Returns its name in lower case, with `/` before the name of an end
    /// tag; empty for a comment.
    private static func takeTag(_ rest: inout Substring) -> String {
        if rest.hasPrefix("<!--") {
            rest = rest.dropFirst(4)
            while let character = rest.popFirst() { if character == "-", rest.hasPrefix("->") { break } }
            rest = rest.dropFirst(2)
            return ""
        }
        rest.removeFirst()
        let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "/" }.prefix(12).lowercased()
        let end = rest.firstIndex(of: ">") ?? rest.endIndex
        rest = end == rest.endIndex ? "" : rest[rest.index(after: end)...]
        return name.count > 1 && name.hasSuffix("/") ? String(name.dropLast()) : name
    }

    /// Skips the content of an element such as `script`.
    private static func skip(_ tag: String, _ rest: inout Substring) {
        while !rest.isEmpty {
            rest = rest.drop { $0 != "<" }
            if rest.prefix(tag.count + 2).lowercased() == "</\(tag)" { return }
            rest = rest.dropFirst()
        }
    }

    private static let entities: [Substring: String] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "euro": "€", "auml": "ä", "ouml": "ö",
        "uuml": "ü", "Auml": "Ä", "Ouml": "Ö", "Uuml": "Ü", "szlig": "ß", "times": "×", "ndash": "–", "mdash": "—",
    ]

    /// Removes a character reference from the beginning of `rest`, and returns its character.
    private static func takeEntity(_ rest: inout Substring) -> String {
        let body = rest.dropFirst().prefix(10)
        guard let end = body.firstIndex(of: ";") else {
            rest.removeFirst()
            return "&"
        }
        let name = body[..<end]
        rest = rest[rest.index(after: end)...]
        if let text = entities[name] { return text }
        let isHexadecimal = name.hasPrefix("#x") || name.hasPrefix("#X")
        let value =
            name.hasPrefix("#") ? UInt32(name.dropFirst(isHexadecimal ? 2 : 1), radix: isHexadecimal ? 16 : 10) : nil
        guard let value, let scalar = Unicode.Scalar(value), value >= 32 else { return " " }
        return String(scalar)
    }
}
