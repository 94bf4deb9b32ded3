import Mail

extension FuzzCommand {
    static let mailTargets: [String: @Sendable ([UInt8]) -> Void] = ["mail": mail]

    /// Parses a message, and converts its text to a document.
    @Sendable private static func mail(_ bytes: [UInt8]) {
        guard let message = try? MailMessage(bytes) else { return }
        check(message.files.allSatisfy { $0.bytes.count <= bytes.count }, "no file is larger than its message")
        check(TextPDF.document(message.text).count < 1 << 20, "a document, of at most ten pages, is smaller than 1 MiB")
    }
}
