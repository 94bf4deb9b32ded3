import HTTP

/// Hides the amounts of expenses and receipts in the browser that requests it, until the person shows them again.
struct HiddenAmounts: Sendable {
    private static let cookie = "amounts"
    /// The lifetime of the cookie in seconds, the longest that browsers allow.
    private static let lifetime = 400 * 86_400

    static func isSet(_ head: RequestHead) -> Bool { head.cookie("__Host-" + cookie) == "hidden" }

    func register(_ routes: inout Routes) throws {
        try routes.member(.post, "/expenses/amounts", "HiddenAmounts.change", role: .viewer, change)
    }

    private func change(_ request: MemberRequest) async throws -> Response {
        let hides = request.form["hide"] != nil
        var response = Response.redirect(to: Redirect.ownPath(request.form["back"]))
        response.headers.append(
            SetCookie(host: Self.cookie, value: hides ? "hidden" : "", maxAge: hides ? Self.lifetime : 0))
        return response
    }
}
