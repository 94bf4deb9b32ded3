import HTTP

extension UploadRefusal {
    /// The error for clients of the API.
    ///
    /// - Parameter detail: a sentence in the member's language.
    func problem(_ detail: String? = nil) -> APIProblem {
        let type: ProblemType =
            switch self {
            case .empty, .damaged, .tooManyPixels: .invalidFields
            case .unsupported: .unsupported
            case .tooLarge: .tooLarge
            case .full: .tooMany
            }
        return APIProblem(status, type, detail, headers: self == .full ? ["Retry-After": "60"] : Headers())
    }
}
