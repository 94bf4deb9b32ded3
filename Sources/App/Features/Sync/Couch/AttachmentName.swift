import JSON

/// Names of attachments that clients accept. The names come from uploaded files, such as `_DSC0001.JPG`.
enum AttachmentName {
    /// Returns attachments under accepted names.
    static func accepted(_ attachments: JSONObject) -> JSONObject {
        var result = JSONObject()
        for attachment in attachments { result[accepted(attachment.name)] = attachment.value }
        return result
    }

    /// Removes `_` at the beginning, with which CouchDB and PouchDB allow no name: PouchDB would not store any document
    /// of the batch. Also replaces characters that this server does not allow in a path.
    static func accepted(_ name: String) -> String {
        let scalars = name.unicodeScalars.map { scalar -> Unicode.Scalar in
            scalar.value < 0x20 || scalar.value == 0x7F || scalar == "/" || scalar == "\\" ? "_" : scalar
        }
        // Segments of dots are not allowed in a path either.
        let rest = scalars.drop { $0 == "_" || $0 == "." }
        return rest.isEmpty ? "original" : String(String.UnicodeScalarView(rest))
    }
}
