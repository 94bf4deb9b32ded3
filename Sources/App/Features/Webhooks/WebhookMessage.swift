import Crypto
import Domain
import JSON

/// The messages that are sent to webhooks: JSON with identifiers and amounts, signed with the webhook's secret.
enum WebhookMessage {
    /// - Parameter data: writes the members of `data`.
    static func body(
        _ id: DeliveryID, _ event: String, _ household: HouseholdID, at microseconds: Int64,
        _ data: (inout JSONWriter) -> Void
    ) -> String {
        var json = JSONWriter()
        json.object { json in
            json.member("id", id.description)
            json.member("event", event)
            json.member("created_at", WallClock.iso(microseconds))
            json.member("household", household.description)
            json.object("data") { data(&$0) }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// Returns the value of the field `AllesTeurer-Signature`: the HMAC-SHA-256 of the time, a dot and the body. The
    /// key is the secret as text.
    ///
    /// - Parameter time: seconds since 1970. Receivers use it to reject old messages.
    static func signature(of body: String, secret: String, time: Int64) -> String? {
        guard let key = SecretKey(Array(secret.utf8)) else { return nil }
        let code = key.authenticationCode(Array("\(time).\(body)".utf8))
        return "t=\(time),v1=\(Hexadecimal.encode(code))"
    }

    /// Returns a new secret: a prefix and 256 random bits.
    static func newSecret() -> String { "whs_" + Token.random().secret }
}
