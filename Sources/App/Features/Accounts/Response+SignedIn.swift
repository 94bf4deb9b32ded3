import HTTP

extension Response {
    /// Redirects and sets the cookie of a new session.
    static func signedIn(_ cookie: SetCookie, to path: String) -> Response {
        var response = redirect(to: path)
        response.headers.append(cookie)
        return response
    }

    /// Keeps the page's URL out of the Referer field, for pages whose URL is a secret.
    func withoutReferrer() -> Response {
        var response = self
        response.headers["Referrer-Policy"] = "no-referrer"
        return response
    }
}
