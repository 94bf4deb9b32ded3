import HTTP

/// The types of API errors. The raw value is the end of the problem's `type` URI and must not change.
enum ProblemType: String, Sendable, CaseIterable {
    case badRequest = "bad-request"
    case malformedJSON = "malformed-json"
    case invalidCursor = "invalid-cursor"
    case unauthorized
    case forbidden
    case missingScope = "missing-scope"
    case foreignForm = "foreign-form"
    case notFound = "not-found"
    case methodNotAllowed = "method-not-allowed"
    case notAcceptable = "not-acceptable"
    case tooSlow = "too-slow"
    case conflict
    case stillReading = "still-reading"
    case requestInProgress = "request-in-progress"
    case preconditionFailed = "precondition-failed"
    case preconditionRequired = "precondition-required"
    case tooLarge = "too-large"
    case unsupported
    case invalidFields = "invalid-fields"
    case keyReused = "idempotency-key-reused"
    case tooMany = "too-many"
    case internalError = "internal"
    case busy
    case unavailable
    case uncertain
    case diskFull = "disk-full"

    /// The path of the problem's description.
    var reference: String { "/help/api#problem-\(rawValue)" }

    /// The English title, the same for all problems of the type.
    var title: String {
        switch self {
        case .badRequest: "The request is malformed."
        case .malformedJSON: "The body is not valid JSON."
        case .invalidCursor: "The cursor is not valid for this request."
        case .unauthorized: "A valid key is required."
        case .forbidden: "The role of the member does not permit this."
        case .missingScope: "The key does not have the required scope."
        case .foreignForm: "The request did not come from a page of this server."
        case .notFound: "The resource does not exist."
        case .methodNotAllowed: "The resource does not support this method."
        case .notAcceptable: "No representation matches the Accept field."
        case .tooSlow: "The body arrived too slowly."
        case .conflict: "The request conflicts with the current state."
        case .stillReading: "The receipt is being read."
        case .requestInProgress: "The first request with this Idempotency-Key is still running."
        case .preconditionFailed: "The resource has changed."
        case .preconditionRequired: "If-Match is required."
        case .tooLarge: "The body is too large."
        case .unsupported: "The type of the body is not supported."
        case .invalidFields: "Fields of the body are not valid."
        case .keyReused: "The Idempotency-Key belongs to another request."
        case .tooMany: "Too many requests."
        case .internalError: "The server failed."
        case .busy: "The server is busy."
        case .unavailable: "The database cannot be reached."
        case .uncertain: "It is not known whether the request was executed."
        case .diskFull: "The server has no space left."
        }
    }

    /// The type of a refusal: the type that has the name of the refusal's key or, if there is none, the type for the
    /// refusal's status.
    init(_ refusal: Refusal) {
        if let type = ProblemType(rawValue: Self.kebabCase(refusal.key)) {
            self = type
            return
        }
        self =
            switch refusal.status.code {
            case 401: .unauthorized
            case 403: .forbidden
            case 404, 410: .notFound
            case 405: .methodNotAllowed
            case 406: .notAcceptable
            case 408: .tooSlow
            case 409: .conflict
            case 412: .preconditionFailed
            case 413: .tooLarge
            case 415: .unsupported
            case 422: .invalidFields
            case 428: .preconditionRequired
            case 429: .tooMany
            case 503: .unavailable
            case 507: .diskFull
            case 500...599: .internalError
            default: .badRequest
            }
    }

    /// Converts `stillReading` to `still-reading`.
    private static func kebabCase(_ key: String) -> String {
        key.reduce(into: "") { text, character in
            if character.isUppercase { text.append("-") }
            text.append(character.lowercased())
        }
    }
}
