/// Wrong usage of a command.
struct UsageError: Error {
    let description: String
}
