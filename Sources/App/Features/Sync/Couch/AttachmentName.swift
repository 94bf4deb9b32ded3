import JSON

/// Names of attachments that clients accept. The names come from uploaded files, such as `_DSC0001.JPG`.
enum AttachmentName {
    /// Returns attachments under accepted names.
    static func accepted(_ attachments: JSONObject) -> JSONObject {
        var result = JSONObject()
        for attachment in attachments { result[accepted(attachment.name)] = attachment.value }
        return result
    }

    /// Removes `_` at the beginning: CouchDB and PouchDB do not allow it there, and PouchDB would then store no
    /// document of the batch. Replaces characters that this server does not allow in a path.
    static func accepted(_ name: String) -> String {
        let scalars = name.unicodeScalars.map { scalar -> Unicode.Scalar in
            scalar.value < 0x20 || scalar.value == 0x7F || scalar == "/" || scalar == "\\" ? "_" : scalar
        }
        // Also removes dots at the beginning, because a path must not contain segments such as `..`.
        let rest = scalars.drop { $0 == "_" || $0 == "." }
        return rest.isEmpty ? "original" : String(String.UnicodeScalarView(rest))
    }
}
