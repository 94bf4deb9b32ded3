import DocumentParsing
import Domain
import Recognition
import Testing

/// Several photos of one long receipt. Lines that two photos show are kept once.
@Suite(.timeLimit(.minutes(5))) struct JoinedPagesTests {
    /// The row after the last row of the first photo, and the first row of the second photo. Rows 6…14 of the sample
    /// are items; the total is row 16.
    static let cuts: [(end: Int, start: Int)] = [
        (8, 6), (9, 7), (10, 6), (12, 8), (14, 5), (17, 9), (20, 14), (27, 3), (16, 12),
    ]

    @Test(arguments: cuts)
    func `joins two overlapping photos`(cut: (end: Int, start: Int)) {
        let photographs = [
            Photograph(rows: 0..<cut.end), Photograph(rows: cut.start..<40, scale: 13, x: 90),
        ]
        let joined = Photograph.parse(Sample.rewe, photographs)
        #expect(joined.summary == Layout.parse(Sample.rewe).summary)
        #expect(joined.total?.value.minorUnits == 711)
        #expect(joined.reasons == Layout.parse(Sample.rewe).reasons)
    }

    @Test(arguments: cuts)
    func `sorts photos that were sent in the wrong order`(cut: (end: Int, start: Int)) {
        let photographs = [Photograph(rows: cut.start..<40, scale: 8), Photograph(rows: 0..<cut.end)]
        let joined = Photograph.parse(Sample.rewe, photographs)
        #expect(joined.summary == Layout.parse(Sample.rewe).summary)
        #expect(joined.reasons == Layout.parse(Sample.rewe).reasons)
    }

    @Test(arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
    func `joins three photos in any order`(order: [Int]) {
        let photographs = [
            Photograph(rows: 0..<9, x: 30), Photograph(rows: 6..<15, scale: 12), Photograph(rows: 11..<40, scale: 9),
        ]
        let joined = Photograph.parse(Sample.rewe, order.map { photographs[$0] })
        #expect(joined.summary == Layout.parse(Sample.rewe).summary)
        #expect(joined.reasons == Layout.parse(Sample.rewe).reasons)
    }

    @Test(arguments: [0..<40, 3..<18, 6..<12])
    func `adds nothing from a photo without new lines`(rows: Range<Int>) {
        let photographs = [Photograph(rows: 0..<40), Photograph(rows: rows, scale: 14)]
        let joined = Photograph.parse(Sample.rewe, photographs)
        #expect(joined.summary == Layout.parse(Sample.rewe).summary)
        #expect(joined.reasons == Layout.parse(Sample.rewe).reasons)
    }

    @Test func `keeps the better reading of a line and its position`() throws {
        let photographs = [
            Photograph(rows: 0..<11, misread: ["JOGHURT NATUR": "J0GHUBT NAIUR"], confidence: 61),
            Photograph(rows: 7..<40, scale: 12),
        ]
        let joined = Photograph.parse(Sample.rewe, photographs)
        let item = try #require(joined.items.first { $0.name.value == "JOGHURT NATUR" })
        #expect(item.name.page == 1)
        #expect(item.name.box?.y == 68 * 12 / 10)
        #expect(joined.items[0].name.page == 0)
        #expect(joined.items.last?.name.page == 1)
    }

    @Test func `takes a price from the other photo if the sum requires it`() throws {
        let photographs = [
            Photograph(rows: 0..<11, misread: ["2,36": "2,86"]), Photograph(rows: 7..<40, confidence: 90),
        ]
        let joined = Photograph.parse(Sample.rewe, photographs)
        #expect(joined.summary == Layout.parse(Sample.rewe).summary)
    }

    @Test func `takes a line that is missing on one photo from the other`() {
        let photographs = [
            Photograph(rows: 0..<12, misread: ["\n 0,936 kg x   2,00 EUR/kg": "\n"]),
            Photograph(rows: 6..<40, misread: ["\n 4 Stk x   0,59": "\n"]),
        ]
        #expect(Photograph.parse(Sample.rewe, photographs).summary == Layout.parse(Sample.rewe).summary)
    }

    @Test func `drops a line that the edge of a photo cuts through`() {
        let photographs = [
            Photograph(
                rows: 0..<11, misread: ["LIMONADE                     0,89 A": "Ι IIVIUIVMUE  U,0J"], confidence: 80),
            Photograph(rows: 7..<40),
        ]
        #expect(Photograph.parse(Sample.rewe, photographs).summary == Layout.parse(Sample.rewe).summary)
    }

    // MARK: Items bought several times

    static let withRepeatedItem = """
               BEISPIELMARKT
            Lindenweg 12
            50999 Köln
                                     EUR
        ROGGENBROT GESCHNITTEN       2,49 B
        BIO VOLLMILCH 3,8% 1L        1,29 B
        BIO VOLLMILCH 3,8% 1L        1,29 B
        BIO VOLLMILCH 3,8% 1L        1,29 B
        TAFELAEPFEL SORTE ELSTAR     1,99 B
        SUMME                EUR     8,35
        Geg. BAR             EUR    10,00
        Rückgeld BAR         EUR     1,65
          14.03.2026   10:15   Bon-Nr.:4711
          Datum: 14.03.2026
        """

    @Test(arguments: [(6, 6), (7, 7), (6, 5), (7, 6), (7, 5), (8, 5), (8, 6), (8, 4), (7, 4), (9, 5)])
    func `determines by the sum how often an item was bought`(end: Int, start: Int) {
        let joined = Photograph.parse(
            Self.withRepeatedItem, [Photograph(rows: 0..<end), Photograph(rows: start..<20, scale: 11)])
        #expect(joined.summary == Layout.parse(Self.withRepeatedItem).summary, "\(end) \(start)")
    }

    // MARK: Photos without common lines

    @Test func `leaves photos without common lines for review`() {
        let apart = Photograph.parse(Sample.rewe, [Photograph(rows: 0..<9), Photograph(rows: 9..<40)])
        #expect(apart.summary == Layout.parse(Sample.rewe).summary)
        #expect(apart.reasons.contains(.pagesApart))
        #expect(apart.state == .review)
    }

    @Test func `accepts a second photo that begins below the total`() {
        let parts = Photograph.parse(Sample.rewe, [Photograph(rows: 0..<17), Photograph(rows: 17..<40)])
        #expect(!parts.reasons.contains(.pagesApart))
        #expect(parts.reasons == Layout.parse(Sample.rewe).reasons)
    }

    @Test func `determines the order of photos without common lines by the sums`() {
        let parts = [Photograph(rows: 9..<40), Photograph(rows: 0..<9)]
        let read = Photograph.parse(Sample.rewe, parts)
        #expect(read.summary == Layout.parse(Sample.rewe).summary)
    }

    @Test func `drops the repeated head of a document's pages`() {
        let rows = Sample.rewe.split(separator: "\n", omittingEmptySubsequences: false)
        let pages = [rows[..<9], rows[..<5] + rows[9...]].map { $0.joined(separator: "\n") }
        let document = RecognizedDocument(pages: pages.flatMap { Layout.document($0, source: .text).pages })
        let receipt = ReceiptParser(today: Layout.today).parse(document)
        #expect(receipt.summary == Layout.parse(Sample.rewe).summary)
        #expect(receipt.state == .proven, "\(receipt.reasons)")
    }

    @Test func `does not prove two receipts of one store that were read as one receipt`() {
        let other = Sample.rewe.replacing("VOLLKORNBROT", with: "ZWIEBELN").replacing("4711", with: "4788")
        let document = RecognizedDocument(
            pages: [Sample.rewe, other].flatMap { Layout.document($0, readTwice: false).pages })
        #expect(ReceiptParser(today: Layout.today).parse(document).state != .proven)
    }
}
