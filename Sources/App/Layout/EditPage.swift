import HTTP
import Templates

/// The page model of a form that creates or changes a document.
protocol EditPage: PageModel {
    var errors: FieldErrors { get set }
    var problem: Problem? { get set }
    /// The revision in the submitted form, to detect later changes when the form is saved again; nil for the stored
    /// revision.
    var shownRevision: Int64? { get set }
    /// The revision of the stored document; nil for a new one.
    var storedRevision: Int64? { get }
}

extension FieldList where Model: EditPage {
    /// Declares `revision` for the hidden field of the form, `problem` and `errors`.
    mutating func formState() {
        text("revision") { page in (page.shownRevision ?? page.storedRevision).map { String($0) } ?? "" }
        optional("problem") { $0.problem }
        model("errors") { $0.errors }
    }
}

extension View where Model: EditPage {
    /// Saves a form and redirects to the path `list`. Returns the refused form if a field is invalid, or if `write`
    /// throws an error that `refusal` handles.
    ///
    /// - Parameters:
    ///   - model: the form as typed.
    ///   - result: the values of the form, nil if a field is invalid; the messages of the invalid fields.
    ///   - limit: the problem for `TooMany`.
    func save<Values>(
        _ model: Model, _ result: (values: Values?, errors: FieldErrors), for request: MemberRequest, list: String,
        limit: Problem, _ write: (Values) async throws -> Void
    ) async throws -> Response {
        let refused = try refused(model, result.errors, for: request)
        guard let values = result.values else {
            return response(refused, for: request, status: .unprocessableContent)
        }
        let answer = try await refusal(refused, for: request, list: list, limit: limit) { try await write(values) }
        return answer ?? Response.redirect(to: list).flashing(Flash("saved"))
    }

    /// Returns the form with the problem of invalid fields, and with the revision that was submitted.
    func refused(_ typed: Model, _ errors: FieldErrors, for request: MemberRequest) throws -> Model {
        var model = typed
        model.errors = errors
        model.problem = Problem.invalidFields(words(request))
        model.shownRevision = try request.form.optionalRevision()
        return model
    }

    /// Runs `write`. Returns nil if it succeeds, and the refused form if it throws `NameTaken`, `TooMany` or
    /// `Conflict`. Redirects to the path `list` if it throws `RepeatedForm`.
    ///
    /// - Parameters:
    ///   - refused: the form with the message for invalid fields.
    ///   - limit: the problem for `TooMany`.
    func refusal(
        _ refused: Model, for request: MemberRequest, list: String, limit: Problem,
        of write: () async throws -> Void
    ) async throws -> Response? {
        var model = refused
        do {
            try await write()
            return nil
        } catch is RepeatedForm {
            return .redirect(to: list).flashing(Flash("already"))
        } catch is NameTaken {
            model.errors["name"] = words(request)["server.form.name-taken"]
        } catch is TooMany {
            model.problem = limit
        } catch is Conflict {
            model.problem = Problem.changed(words(request))
            model.shownRevision = nil
            return response(model, for: request, status: .conflict)
        }
        return response(model, for: request, status: .unprocessableContent)
    }
}
