import Domain
import JSON
import Postgres

/// Loads receipts, each in one round trip.
struct StoredReceiptQueries: Sendable {
    let database: Database

    /// - Throws: `Refusal.notFound` for a receipt that does not exist or that this member may not see.
    func receipt(_ id: ReceiptID, _ member: Member) async throws -> StoredReceipt {
        let household = member.household
        let rows = try await database.read(
            household, batch: Self.statements(id, member))
        return try Self.decode(id, rows)
    }

    /// Returns the statements for a receipt that the member may see. `decode` reads their results.
    static func statements(_ id: ReceiptID, _ member: Member) -> [SQL] {
        statements(
            id, member.household, isVisible: Visibility.condition(member),
            isDuplicate: Duplicates.condition(seenBy: member))
    }

    /// Returns the statements for the server itself, including hidden receipts.
    static func statements(_ id: ReceiptID, _ household: HouseholdID) -> [SQL] {
        statements(id, household, isVisible: "true", isDuplicate: Duplicates.condition())
    }

    private static func statements(
        _ id: ReceiptID, _ household: HouseholdID, isVisible: SQL, isDuplicate: SQL
    ) -> [SQL] {
        [
            """
            SELECT r.stage, r.verdict, r.reasons, r.store_id, r.currency, r.doubts, r.marks, r.evidence,
                r.duplicate_of, coalesce(p.name, ''), r.created_at, r.confirmed_at, r.discarded_at, r.revision,
                coalesce(s.name, r.printed_store ->> 'name', ''), r.purchase_day, r.purchase_time, r.total_minor,
                r.hidden_until, r.source = 'manual', \(isDuplicate),
                EXISTS (SELECT 1 FROM receipt_file f
                    WHERE f.household_id = r.household_id AND f.receipt_id = r.id AND f.blob_id IS NOT NULL),
                coalesce(r.joined ? 'parts' AND r.stage <> \(Stage.confirmed.sql), false)
            FROM \(ListedReceipt.source)
            WHERE r.household_id = \(household) AND r.id = \(id) AND \(isVisible)
            """,
            """
            SELECT l.id, l.printed_name, l.quantity_thousandths, l.unit, l.unit_price_thousandths, l.total_minor,
                l.kind, l.vat_class, l.vat_rate, l.product_id, d.name, l.doubts, l.repairs, l.page, l.box_x, l.box_y,
                l.box_width, l.box_height, i.printed_name, l.position, l.category_id,
                \(RollUps.usualCategory(household))
            FROM receipt_line l
            LEFT JOIN receipt_line i ON i.household_id = l.household_id AND i.id = l.bound_line_id
            \(RollUps.categorySource(household))
            WHERE l.household_id = \(household) AND l.receipt_id = \(id) ORDER BY l.position, l.id
            """,
            """
            SELECT g.n, g.width, g.height, b.width, b.height FROM receipt_page g
            JOIN blob b ON b.household_id = g.household_id AND b.id = g.display_blob_id
            WHERE g.household_id = \(household) AND g.receipt_id = \(id) ORDER BY g.n
            """,
        ]
    }

    static func decode(_ id: ReceiptID, _ rows: [Rows]) throws -> StoredReceipt {
        guard let head = rows[0].first else { throw Refusal.notFound }
        var reader = RowReader(of: head)
        let stage: Stage = try reader.next()
        let verdict: Verdict? = try reader.next()
        let reasons: [Reason] = try reader.next()
        let storeID: StoreID? = try reader.next()
        let currency: Currency = try reader.next()
        let doubts: [ReviewField] = try reader.next()
        let marks: PostgresJSON = try reader.next()
        let evidence: PostgresJSON = try reader.next()
        let duplicateOf: ReceiptID? = try reader.next()
        let personName: String = try reader.next()
        let created: PostgresInstant = try reader.next()
        let confirmed: PostgresInstant? = try reader.next()
        let discarded: PostgresInstant? = try reader.next()
        let revision: Int64 = try reader.next()
        var draft = ReviewDraft()
        draft.store = try reader.next()
        draft.day = try reader.next()
        draft.time = (try reader.next() as PostgresTime?).flatMap(LocalTime.init(stored:))
        draft.total = try reader.next()
        draft.hiddenUntil = try reader.next()
        draft.currency = currency
        let isManual: Bool = try reader.next()
        let isDuplicate: Bool = try reader.next()
        let hasOriginal: Bool = try reader.next()
        let isJoined: Bool = try reader.next()
        let storedEvidence = try? JSONValue(reading: evidence.bytes)
        var facts: [String: StoredReceipt.LineFacts] = [:]
        for row in rows[1] {
            let (line, fact) = try self.line(row)
            draft.lines.append(line)
            facts[line.key] = fact
        }
        return StoredReceipt(
            id: id,
            state: ReceiptState(
                stage: stage, verdict: verdict, isDiscarded: discarded != nil, isDuplicate: isDuplicate),
            stage: stage, verdict: verdict, reasons: reasons, storeID: storeID, doubts: doubts,
            marks: Self.boxes(marks),
            vat: storedEvidence?["vat"], repairs: StoredRepair.list(storedEvidence?["repairs"]),
            paper: StoredPaper(storedEvidence?["paper"]),
            articleCount: storedEvidence?["articles"]?.integer,
            duplicateOf: isDuplicate ? duplicateOf : nil,
            isManual: isManual, hasOriginal: hasOriginal, isJoined: isJoined, personName: personName,
            createdAt: created, confirmedAt: confirmed, revision: revision, draft: draft, facts: facts,
            pages: try rows[2].decode((Int32, Int32, Int32, Int32, Int32).self).map {
                n, width, height, displayWidth, displayHeight in
                StoredReceipt.Page(
                    n: n, width: width, height: height, displayWidth: displayWidth, displayHeight: displayHeight)
            })
    }

    private static func line(_ row: Row) throws -> (ReviewDraft.Line, StoredReceipt.LineFacts) {
        var reader = RowReader(of: row)
        let id: ReceiptLineID = try reader.next()
        var line = ReviewDraft.Line(key: id.description)
        line.name = try reader.next()
        line.quantity = try reader.next()
        line.unit = try reader.next()
        line.unitPrice = try reader.next()
        line.total = try reader.next()
        line.kind = try reader.next()
        line.vatClass = try reader.next()
        let rate: Int32? = try reader.next()
        let product: ProductID? = try reader.next()
        let productName: String? = try reader.next()
        let doubts: [String] = try reader.next()
        line.isUnread = doubts.contains(StoredReading.unread)
        let repairs: PostgresJSON = try reader.next()
        let page: Int32? = try reader.next()
        let x: Int32? = try reader.next()
        let y: Int32? = try reader.next()
        let width: Int32? = try reader.next()
        let height: Int32? = try reader.next()
        let reducedName: String? = try reader.next()
        let position: Int32 = try reader.next()
        line.category = try reader.next()
        let usualCategory: CategoryID? = try reader.next()
        var box: (Int32, Int32, Int32, Int32)?
        if let x, let y, let width, let height { box = (x, y, width, height) }
        return (
            line,
            StoredReceipt.LineFacts(
                position: position, product: product, productName: productName, usualCategory: usualCategory,
                vatRate: rate,
                doubts: doubts.compactMap(ReviewField.init(rawValue:)),
                repairs: StoredRepair.list(repairs), page: page, box: box,
                reducedName: reducedName)
        )
    }

    private static func boxes(_ marks: PostgresJSON) -> [ReviewField: [Int32]] {
        guard let object = (try? JSONValue(reading: marks.bytes))?.object else { return [:] }
        var boxes: [ReviewField: [Int32]] = [:]
        for member in object {
            let numbers = (member.value.array ?? []).compactMap { $0.integer.flatMap { Int32(exactly: $0) } }
            if let field = ReviewField(rawValue: member.name), numbers.count == 5 { boxes[field] = numbers }
        }
        return boxes
    }
}
