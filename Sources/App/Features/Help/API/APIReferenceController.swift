import HTTP
import JSON
import Templates

/// The API reference as an OpenAPI document and as a page, and the schemas of sync documents.
struct APIReferenceController: Sendable {
    private let description: APIDescription
    private let page: View<APIReferencePage>

    init(_ views: Views) throws {
        description = views.api
        page = try views.page("help/api", APIReferencePage.self)
    }

    func register(_ routes: inout Routes) throws {
        try routes.withoutSession("/api/v1/openapi.json", "APIReferenceController.document") { head in
            Self.answer(head, description.bytes, description.tag, type: "application/json")
        }
        for schema in DocumentSchema.all {
            let bytes = schema.jsonSchema.bytes
            let tag = EntityTag(hashing: bytes)
            try routes.withoutSession(schema.address, "APIReferenceController.\(schema.type.rawValue)Schema") { head in
                Self.answer(head, bytes, tag, type: "application/schema+json")
            }
        }
        try routes.visitor(.get, "/help/api", "APIReferenceController.show") { request in
            page.response(
                APIReferencePage(groups: description.groups, canTry: request.member != nil), for: request)
        }
    }

    /// Sends a document, or 304 if the client has it. Needs no key, because the document contains nothing about a
    /// household.
    private static func answer(_ head: RequestHead, _ bytes: [UInt8], _ tag: EntityTag, type: String) -> Response {
        var response = Response.json(bytes)
        response.headers[.contentType] = type
        response.headers[.etag] = tag.description
        response.headers[.cacheControl] = "no-cache"
        if head.isFresh(tag) { (response.status, response.body) = (.notModified, .none) }
        return response
    }
}
