import Domain
import HTTPClient
import Templates

/// The model of the view `webhooks/index`.
struct WebhooksPage: PageModel {
    let new: NewWebhook?
    let problem: Problem?
    let webhooks: [WebhookRow]
    let form: WebhookForm
    let words: LanguageTexts

    /// A new webhook with its secret, which is shown once.
    struct NewWebhook: PageModel {
        let url: String
        let secret: String

        static let fields = Fields<Self> { f in
            f.text("url") { $0.url }
            f.text("secret") { $0.secret }
        }
    }

    struct WebhookRow: PageModel {
        let webhook: StoredWebhook
        let words: LanguageTexts
        let language: Language

        static let fields = Fields<Self> { f in
            f.text("href") { "/settings/webhooks/\($0.webhook.id)" }
            f.text("url") { $0.webhook.url }
            f.text("events") { $0.webhook.sentence($0.words) }
            f.optionalText("delivered") { page in
                page.webhook.lastDeliveredAt.map { DisplayDate.dayAndTime($0, page.language) }
            }
            f.optionalText("addedBy") { $0.webhook.addedByName }
            f.flag("isPaused") { $0.webhook.isPaused }
            f.flag("hasDead") { $0.webhook.deadCount > 0 }
            f.text("dead") { String($0.webhook.deadCount) }
        }
    }

    struct Event: PageModel {
        let name: String
        let label: String
        let isChecked: Bool

        static let fields = Fields<Self> { f in
            f.text("name") { $0.name }
            f.text("label") { $0.label }
            f.flag("isChecked") { $0.isChecked }
        }
    }

    static let fields = Fields<Self> { f in
        f.optional("new") { $0.new }
        f.optional("problem") { $0.problem }
        f.flag("hasWebhooks") { !$0.webhooks.isEmpty }
        f.list("webhooks") { $0.webhooks }
        f.text("url") { $0.form.url }
        f.text("percent") { $0.form.percent }
        f.list("events") { page in
            WebhookEvent.allCases.map { event in
                Event(
                    name: event.formName, label: page.words["server.webhook.event.\(event.formName)"],
                    isChecked: page.form.events.contains(event))
            }
        }
        f.model("errors") { $0.form.errors }
    }
}

/// The model of the view `webhooks/show`: a webhook and its deliveries.
struct WebhookPage: PageModel {
    let webhook: StoredWebhook
    let deliveries: [StoredDelivery]
    let words: LanguageTexts
    let language: Language

    struct Delivery: PageModel {
        let delivery: StoredDelivery
        let sendAction: String
        let canSendAgain: Bool
        let words: LanguageTexts
        let language: Language

        static let fields = Fields<Self> { f in
            f.text("event") { $0.words["server.webhook.event.\($0.delivery.event.replacing(".", with: "-"))"] }
            f.text("when") { DisplayDate.dayAndTime($0.delivery.createdAt, $0.language) }
            f.flag("isDelivered") { $0.delivery.state == .delivered }
            f.flag("isDead") { $0.delivery.state == .dead }
            f.flag("canSendAgain") { $0.canSendAgain }
            f.flag("isWaiting") { $0.delivery.state == .waiting }
            f.optionalText("answer") { page in
                page.delivery.status.map { page.words["server.webhook.status", ["status": .number(String($0))]] }
                    ?? page.delivery.error.map { Self.sentence($0, page.words) }
            }
            f.optionalText("tried") { page in
                page.delivery.lastTriedAt.map { DisplayDate.dayAndTime($0, page.language) }
            }
            f.text("attempts") { String($0.delivery.attempts) }
            f.text("sendAction") { $0.sendAction }
        }

        /// The last part of the text key for each error.
        private static let sentences = [
            "\(ClientError.unknownHost)": "unknown-host", "\(ClientError.forbiddenAddress)": "forbidden-address",
            "\(ClientError.notReachable)": "not-reachable", "\(ClientError.timedOut)": "timed-out",
            "\(ClientError.malformedAnswer)": "malformed-answer", WebhookWorker.paused: "paused",
        ]

        /// Returns the sentence for a failed delivery. All TLS errors share one sentence, because they contain English
        /// text from OpenSSL.
        private static func sentence(_ error: String, _ words: LanguageTexts) -> String {
            guard let key = sentences[error] else {
                return words["server.webhook.error-secure", ["reason": .text(error)]]
            }
            return words["server.webhook.error.\(key)"]
        }
    }

    static let fields = Fields<Self> { f in
        f.text("href") { "/settings/webhooks/\($0.webhook.id)" }
        f.text("url") { $0.webhook.url }
        f.text("events") { $0.webhook.sentence($0.words) }
        f.optionalText("addedBy") { $0.webhook.addedByName }
        f.flag("isPaused") { $0.webhook.isPaused }
        f.flag("hasDeliveries") { !$0.deliveries.isEmpty }
        f.list("deliveries") { page in
            page.deliveries.map { delivery in
                Delivery(
                    delivery: delivery,
                    sendAction: "/settings/webhooks/\(page.webhook.id)/deliveries/\(delivery.id)/sending",
                    canSendAgain: delivery.state == .dead && !page.webhook.isPaused, words: page.words,
                    language: page.language)
            }
        }
    }
}

extension StoredWebhook {
    /// Lists the events of the webhook as text.
    func sentence(_ words: LanguageTexts) -> String {
        events.map { event in
            event == .priceRose
                ? words["server.webhook.price", ["percent": .number(String(pricePercent))]]
                : words["server.webhook.event.\(event.formName)"]
        }.joined(separator: ", ")
    }
}
