/// The head of one part of a multipart form.
package struct MultipartPart: Equatable, Sendable {
    /// Name of the form field; never empty.
    package let name: String
    /// The file name that the client sent, without folders, controls and direction marks, at most 120 characters. Nil
    /// if the part is not a file. For display only, never used as a path.
    package let fileName: String?
    /// The media type that the client declares. It is not trusted: the type of a file is determined from its content.
    package let contentType: String?

    package init(name: String, fileName: String? = nil, contentType: String? = nil) {
        self.name = name
        self.fileName = fileName
        self.contentType = contentType
    }

    /// Parses the field lines of a part, without the empty line after them.
    init(head: ArraySlice<UInt8>) throws(FormError) {
        var disposition: String?
        var contentType: String?
        var lines = 0
        var remainingHead = head
        while !remainingHead.isEmpty {
            lines += 1
            let end = remainingHead.firstIndex(of: ASCII.lineFeed) ?? remainingHead.endIndex
            let line = remainingHead[..<end]
            remainingHead = remainingHead[end...].dropFirst()
            let text = remainingHead.isEmpty && end == head.endIndex ? line : line.dropLast()
            guard lines <= 8, end == head.endIndex || line.last == ASCII.carriageReturn,
                let colon = text.firstIndex(of: UInt8(ascii: ":")), colon > text.startIndex,
                text[..<colon].allSatisfy(ASCII.isToken), text.allSatisfy(ASCII.isFieldValue),
                let value = String(validating: text[(colon + 1)...].trimmingBlanks(), as: UTF8.self)
            else { throw .malformed }
            if text[..<colon].equalsIgnoringCase("content-disposition") {
                guard disposition == nil else { throw .malformed }
                disposition = value
            } else if text[..<colon].equalsIgnoringCase("content-type") {
                contentType = value
            }
        }
        guard let disposition else { throw .malformed }
        var scanner = ParameterScanner(Array(disposition.utf8))
        guard scanner.token()?.lowercased() == "form-data", let parameters = scanner.parameters(),
            let name = parameters.first(where: { $0.name == "name" })?.value, !name.isEmpty
        else { throw .malformed }
        self.name = name
        self.contentType = contentType
        if let extended = parameters.first(where: { $0.name == "filename*" })?.value {
            let prefix = "utf-8''"
            guard extended.lowercased().hasPrefix(prefix),
                let decoded = PercentCoding.decode(extended.utf8.dropFirst(prefix.utf8.count))
            else { throw .malformed }
            fileName = Self.displayName(decoded)
        } else {
            fileName = parameters.first { $0.name == "filename" }.map { Self.displayName($0.value) }
        }
    }

    /// Returns the name to display: the last path component without controls; empty for names such as `..`.
    static func displayName(_ name: String) -> String {
        let lastComponent = name.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\\" }.last ?? ""
        let scalars = lastComponent.unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
        let shortenedName = String(String.UnicodeScalarView(scalars)).prefix(120)
        return shortenedName.allSatisfy { $0 == "." || $0 == " " } ? "" : String(shortenedName)
    }
}
