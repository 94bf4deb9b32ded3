/// The sender of a message, according to its header.
package struct MailSender: Sendable {
    /// The address in lower case; nil if there is not exactly one.
    package let address: String?
    /// Whether the receiving mail server marked the message as forged (RFC 8601).
    package let isForged: Bool

    /// - Parameter header: the fields `From` and `Authentication-Results`; other fields are ignored.
    package init(header: [UInt8]) { self.init(MailFields.read(header[...]).0) }

    init(_ fields: MailFields) {
        address = fields.address("from")
        // The receiving server adds its field at the top. The sender may have forged later fields of this name.
        let results = (fields["authentication-results"] ?? "").lowercased()
        isForged = results.contains("dmarc=fail") || results.contains("spf=fail") && !results.contains("dkim=pass")
    }
}
