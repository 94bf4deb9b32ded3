import HTTP

extension Response {
    /// Runs an action that deletes the document at `path`. Redirects to the path `list`, with a button that undoes the
    /// deletion. Returns `changed` if the action throws `Conflict`.
    static func removed(
        _ path: String, list: String, changed: Response, _ action: () async throws -> Void
    ) async throws -> Response {
        do {
            try await action()
        } catch is Conflict {
            return changed
        }
        return .redirect(to: list).flashing(Flash("removed", undo: "\(path)/restoration"))
    }
}
