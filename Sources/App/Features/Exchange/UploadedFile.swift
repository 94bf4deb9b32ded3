import HTTP

/// A file of a multipart form, read into memory. The form must send the CSRF token first and the file last.
struct UploadedFile: Sendable {
    let name: String
    let bytes: [UInt8]
    /// The other fields by name.
    let fields: [String: String]

    private static let maximumFields = 8
    /// The maximum length of a field in bytes. The longest field has 100 characters.
    private static let maximumFieldBytes = 400

    /// - Throws: `Refusal.foreignForm`, `Refusal.badRequest`, `FormError`; `ImportText.Failure.tooLarge` if the file or
    ///   the whole form is too large.
    static func read(_ request: MemberRequest, limit: Int) async throws -> UploadedFile {
        do {
            request.body.setPace(.upload)
            return try await read(try await request.multipartForm(limit: limit + 65_536), limit: limit)
        } catch let error as FormError where error.status == .contentTooLarge {
            throw ImportText.Failure.tooLarge
        }
    }

    private static func read(_ reader: MultipartReader, limit: Int) async throws -> UploadedFile {
        var fields: [String: String] = [:]
        while let part = try await reader.nextPart(), fields.count < maximumFields {
            if part.name == "file" {
                let bytes = try await ImportText.bytes(reader, limit: limit)
                return UploadedFile(name: part.fileName ?? "", bytes: bytes, fields: fields)
            }
            fields[part.name] = try await reader.value(limit: maximumFieldBytes)
        }
        throw Refusal.badRequest
    }
}
