import HTTP

/// An error of the CouchDB interface, with the name that CouchDB uses for it.
struct CouchRefusal: Error, Sendable {
    let status: Status
    let error: String
    let reason: String

    init(_ status: Status, _ error: String, _ reason: String) {
        (self.status, self.error, self.reason) = (status, error, reason)
    }

    static let missing = CouchRefusal(.notFound, "not_found", "missing")
    static let deleted = CouchRefusal(.notFound, "not_found", "deleted")
    static let noDatabase = CouchRefusal(.notFound, "not_found", "Database does not exist.")
    static let conflict = CouchRefusal(.conflict, "conflict", "Document update conflict.")
    static func badRequest(_ reason: String) -> CouchRefusal { CouchRefusal(.badRequest, "bad_request", reason) }
    static func forbidden(_ reason: String) -> CouchRefusal { CouchRefusal(.forbidden, "forbidden", reason) }

    var response: Response { .json(status, CouchDocumentWriter.error(error, reason)) }
}
