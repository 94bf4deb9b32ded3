/// A command of the program `allesteurer`, such as `serve`.
struct Command: Sendable {
    let name: String
    /// The command with its arguments, for usage messages.
    let synopsis: String
    /// What the command does, for `--help`.
    let summary: String
    /// Runs the command with its arguments. Returns the exit status.
    let run: @Sendable (Program, [String]) async throws -> Int32

    init(
        _ name: String, _ synopsis: String, _ summary: String,
        _ run: @escaping @Sendable (Program, [String]) async throws -> Int32
    ) {
        self.name = name
        self.synopsis = synopsis
        self.summary = summary
        self.run = run
    }
}
