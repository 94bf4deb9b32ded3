import Domain
import HTTP
import JSON

/// Members in the API.
struct MemberAPI: Sendable {
    func register(_ routes: inout Routes) throws {
        try routes.client(.get, "/api/v1/members/me", "MemberAPI.me", scope: .read, me)
    }

    /// The owner of the key: what a client shows after it was set up, and the household that its addresses name.
    private func me(_ request: ClientRequest) async throws -> Response {
        let member = request.member
        var json = JSONWriter()
        json.object { json in
            json.member("id", member.person.description)
            json.member("name", member.name)
            json.member("role", member.role.rawValue)
            json.member("language", member.language.rawValue)
            json.member("household", member.household.description)
            json.member("country", member.country.rawValue)
            json.array("scopes") { json in
                for scope in KeyScope.allCases where request.client.scopes.contains(scope) {
                    json.value(scope.rawValue)
                }
            }
        }
        return request.answer(json)
    }
}
