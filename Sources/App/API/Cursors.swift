import Crypto
import Domain
import HTTP
import Postgres

/// Cursors into API lists. Clients return them unchanged.
///
/// A cursor is authenticated with a key of the household and bound to the list and the member. An altered cursor, or a
/// cursor from another list or member, is refused.
struct Cursors: Sendable {
    let database: Database

    /// The length of the authentication code at the start of a cursor.
    private static let codeBytes = 16

    /// - Parameters:
    ///   - place: the position in the list, for example the identifier of the last returned element.
    ///   - list: the name of the list including its filter.
    func make(_ place: String, of list: String, for member: Member) async throws -> String {
        let code = try await key(member).authenticationCode(Self.message(place, list))
        return Base64URL.encode(code.prefix(Self.codeBytes) + Array(place.utf8))
    }

    /// Returns the position that a cursor contains.
    ///
    /// - Throws: `APIProblem` 400 unless the cursor was created for this list and this member.
    func read(_ cursor: String, of list: String, for member: Member) async throws -> String {
        let invalid = APIProblem(.badRequest, .invalidCursor)
        guard cursor.utf8.count <= 1024, let bytes = Base64URL.decode(cursor), bytes.count > Self.codeBytes,
            let place = String(validating: bytes.dropFirst(Self.codeBytes), as: UTF8.self)
        else { throw invalid }
        let code = try await key(member).authenticationCode(Self.message(place, list))
        guard constantTimeEqual(Array(bytes.prefix(Self.codeBytes)), Array(code.prefix(Self.codeBytes))) else {
            throw invalid
        }
        return place
    }

    /// The position in the request's cursor; nil without a cursor.
    func place(_ request: ClientRequest, of list: String) async throws -> String? {
        guard let cursor = request.head.query("cursor") else { return nil }
        return try await read(cursor, of: list, for: request.member)
    }

    /// The number of elements to skip, for lists whose cursors contain that number; 0 without a cursor.
    func offset(_ request: ClientRequest, of list: String) async throws -> Int {
        guard let place = try await place(request, of: list) else { return 0 }
        guard let offset = Int(place), (0...1_000_000).contains(offset) else {
            throw APIProblem(.badRequest, .invalidCursor)
        }
        return offset
    }

    /// Reads a page of a list whose cursors count the skipped elements.
    ///
    /// - Parameters:
    ///   - maximum: the highest `limit` of a request.
    ///   - count: the limit for a request without `limit`.
    ///   - query: an ordered query.
    func page<Element: RowDecodable>(
        _ request: ClientRequest, of name: String, _: Element.Type, maximum: Int, default count: Int, _ query: () -> SQL
    ) async throws -> (elements: ArraySlice<Element>, next: String?) {
        let limit = try request.number("limit", 1...maximum, default: count)
        let list = name + request.filterText
        let skipped = try await offset(request, of: list)
        let elements = try await database.read(
            request.household, "\(query()) OFFSET \(Int32(skipped)) LIMIT \(Int32(limit) + 1)"
        ).decode(Element.self)
        guard elements.count > limit else { return (elements[...], nil) }
        return (elements.prefix(limit), try await make(String(skipped + limit), of: list, for: request.member))
    }

    private static func message(_ place: String, _ list: String) -> [UInt8] {
        Array("\(list.utf8.count) \(list) \(place)".utf8)
    }

    /// A key for this member, derived from the household's key.
    private func key(_ member: Member) async throws -> SecretKey {
        let rows = try await database.read(
            member.household, "SELECT digest_key FROM household WHERE id = \(member.household)")
        guard let row = rows.first, let key = SecretKey(try row[0, as: [UInt8].self]) else { throw Refusal.notFound }
        return key.derived(for: "cursor", member.person.bytes)
    }
}
