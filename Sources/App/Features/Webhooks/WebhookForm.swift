import HTTP
import HTTPClient
import Templates

/// The valid values of a new webhook.
struct WebhookValues: Sendable {
    let url: String
    let events: [WebhookEvent]
    let pricePercent: Int32

    static let percents: ClosedRange<Int64> = 1...1000
    static let usualPercent: Int32 = 10
}

/// The reason why an address is not accepted; the text key is `server.webhook.url-<rawValue>`.
enum WebhookURLFault: String, Error {
    case malformed
    /// Plain HTTP is allowed in private networks only.
    case insecure
    /// The address is in a private network.
    case forbidden

    /// - Returns: the address in normalised form.
    static func check(_ text: String, allowsPrivateNetworks: Bool) throws(WebhookURLFault) -> String {
        // Checks the normalised form, too: the slash of an empty path can make it one character longer.
        guard let url = OutgoingURL(text), url.description.utf8.count <= OutgoingURL.maximumLength else {
            throw .malformed
        }
        if allowsPrivateNetworks { return url.description }
        guard url.isSecure else { throw .insecure }
        if let address = OutgoingAddress(url.host), !address.isPublic { throw .forbidden }
        return url.description
    }

    /// The message for API clients.
    var detail: String {
        switch self {
        case .malformed: "must be an HTTPS address without a user name or fragment"
        case .insecure: "must use HTTPS"
        case .forbidden: "must not be in a private network"
        }
    }
}

/// The submitted form for a new webhook.
struct WebhookForm: Sendable {
    var url = ""
    var events: Set<WebhookEvent> = [.receiptConfirmed]
    var percent = String(WebhookValues.usualPercent)
    var errors = FieldErrors()

    init() {}

    init(_ form: FormFields) {
        url = form.trimmed("url") ?? ""
        events = Set(WebhookEvent.allCases.filter { form[$0.formName] != nil })
        percent = form.trimmed("percent") ?? ""
    }

    /// Checks the fields. If a field is invalid, records the errors and returns nil.
    mutating func values(allowsPrivateNetworks: Bool, _ words: LanguageTexts) -> WebhookValues? {
        var address = ""
        do {
            address = try WebhookURLFault.check(url, allowsPrivateNetworks: allowsPrivateNetworks)
        } catch {
            errors["url"] = url.isEmpty ? words["server.form.required"] : words["server.webhook.url-\(error.rawValue)"]
        }
        if events.isEmpty { errors["events"] = words["server.webhook.no-event"] }
        let number = percent.utf8.allSatisfy { (48...57).contains($0) } ? Int64(percent) : nil
        if number.map({ !WebhookValues.percents.contains($0) }) ?? true {
            errors["percent"] = words["server.webhook.percent"]
        }
        guard errors.isEmpty, let number else { return nil }
        return WebhookValues(
            url: address, events: WebhookEvent.allCases.filter(events.contains), pricePercent: Int32(number))
    }
}
