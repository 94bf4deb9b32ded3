/// A message with its files (RFC 5322, RFC 2045, RFC 2046).
package struct MailMessage: Sendable {
    package struct File: Sendable {
        package let name: String
        /// The declared media type in lower case.
        package let mediaType: String
        /// Whether the file is a picture within the text, such as a logo.
        package let isInText: Bool
        package let bytes: [UInt8]
    }

    package let sender: MailSender
    /// The files in the order of the message. The text is not one of them.
    package private(set) var files: [File] = []
    /// The first HTML text, converted to plain text; the first plain text if there is no HTML.
    package private(set) var text = ""

    /// Whether `text` comes from a plain text, so that an HTML text replaces it.
    private var isPlain = false
    private var parts = 0

    /// The maximum number of parts of a message.
    private static let maximumParts = 200
    /// The maximum depth of nested parts.
    private static let maximumDepth = 8
    /// The maximum size of a text in bytes; the bytes after it are dropped.
    private static let maximumTextBytes = 2 << 20

    /// - Throws: `MailError.tooLong` for too many or too deeply nested parts.
    package init(_ bytes: [UInt8]) throws(MailError) {
        let (fields, body) = MailFields.read(bytes[...])
        sender = MailSender(fields)
        try add(fields, bytes[body...], depth: 0, isInText: false)
    }

    private mutating func add(
        _ fields: MailFields, _ body: ArraySlice<UInt8>, depth: Int, isInText: Bool
    ) throws(MailError) {
        parts += 1
        guard parts <= Self.maximumParts else { throw .tooLong }
        let (type, parameters) = fields.parameters("content-type")
        if type.hasPrefix("multipart/"), let boundary = parameters["boundary"], (1...70).contains(boundary.utf8.count) {
            guard depth < Self.maximumDepth else { throw .tooLong }
            for (index, part) in Self.split(body, boundary).enumerated() {
                let (fields, start) = MailFields.read(part)
                try add(
                    fields, part[start...], depth: depth + 1,
                    isInText: type == "multipart/related" && index > 0 && fields["content-id"] != nil)
            }
            return
        }
        if type == "message/rfc822", depth < Self.maximumDepth {
            // The part is a forwarded message.
            let (fields, start) = MailFields.read(body)
            return try add(fields, body[start...], depth: depth + 1, isInText: false)
        }
        let encoding = (fields["content-transfer-encoding"] ?? "").lowercased()
        let bytes = TransferCoding.decode(body, encoding)
        let isAttached = fields.parameters("content-disposition").value == "attachment"
        if type.isEmpty || type == "text/plain" || type == "text/html", !isAttached {
            addText(bytes, parameters["charset"]?.lowercased() ?? "", isHTML: type == "text/html")
        } else {
            files.append(File(name: fields.fileName, mediaType: type, isInText: isInText, bytes: bytes))
        }
    }

    /// Adds a text. HTML is preferred, because the plain text beside it often lacks columns.
    private mutating func addText(_ bytes: [UInt8], _ charset: String, isHTML: Bool) {
        guard text.isEmpty || isHTML && isPlain else { return }
        let source = TransferCoding.text(Array(bytes.prefix(Self.maximumTextBytes)), charset: charset)
        text = isHTML ? HTMLText.lines(source).joined(separator: "\n") : source
        isPlain = !isHTML
    }

    /// Returns the parts between the boundary lines.
    private static func split(_ body: ArraySlice<UInt8>, _ boundary: String) -> [ArraySlice<UInt8>] {
        let mark = Array("--\(boundary)".utf8)
        var bodyParts: [ArraySlice<UInt8>] = []
        var start: Int?
        var position = body.startIndex
        while position < body.endIndex {
            let end = body[position...].firstIndex(of: 10).map { $0 + 1 } ?? body.endIndex
            if let isLast = isLast(body[position..<end], mark) {
                if let start { bodyParts.append(body[start..<max(start, position)]) }
                guard !isLast, bodyParts.count < maximumParts else { return bodyParts }
                start = end
            }
            position = end
        }
        if let start { bodyParts.append(body[start...]) }
        return bodyParts
    }

    /// Whether a boundary line is the last one. Nil for other lines, also for a line with a longer boundary that begins
    /// with the same text (RFC 2046 §5.1.1).
    private static func isLast(_ line: ArraySlice<UInt8>, _ mark: [UInt8]) -> Bool? {
        guard line.starts(with: mark) else { return nil }
        let textAfterMark = line.dropFirst(mark.count)
        let isLast = textAfterMark.starts(with: [45, 45])
        let isBoundary = textAfterMark.dropFirst(isLast ? 2 : 0).allSatisfy { [32, 9, 13, 10].contains($0) }
        return isBoundary ? isLast : nil
    }
}
