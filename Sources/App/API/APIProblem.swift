import HTTP

/// An API error with more detail than a `Refusal`. Handlers throw it; the pipeline converts it to a document.
struct APIProblem: Error, Sendable {
    let status: Status
    let type: ProblemType
    /// The explanation, in English or in the member's language.
    var detail: String?
    /// Errors of single fields.
    var fields: [Field] = []
    var headers = Headers()

    /// An invalid field of the body.
    struct Field: Sendable, Equatable {
        /// The name of the field; for a line of a receipt `lines/0/total`.
        let name: String
        let detail: String
    }

    init(
        _ status: Status, _ type: ProblemType, _ detail: String? = nil, fields: [Field] = [],
        headers: Headers = Headers()
    ) {
        (self.status, self.type, self.detail, self.fields, self.headers) = (status, type, detail, fields, headers)
    }

    /// The maximum number of field errors in one answer.
    static let maximumFields = 50
    /// The maximum length of a field's name in an answer. A client can send unknown fields with names of any length.
    static let maximumNameCharacters = 200

    /// 422: some fields are invalid. The answer lists only the first `maximumFields` errors.
    static func invalid(_ fields: [Field]) -> APIProblem {
        let listed = fields.prefix(maximumFields).map {
            Field(name: $0.name.cut(to: maximumNameCharacters), detail: $0.detail)
        }
        return APIProblem(
            .unprocessableContent, .invalidFields,
            fields.count > maximumFields ? "Only the first \(maximumFields) errors are listed." : nil, fields: listed)
    }

    /// 422: one field is invalid.
    static func invalid(_ name: String, _ detail: String) -> APIProblem {
        invalid([Field(name: name, detail: detail)])
    }

    /// 401: the key is missing or invalid.
    static func unauthorized(_ head: RequestHead) -> APIProblem {
        // Browsers would show a password dialog for a Basic challenge, so only other clients get one.
        let isBrowser = head.headers.contains("Sec-Fetch-Mode")
        let challenge = "Bearer realm=\"AllesTeurer\"" + (isBrowser ? "" : ", Basic realm=\"AllesTeurer\"")
        return APIProblem(.unauthorized, .unauthorized, headers: ["WWW-Authenticate": challenge])
    }

    /// 403: the key lacks a scope.
    static func missing(_ scope: KeyScope) -> APIProblem {
        APIProblem(.forbidden, .missingScope, "The scope \(scope.rawValue) is required.")
    }
}
