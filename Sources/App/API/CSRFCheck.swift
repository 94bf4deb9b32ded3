import Crypto

/// Checks the CSRF token that scripts of our own pages send with requests to the API.
enum CSRFCheck {
    /// - Parameter secret: the CSRF secret of the session.
    static func accepts(_ token: String?, secret: [UInt8]) -> Bool {
        guard let token, let key = SecretKey(secret) else { return false }
        return CSRFTokens(key: key).isValid(token, session: secret)
    }
}
