import Crypto
import Domain
import HTTP
import JSON

/// A request of an authenticated caller of the API. The caller has the scope and the role that the route requires.
package struct ClientRequest: Sendable {
    /// The validated head. If a trusted proxy forwarded the request, the head describes the client's request to the
    /// proxy.
    package let head: RequestHead
    /// The values of the path parameters, decoded but not validated.
    package let parameters: RouteParameters
    /// The body of a `stream` route, which the handler reads.
    package let body: RequestBody
    /// The parsed body of `json` routes; null for other routes.
    package let json: JSONValue
    let client: APIClient

    /// The member who created the key, or the signed-in member.
    package var member: Member { client.member }
    /// The member's household. Every query names it.
    package var household: HouseholdID { member.household }
    /// The language that the member chose.
    package var language: Language { member.language }

    /// Parses an identifier in the path. A malformed identifier gives the same error as an unknown one.
    ///
    /// - Throws: `Refusal.notFound`.
    package func identifier<Tag>(_ name: String) throws -> Identifier<Tag> {
        guard let text = parameters[name], let identifier = Identifier<Tag>(text) else { throw Refusal.notFound }
        return identifier
    }

    /// Checks that the path names the household of the caller.
    ///
    /// - Throws: `Refusal.notFound` for any other household, whether it exists or not.
    package func requireOwnHousehold(_ name: String = "household") throws {
        let pathHousehold: HouseholdID = try identifier(name)
        guard pathHousehold == household else { throw Refusal.notFound }
    }

    /// Returns the body as an object.
    ///
    /// - Throws: `APIProblem` if the body is not an object.
    func object() throws -> JSONObject {
        guard let object = json.object else {
            throw APIProblem(.badRequest, .malformedJSON, "The body must be a JSON object.")
        }
        return object
    }

    /// Refuses a body with fields, for operations that have none.
    func requireEmptyObject() throws {
        var fields = JSONFields(try object())
        try fields.finish()
    }

    /// Parses a query parameter; nil if it is absent.
    ///
    /// - Throws: `APIProblem` if `parse` returns nil.
    func query<Value>(_ name: String, _ parse: (String) -> Value?) throws -> Value? {
        guard let text = head.query(name) else { return nil }
        guard let value = parse(text) else {
            throw APIProblem(.badRequest, .badRequest, "The parameter \(name) is not valid.")
        }
        return value
    }

    /// Parses a query parameter that is a whole number.
    ///
    /// - Throws: `APIProblem` unless the parameter is a number in the range.
    func number(_ name: String, _ range: ClosedRange<Int>, default fallback: Int) throws -> Int {
        guard let text = head.query(name) else { return fallback }
        guard text.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int(text), range.contains(number) else {
            throw APIProblem(
                .badRequest, .badRequest, "\(name) must be a number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    // MARK: Conditions

    /// The entity tag of a document with this revision.
    static func tag(_ revision: Int64) -> EntityTag { EntityTag(String(revision)) }

    /// Checks `If-Match`, which changes of documents with a revision require.
    ///
    /// - Throws: `APIProblem` 428 if the field is missing or empty; 412 unless it is `*` or names `current`.
    func requireMatch(_ current: EntityTag) throws {
        guard let field = head.headers.list(.ifMatch), !field.isEmpty else {
            throw APIProblem(
                .preconditionRequired, .preconditionRequired, "Send the ETag of the resource in If-Match.",
                headers: ["ETag": current.description])
        }
        // Accept weak tags, because proxies that compress responses turn strong tags into weak ones.
        let isCurrent =
            switch EntityTag.Condition(field) {
            case .any: true
            case .oneOf(let tags): tags.contains { $0.value == current.value }
            case nil: false
            }
        guard isCurrent else {
            throw APIProblem(.preconditionFailed, .preconditionFailed, headers: ["ETag": current.description])
        }
    }

    /// Checks `If-Match` of a document whose tag is its revision.
    func requireMatch(_ revision: Int64) throws { try requireMatch(Self.tag(revision)) }

    /// Refuses `If-Match` when the resource does not exist: no revision of it matches.
    ///
    /// - Throws: `APIProblem` 412.
    func requireNoMatch() throws {
        guard head.headers[.ifMatch] == nil else { throw APIProblem(.preconditionFailed, .preconditionFailed) }
    }

    // MARK: Answers

    /// Answers with a document, or with 304 if the client already has it.
    ///
    /// - Parameters:
    ///   - tag: the document's entity tag; if nil, it is computed from the bytes.
    ///   - mayAnswerNotModified: whether equal tags mean equal answers. If false, 304 is never sent.
    func answer(
        _ document: JSONWriter, tag: EntityTag? = nil, status: Status = .ok, mayAnswerNotModified: Bool = true
    ) -> Response {
        let tag = tag ?? EntityTag(hashing: document.bytes)
        var response = Response.json(status, document.bytes)
        response.headers[.etag] = tag.description
        response.headers[.cacheControl] = "private, no-cache"
        if status == .ok, mayAnswerNotModified, head.isFresh(tag) {
            (response.status, response.body) = (.notModified, .none)
            response.headers.remove(.contentType)
        }
        return response
    }

    /// Answers with a document whose tag is its revision.
    func answer(
        _ document: JSONWriter, revision: Int64, status: Status = .ok, mayAnswerNotModified: Bool = true
    ) -> Response {
        answer(document, tag: Self.tag(revision), status: status, mayAnswerNotModified: mayAnswerNotModified)
    }

    /// Answers with a page of a list.
    ///
    /// - Parameter next: the cursor of the next page; nil on the last page.
    func answer(list name: String, next: String?, _ items: (inout JSONWriter) -> Void) -> Response {
        var json = JSONWriter(capacity: 4096)
        json.object { json in
            json.array(name, items)
            json.member("next", next)
        }
        var response = answer(json)
        if let next { response.headers["Link"] = "<\(address(after: next))>; rel=\"next\"" }
        return response
    }

    /// The filter of a list as text. A cursor is only valid with the filter it was created for.
    var filterText: String {
        head.query.filter { $0.name != "cursor" && $0.name != "limit" }
            .map { "&\(PercentCoding.encode($0.name))=\(PercentCoding.encode($0.value))" }.joined()
    }

    private func address(after cursor: String) -> String {
        let path = "/" + head.segments.map { PercentCoding.encode($0) }.joined(separator: "/")
        let limit = head.query("limit").map { "&limit=\(PercentCoding.encode($0))" } ?? ""
        return "\(path)?cursor=\(cursor)\(limit)\(filterText)"
    }
}

extension EntityTag {
    /// A strong tag that depends on these bytes only.
    init(hashing bytes: [UInt8]) { self.init(Base64URL.encode(Array(sha256(bytes).prefix(12)))) }
}
