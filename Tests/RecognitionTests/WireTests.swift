import Foundation
import Recognition
import Testing

/// The messages between the server and the reader.
@Suite(.timeLimit(.minutes(5))) struct WireTests {
    static let document = RecognizedDocument(pages: [
        RecognizedPage(
            source: .ocr, width: 900, height: 2000,
            lines: [
                RecognizedLine(
                    words: [
                        RecognizedWord(
                            text: "Käse", box: PixelBox(x: 10, y: 20, width: 90, height: 30), confidence: 91,
                            alternatives: ["Kase", "Käs€"]),
                        RecognizedWord(
                            text: "1,49", box: PixelBox(x: 700, y: 21, width: 80, height: 30), confidence: 0),
                    ],
                    secondEngineWords: [
                        RecognizedWord(
                            text: "1.49A", box: PixelBox(x: 699, y: 20, width: 92, height: 30), confidence: 97,
                            alternatives: ["1,49", "1,79"], costs: [3, 70, 65_535])
                    ])
            ],
            unreadInk: [PixelBox(x: 5, y: 900, width: 200, height: 30)],
            codes: [RecognizedCode(format: "QRCode", text: "V0;x", box: PixelBox(x: 0, y: 0, width: 900, height: 9))],
            pass: "normalised"),
        RecognizedPage(source: .text, width: 1, height: 1, lines: []),
    ])
    static let request = RereadRequest(
        page: 1, box: PixelBox(x: 1, y: 2, width: 3, height: 4), alphabet: .amount)

    static let picture = ReaderAnswer.picture(
        PagePicture(page: 1, variant: .preview, width: 200, height: 320, jpeg: (0..<150_000).map { UInt8($0 & 255) }))

    static let progress: [ReaderAnswer] = [.progress(pages: 0, of: 3), .progress(pages: 2, of: 3)]

    static let answers: [ReaderAnswer] = [
        .document(document, cpuMilliseconds: 1234),
        .reread(
            [
                RereadAnswer(
                    request: request,
                    readings: [
                        RecognizedWord(text: "2,99", box: PixelBox(x: 1, y: 2, width: 3, height: 4), confidence: 88)
                    ],
                    secondEngineReadings: [
                        RecognizedWord(
                            text: "2,90 A", box: PixelBox(x: 1, y: 2, width: 3, height: 4), confidence: 61, costs: [49])
                    ])
            ], cpuMilliseconds: 7),
        picture,
        .finished(id: .max - 3, cpuMilliseconds: 99),
    ]

    @Test func `decodes every answer, however its bytes are split`() throws {
        let answers = Self.progress + Self.answers
        let bytes = answers.flatMap { $0.frames.joined() }
        for portion in [1, 2, 3, 7, 5000, 65_536, bytes.count] {
            var conversation = ReaderConversation(id: .max - 3, cpuSecondsPerPage: 30, files: [[1]])
            conversation.reread([Self.request])
            conversation.requestPictures(covering: [])
            var received: [ReaderAnswer] = []
            for start in stride(from: 0, to: bytes.count, by: portion) {
                received += try conversation.receive(bytes[start..<min(bytes.count, start + portion)])
            }
            #expect(received == answers)
            #expect(conversation.isOver)
        }
    }

    @Test func `decodes every request`() throws {
        let requests: [ReaderRequest] = [
            .job(ReadingJob(id: 5, cpuSecondsPerPage: 30, fileCount: 2)),
            .job(ReadingJob(id: 6, cpuSecondsPerPage: 4, fileCount: 1, isQuick: true)), .file([]),
            .file((0..<200_000).map { UInt8($0 % 251) }),
            .reread(
                [RereadRequest.Alphabet.amount, .text, .amountAlone].map {
                    RereadRequest(page: 1, box: Self.request.box, alphabet: $0)
                }), .pictures(covering: []),
            .pictures(covering: [CoveredPlace(page: 3, box: PixelBox(x: 9, y: 8, width: 700, height: 6))]), .done,
        ]
        for request in requests {
            var decoder = FrameDecoder()
            var assembler = MessageAssembler(limit: 1 << 20)
            decoder.append(request.frames.joined())
            var received: [ReaderRequest] = []
            while let frame = try decoder.next() {
                if let message = try assembler.take(frame) {
                    received.append(try ReaderRequest(kind: message.kind, payload: message.payload))
                }
            }
            #expect(received == [request])
        }
    }

    @Test func `a conversation sends the job, its files, and then the requests`() throws {
        var conversation = ReaderConversation(id: 8, cpuSecondsPerPage: 20, files: [[1, 2], [3]])
        var sent: [UInt8] = []
        while let bytes = conversation.nextToSend() { sent += bytes }
        conversation.reread([Self.request])
        conversation.finish()
        while let bytes = conversation.nextToSend() { sent += bytes }
        let expected: [ReaderRequest] = [
            .job(ReadingJob(id: 8, cpuSecondsPerPage: 20, fileCount: 2)), .file([1, 2]), .file([3]),
            .reread([Self.request]), .done,
        ]
        #expect(sent == expected.flatMap { $0.frames.joined() })
    }

    @Test(arguments: ReadingFailureReason.allCases)
    func `a failure can end a job in the middle of a picture`(reason: ReadingFailureReason) throws {
        var picture = Self.picture.frames
        var conversation = ReaderConversation(id: 1, cpuSecondsPerPage: 5, files: [[1]])
        let failure = ReaderAnswer.failed(id: 1, reason, cpuMilliseconds: 3)
        let beginning = picture.next() ?? []
        #expect(try conversation.receive(beginning).isEmpty)
        #expect(try conversation.receive(failure.frames.joined()) == [failure])
        #expect(conversation.isOver)
    }

    @Test func `refuses unknown and oversized messages`() {
        for (bytes, error) in [
            ([0, 0, 0, 0], WireError.malformed), ([0, 0, 0, 1, 9], .malformed), ([0x7F, 0, 0, 0], .frameTooLong),
            ([0, 0, 0, 2, 99, 1], .malformed), ([0, 0, 0, 2, 17, 2], .malformed), ([0, 0, 0, 2, 17, 1], .malformed),
        ] as [([UInt8], WireError)] {
            var conversation = ReaderConversation(id: 1, cpuSecondsPerPage: 5, files: [[1]])
            #expect(throws: error) { try conversation.receive(bytes) }
        }
        var other = ReaderConversation(id: 1, cpuSecondsPerPage: 5, files: [[1]])
        #expect(throws: WireError.malformed) {
            try other.receive(ReaderAnswer.finished(id: 2, cpuMilliseconds: 0).frames.joined())
        }
        var assembler = MessageAssembler(limit: 10)
        #expect(throws: WireError.messageTooLong) {
            try assembler.take(Frame(kind: 17, isLast: false, payload: [UInt8](repeating: 0, count: 11)))
        }
    }

    @Test func `sends files one by one`() throws {
        var conversation = ReaderConversation(id: 8, cpuSecondsPerPage: 20, fileCount: 2)
        var sent: [UInt8] = []
        while let bytes = conversation.nextToSend() { sent += bytes }
        #expect(sent == ReaderRequest.job(ReadingJob(id: 8, cpuSecondsPerPage: 20, fileCount: 2)).frames.joined())
        for file in [[1, 2], [3]] as [[UInt8]] {
            conversation.sendFile(file)
            sent = []
            while let bytes = conversation.nextToSend() { sent += bytes }
            #expect(sent == ReaderRequest.file(file).frames.joined())
        }
    }

    /// Messages with which a child controlled by a malicious file could fill the server's memory.
    static let invalidAnswers: [(String, isRequested: Bool, [ReaderAnswer])] = [
        ("a second document", true, [answers[0], answers[0]]),
        ("pages read after the document", true, [answers[0], progress[0]]),
        ("a lower number of pages read", true, [progress[1], progress[0]]),
        ("more pages read than the document has", true, [.progress(pages: 4, of: 3)]),
        ("more pages to read than files may have", true, [.progress(pages: 1, of: ReadingJob.maximumPages + 1)]),
        ("pictures before the document", true, [picture]),
        ("pictures that were not requested", false, [answers[0], picture]),
        ("the same picture again", true, [answers[0], picture, picture]),
        (
            "a picture without a page", true,
            [answers[0], .picture(PagePicture(page: 2, variant: .reading, width: 9, height: 9, jpeg: [1]))]
        ),
        (
            "a picture that is too large", true,
            [
                answers[0],
                .picture(
                    PagePicture(
                        page: 0, variant: .reading, width: 9, height: 9,
                        jpeg: [UInt8](repeating: 1, count: PagePicture.maximumBytes + 1))),
            ]
        ),
        ("rereads that were not requested", false, [answers[0], answers[1]]),
        ("a reread answered twice", true, [answers[0], answers[1], answers[1]]),
        (
            "more pages than files may have", true,
            [
                .document(
                    RecognizedDocument(
                        pages: Array(
                            repeating: RecognizedPage(source: .ocr, width: 9, height: 9, lines: []),
                            count: ReadingJob.maximumPages + 1)), cpuMilliseconds: 1)
            ]
        ),
    ]

    @Test(arguments: invalidAnswers.indices)
    func `ends the conversation on invalid or unrequested answers`(row: Int) throws {
        let (_, isRequested, answers) = Self.invalidAnswers[row]
        var conversation = ReaderConversation(id: 1, cpuSecondsPerPage: 5, files: [[1]])
        if isRequested {
            conversation.reread([Self.request])
            conversation.requestPictures(covering: [])
        }
        for answer in answers.dropLast() { _ = try conversation.receive(answer.frames.joined()) }
        let last = try #require(answers.last).frames.joined()
        #expect(throws: WireError.malformed) { try conversation.receive(last) }
    }

    @Test func `refuses a document before the last file was sent`() {
        var conversation = ReaderConversation(id: 1, cpuSecondsPerPage: 5, fileCount: 2)
        conversation.sendFile([1])
        #expect(throws: WireError.malformed) { try conversation.receive(Self.answers[0].frames.joined()) }
    }

    @Test func `limits the total size of a job's pictures`() throws {
        let page = RecognizedPage(source: .ocr, width: 9, height: 9, lines: [])
        var conversation = ReaderConversation(id: 1, cpuSecondsPerPage: 5, files: [[1]])
        conversation.requestPictures(covering: [])
        let document = ReaderAnswer.document(
            RecognizedDocument(pages: Array(repeating: page, count: ReadingJob.maximumPages)), cpuMilliseconds: 1)
        _ = try conversation.receive(document.frames.joined())
        let jpeg = [UInt8](repeating: 1, count: PagePicture.maximumBytes)
        #expect(throws: WireError.messageTooLong) {
            for page in 0..<ReadingJob.maximumPages {
                let picture = PagePicture(page: page, variant: .reading, width: 9, height: 9, jpeg: jpeg)
                _ = try conversation.receive(ReaderAnswer.picture(picture).frames.joined())
            }
        }
    }

    @Test func `refuses a box outside its page`() {
        var document = Self.document
        document.pages[0].lines[0].words[0].box.width = 891
        var conversation = ReaderConversation(id: 1, cpuSecondsPerPage: 5, files: [[1]])
        #expect(throws: WireError.malformed) {
            try conversation.receive(ReaderAnswer.document(document, cpuMilliseconds: 0).frames.joined())
        }
    }

    @Test func `reads or refuses answers with changed bytes`() {
        var random = RepeatableRandom(state: 11)
        let original = Self.answers[0].frames.joined() + Self.answers[1].frames.joined()
        for _ in 0..<20_000 {
            var bytes = original
            for _ in 0..<(1 + Int(random.next() % 4)) {
                bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
            }
            var conversation = ReaderConversation(id: 1, cpuSecondsPerPage: 5, files: [[1]])
            conversation.reread([Self.request])
            guard let answers = try? conversation.receive(bytes) else { continue }
            #expect(answers.count <= 2)
        }
    }
}

/// A random number generator with the same sequence in every run (SplitMix64).
private struct RepeatableRandom {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
