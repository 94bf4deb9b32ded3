/// Wrong arguments of a command.
struct UsageError: Error {
    let description: String
}
