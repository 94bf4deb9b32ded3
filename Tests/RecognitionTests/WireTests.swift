import Recognition
import Testing

@Suite struct WireTests {
    private static let document = RecognizedDocument(pages: [
        RecognizedPage(
            source: .ocr, width: 900, height: 2000,
            lines: [
                RecognizedLine(words: [
                    RecognizedWord(
                        text: "Käse", box: PixelBox(x: 10, y: 20, width: 90, height: 30), confidence: 91,
                        alternatives: ["Kase", "Käs€"]),
                    RecognizedWord(text: "1,49", box: PixelBox(x: 700, y: 21, width: 80, height: 30), confidence: 0),
                ])
            ],
            codes: [RecognizedCode(format: "QRCode", text: "V0;x", box: PixelBox(x: 0, y: 0, width: 900, height: 9))],
            pass: "normalised"),
        RecognizedPage(source: .text, width: 1, height: 1, lines: []),
    ])
    private static let request = RereadRequest(
        page: 1, box: PixelBox(x: 1, y: 2, width: 3, height: 4), alphabet: .amount)

    static let answers: [ReaderAnswer] = [
        .picture(
            PagePicture(
                page: 3, variant: .preview, width: 200, height: 320, jpeg: (0..<150_000).map { UInt8($0 & 255) })),
        .document(document, cpuMilliseconds: 1234),
        .reread(
            [
                RereadAnswer(
                    request: request,
                    readings: [
                        RecognizedWord(text: "2,99", box: PixelBox(x: 1, y: 2, width: 3, height: 4), confidence: 88)
                    ])
            ], cpuMilliseconds: 7),
        .finished(id: .max - 3, cpuMilliseconds: 99),
    ]

    @Test func everyAnswerArrivesAsItWasSentHoweverItIsCut() throws {
        let bytes = Self.answers.flatMap { $0.frames.joined() }
        for portion in [1, 2, 3, 7, 5000, 65_536, bytes.count] {
            var conversation = ReaderConversation(id: .max - 3, deadline: 30, files: [[1]])
            var received: [ReaderAnswer] = []
            for start in stride(from: 0, to: bytes.count, by: portion) {
                received += try conversation.receive(bytes[start..<min(bytes.count, start + portion)])
            }
            #expect(received == Self.answers)
            #expect(conversation.isOver)
        }
    }

    @Test func requestsArriveAsTheyWereSent() throws {
        let requests: [ReaderRequest] = [
            .job(ReadingJob(id: 5, deadline: 30, files: 2)), .file([]), .file((0..<200_000).map { UInt8($0 % 251) }),
            .reread([Self.request]), .pictures(covering: []),
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

    @Test func aConversationSendsTheJobItsFilesAndThenWhatIsAskedFor() throws {
        var conversation = ReaderConversation(id: 8, deadline: 20, files: [[1, 2], [3]])
        var sent: [UInt8] = []
        while let bytes = conversation.nextToSend() { sent += bytes }
        conversation.reread([Self.request])
        conversation.finish()
        while let bytes = conversation.nextToSend() { sent += bytes }
        let expected: [ReaderRequest] = [
            .job(ReadingJob(id: 8, deadline: 20, files: 2)), .file([1, 2]), .file([3]), .reread([Self.request]), .done,
        ]
        #expect(sent == expected.flatMap { $0.frames.joined() })
    }

    @Test(arguments: ReadingFailureReason.allCases)
    func aFailureEndsAJobInTheMiddleOfAPicture(reason: ReadingFailureReason) throws {
        var picture = Self.answers[0].frames
        var conversation = ReaderConversation(id: 1, deadline: 5, files: [[1]])
        let failure = ReaderAnswer.failed(id: 1, reason, cpuMilliseconds: 3)
        let beginning = picture.next() ?? []
        #expect(try conversation.receive(beginning).isEmpty)
        #expect(try conversation.receive(failure.frames.joined()) == [failure])
        #expect(conversation.isOver)
    }

    @Test func nothingUnknownOrOversizedIsAccepted() {
        for (bytes, error) in [
            ([0, 0, 0, 0], WireError.malformed), ([0, 0, 0, 1, 9], .malformed), ([0x7F, 0, 0, 0], .frameTooLong),
            ([0, 0, 0, 2, 99, 1], .malformed), ([0, 0, 0, 2, 17, 2], .malformed), ([0, 0, 0, 2, 17, 1], .malformed),
        ] as [([UInt8], WireError)] {
            var conversation = ReaderConversation(id: 1, deadline: 5, files: [[1]])
            #expect(throws: error) { try conversation.receive(bytes) }
        }
        var other = ReaderConversation(id: 1, deadline: 5, files: [[1]])
        #expect(throws: WireError.malformed) {
            try other.receive(ReaderAnswer.finished(id: 2, cpuMilliseconds: 0).frames.joined())
        }
        var assembler = MessageAssembler(limit: 10)
        #expect(throws: WireError.messageTooLong) {
            try assembler.take(Frame(kind: 17, isLast: false, payload: [UInt8](repeating: 0, count: 11)))
        }
    }

    @Test func aBoxOutsideItsPageIsRefused() {
        var document = Self.document
        document.pages[0].lines[0].words[0].box.width = 891
        var conversation = ReaderConversation(id: 1, deadline: 5, files: [[1]])
        #expect(throws: WireError.malformed) {
            try conversation.receive(ReaderAnswer.document(document, cpuMilliseconds: 0).frames.joined())
        }
    }

    @Test func changedBytesNeverCrashTheServer() {
        var random = SystemlessRandom(state: 11)
        let original = Self.answers[1].frames.joined() + Self.answers[2].frames.joined()
        for _ in 0..<20_000 {
            var bytes = original
            for _ in 0..<(1 + Int(random.next() % 4)) {
                bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
            }
            var conversation = ReaderConversation(id: 1, deadline: 5, files: [[1]])
            guard let answers = try? conversation.receive(bytes) else { continue }
            #expect(answers.count <= 2)
        }
    }
}

/// SplitMix64: the same numbers on every run.
private struct SystemlessRandom {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
