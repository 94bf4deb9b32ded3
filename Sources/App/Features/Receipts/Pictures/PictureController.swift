import Domain
import HTTP
import Postgres

/// Pictures made by the reader: upright and without metadata.
struct PictureController: Sendable {
    let database: Database

    func register(_ routes: inout Routes) throws {
        try routes.member(.get, "/receipts/{receipt}/pages/{page}/display", "PictureController.display") { request in
            try await picture(request, column: "g.display_blob_id")
        }
        try routes.member(.get, "/receipts/{receipt}/pages/{page}/preview", "PictureController.preview") { request in
            try await picture(request, column: "g.preview_blob_id")
        }
        try routes.client(
            .get, "/api/v1/receipts/{receipt}/pages/{page}/picture", "PictureController.clientPicture", scope: .read
        ) { request in
            let receipt: ReceiptID = try request.identifier("receipt")
            return try await picture(
                receipt, request.parameters["page"], request.member, request.head, column: "g.display_blob_id")
        }
    }

    private func picture(_ request: MemberRequest, column: SQL) async throws -> Response {
        try await picture(
            request.identifier("receipt"), request.parameters["page"], request.member, request.head, column: column)
    }

    /// Page numbers in addresses start at 1. The ETag is the blob's identifier. The browser revalidates on each use,
    /// because reading the receipt again replaces the picture, and signing out ends access.
    private func picture(
        _ receipt: ReceiptID, _ page: String?, _ member: Member, _ head: RequestHead, column: SQL
    ) async throws -> Response {
        guard let page = Int32(page ?? ""), (1...1000).contains(page) else { throw Refusal.notFound }
        let household = member.household
        let rows = try await database.read(
            household,
            """
            SELECT b.id, b.media_type, b.size FROM receipt r
            JOIN receipt_page g ON g.household_id = r.household_id AND g.receipt_id = r.id
            JOIN blob b ON b.household_id = g.household_id AND b.id = \(column)
            WHERE r.household_id = \(household) AND r.id = \(receipt) AND g.n = \(page - 1)
                AND \(Visibility.condition(member))
            """)
        guard let (blob, type, size) = try rows.first((BlobID, String, Int64).self) else { throw Refusal.notFound }
        let tag = EntityTag(blob.description)
        var headers: Headers = [
            "Content-Type": type, "ETag": tag.description, "Cache-Control": "private, no-cache",
            "Content-Disposition": "inline; filename=\"page-\(page).jpg\"",
            "Content-Security-Policy": SecurityHeaders.sandbox,
        ]
        if head.isFresh(tag) { return Response(.notModified, headers: headers) }
        headers["Cross-Origin-Resource-Policy"] = "same-origin"
        let database = database
        return Response(
            .ok, headers: headers,
            body: .stream(length: Int(size)) { writer in
                try await Self.send(blob, household, database, to: writer)
            }, isCompressible: false)
    }

    /// Sends a picture in chunks. The whole picture is never in memory.
    static func send(
        _ blob: BlobID, _ household: HouseholdID, _ database: Database, to writer: any ResponseWriter
    ) async throws {
        var n: Int32 = 0
        while true {
            let rows = try await database.read(
                household,
                """
                SELECT bytes FROM blob_chunk
                WHERE household_id = \(household) AND blob_id = \(blob) AND n = \(n)
                """)
            guard let row = rows.first else { return }
            try await writer.send(try row[0, as: [UInt8].self])
            n += 1
        }
    }
}
