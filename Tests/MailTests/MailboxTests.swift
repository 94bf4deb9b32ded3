import Testing

@testable import Mail

@Suite(.timeLimit(.minutes(1))) struct MailboxTests {
    @Test func `reads an address with an encoded user and folder`() throws {
        let mailbox = try #require(Mailbox("imaps://belege%40example.at@Imap.Example.at:1993/Belege%20neu"))
        #expect(mailbox.host == "imap.example.at")
        #expect(mailbox.port == 1993)
        #expect(mailbox.user == "belege@example.at")
        #expect(mailbox.folder == "Belege neu")
        #expect(mailbox.address == "belege@example.at")
        #expect(Mailbox("imaps://u@host")?.folder == "INBOX")
        #expect(Mailbox("imaps://u@host")?.port == 993)
    }

    @Test(arguments: [
        "imap://u@host", "imaps://host", "imaps://@host", "imaps://u@host:0", "imaps://u@host:99999",
        "imaps://u%0D@host",
        "imaps://u%4@host", "imaps://u@ho st", "https://u@host", "",
    ]) func `refuses texts that are not addresses of a mailbox`(text: String) {
        #expect(Mailbox(text) == nil)
    }
}
