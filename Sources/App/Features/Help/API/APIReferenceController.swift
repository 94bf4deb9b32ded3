import HTTP
import Templates

/// The description of the API: as an OpenAPI document, and as a page.
struct APIReferenceController: Sendable {
    private let description: APIDescription
    private let page: View<APIReferencePage>

    init(_ views: Views) throws {
        description = views.api
        page = try views.page("help/api", APIReferencePage.self)
    }

    func register(_ routes: inout Routes) throws {
        try routes.bare("/api/v1/openapi.json", "APIReferenceController.document") { head in document(head) }
        try routes.visitor(.get, "/help/api", "APIReferenceController.show") { request in
            page.response(
                APIReferencePage(groups: description.groups, canTry: request.member != nil), for: request)
        }
    }

    /// Needs no key: it says nothing about the household.
    private func document(_ head: RequestHead) -> Response {
        var response = Response.json(description.bytes)
        response.headers[.etag] = description.tag.description
        response.headers[.cacheControl] = "no-cache"
        if head.isFresh(description.tag) { (response.status, response.body) = (.notModified, .none) }
        return response
    }
}
