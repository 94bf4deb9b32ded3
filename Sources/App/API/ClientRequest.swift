import Crypto
import Domain
import HTTP
import JSON

/// A request of an authenticated caller of the API. The caller has the scope and the role that the route requires.
package struct ClientRequest: Sendable {
    /// Validated; as the client sent it to a trusted proxy.
    package let head: RequestHead
    /// The values of the pattern's names, decoded and not validated.
    package let parameters: RouteParameters
    /// For `stream` routes, which read it themselves.
    package let body: RequestBody
    /// The body of a `json` route; else null.
    package let json: JSONValue
    let client: APIClient

    /// The owner of the key, or the signed-in member.
    package var member: Member { client.member }
    /// The member's household. Every query names it.
    package var household: HouseholdID { member.household }
    /// The member's own choice.
    package var language: Language { member.language }

    /// The identifier in a path segment. A segment that is not an identifier is answered like an unknown one.
    ///
    /// - Throws: `Refusal.notFound`.
    package func identifier<Tag>(_ name: String) throws -> Identifier<Tag> {
        guard let text = parameters[name], let identifier = Identifier<Tag>(text) else { throw Refusal.notFound }
        return identifier
    }

    /// The household in the path, which has to be the caller's own.
    ///
    /// - Throws: `Refusal.notFound` for any other one, whether it exists or not.
    package func requireOwnHousehold(_ name: String = "household") throws {
        let named: HouseholdID = try identifier(name)
        guard named == household else { throw Refusal.notFound }
    }

    /// The members of a JSON body.
    ///
    /// - Throws: `APIProblem` if the body is not an object.
    func object() throws -> JSONObject {
        guard let object = json.object else {
            throw APIProblem(.badRequest, .malformedJSON, "The body must be a JSON object.")
        }
        return object
    }

    /// Refuses fields in a body that has none.
    func requireEmptyObject() throws {
        var fields = JSONFields(try object())
        try fields.finish()
    }

    /// A value of the query; nil without it.
    ///
    /// - Throws: `APIProblem` if `parse` does not know it.
    func query<Value>(_ name: String, _ parse: (String) -> Value?) throws -> Value? {
        guard let text = head.query(name) else { return nil }
        guard let value = parse(text) else {
            throw APIProblem(.badRequest, .badRequest, "The parameter \(name) is not valid.")
        }
        return value
    }

    /// A whole number of the query.
    ///
    /// - Throws: `APIProblem` for anything else or a number out of the range.
    func number(_ name: String, _ range: ClosedRange<Int>, default fallback: Int) throws -> Int {
        guard let text = head.query(name) else { return fallback }
        guard text.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int(text), range.contains(number) else {
            throw APIProblem(
                .badRequest, .badRequest, "\(name) must be a number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    // MARK: Conditions

    /// The validator of a document: its revision.
    static func tag(_ revision: Int64) -> EntityTag { EntityTag(String(revision)) }

    /// The revision in `If-Match`, which every change of a document requires.
    ///
    /// - Throws: `APIProblem` 428 without the field or its value; 412 if it names no revision or a later one than `current`.
    func requireMatch(_ current: Int64) throws {
        guard let field = head.headers[.ifMatch], !field.isEmpty else {
            throw APIProblem(
                .preconditionRequired, .preconditionRequired, "Send the ETag of the resource in If-Match.",
                headers: ["ETag": Self.tag(current).description])
        }
        // A weak tag names the same revision: compression weakens it on the way.
        let isCurrent =
            switch EntityTag.Condition(field) {
            case .any: true
            case .oneOf(let tags): tags.contains { $0.value == String(current) }
            case nil: false
            }
        guard isCurrent else {
            throw APIProblem(
                .preconditionFailed, .preconditionFailed, headers: ["ETag": Self.tag(current).description])
        }
    }

    // MARK: Answers

    /// Answers with a document, or with 304 if the client has it already.
    ///
    /// - Parameter revision: of the document; without one the tag is computed from its bytes.
    func answer(_ document: JSONWriter, revision: Int64? = nil, status: Status = .ok) -> Response {
        let tag =
            revision.map(Self.tag) ?? EntityTag(Base64URL.encode(Array(sha256(document.bytes).prefix(12))))
        var response = Response.json(status, document.bytes)
        response.headers[.etag] = tag.description
        response.headers[.cacheControl] = "private, no-cache"
        if status == .ok, head.isFresh(tag) {
            (response.status, response.body) = (.notModified, .none)
            response.headers.remove(.contentType)
        }
        return response
    }

    /// Answers with one page of a list.
    ///
    /// - Parameter next: the cursor of the next page; nil on the last one.
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

    /// The filter of a list, for its cursors: a cursor is valid only with the filter that it was made for.
    var listName: String {
        head.query.filter { $0.name != "cursor" && $0.name != "limit" }
            .map { "&\(PercentCoding.encode($0.name))=\(PercentCoding.encode($0.value))" }.joined()
    }

    private func address(after cursor: String) -> String {
        let path = "/" + head.segments.map { PercentCoding.encode($0) }.joined(separator: "/")
        let limit = head.query("limit").map { "&limit=\(PercentCoding.encode($0))" } ?? ""
        return "\(path)?cursor=\(cursor)\(limit)\(listName)"
    }
}
