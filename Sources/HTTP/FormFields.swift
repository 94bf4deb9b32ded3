/// The fields of a submitted form, in their order.
package struct FormFields: Equatable, Sendable {
    /// The default maximum size of a form in bytes.
    package static let maximumBytes = 64 * 1024
    /// The default maximum number of fields of a form.
    package static let maximumFields = 256

    /// The decoded fields, including empty values and repeated names.
    package private(set) var fields: [NamedValue]

    package init(_ fields: [NamedValue] = []) { self.fields = fields }

    /// Parses `application/x-www-form-urlencoded` (WHATWG URL §5.1), strictly.
    ///
    /// - Throws: `malformed` or `tooMany`.
    package init(
        urlencoded bytes: some Collection<UInt8>, limit: Int = FormFields.maximumFields
    ) throws(FormError) {
        fields = []
        guard !bytes.isEmpty else { return }
        for pair in bytes.split(separator: UInt8(ascii: "&"), maxSplits: limit + 1) {
            guard fields.count < limit else { throw .tooMany }
            let separator = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            let value = pair[separator...].dropFirst()
            guard let name = PercentCoding.decode(pair[..<separator], plusIsSpace: true),
                let decoded = PercentCoding.decode(value, plusIsSpace: true)
            else { throw .malformed }
            fields.append(NamedValue(name, decoded))
        }
    }

    /// Reads the body of a request as an urlencoded form.
    ///
    /// - Throws: `unsupported` for another content type, `body` if the body cannot be read, `malformed`, `tooMany`.
    package static func read(
        _ head: RequestHead, _ body: RequestBody, maximumBytes: Int = FormFields.maximumBytes,
        maximumFields: Int = FormFields.maximumFields
    ) async throws(FormError) -> FormFields {
        guard let type = head.headers[.contentType].flatMap(MediaType.init),
            type.essence == "application/x-www-form-urlencoded"
        else { throw .unsupported }
        let bytes: [UInt8]
        do {
            bytes = try await body.collect(limit: maximumBytes)
        } catch {
            throw .body(error)
        }
        return try FormFields(urlencoded: bytes, limit: maximumFields)
    }

    /// The first value of that name.
    package subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    /// All values of that name, in order.
    package func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }
}
