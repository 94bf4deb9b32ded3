import HTTP
import Templates

/// The page model of a form that creates or changes a document.
protocol EditPage: PageModel {
    var errors: FieldErrors { get set }
    var problem: Problem? { get set }
    /// The revision in the submitted form, to detect later changes when the form is saved again; nil for the stored
    /// revision.
    var shownRevision: Int64? { get set }
}

extension View where Model: EditPage {
    /// Runs `write`. Returns nil if it succeeds, and the refused form if it throws `NameTaken`, `TooMany` or
    /// `Conflict`.
    ///
    /// - Parameters:
    ///   - refused: the form with the message for invalid fields.
    ///   - limit: the problem for `TooMany`.
    func refusal(
        _ refused: Model, for request: MemberRequest, limit: Problem, of write: () async throws -> Void
    ) async throws -> Response? {
        var model = refused
        do {
            try await write()
            return nil
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
