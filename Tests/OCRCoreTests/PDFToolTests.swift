import Glibc
import Testing

@testable import OCRCore

@Suite(.timeLimit(.minutes(5))) struct PDFToolTests {
    @Test func `ends a program that writes more than the limit, although SIGPIPE is ignored`() throws {
        signal(SIGPIPE, SIG_IGN)
        let empty = open("/dev/null", O_RDONLY)
        defer { close(empty) }
        #expect(throws: ReadingFailure.tooLarge) {
            // The loop continues after a write that fails.
            try PDFTool.run(["sh", "-c", "while :; do echo x; done"], document: empty, limit: 1_000)
        }
    }
}
