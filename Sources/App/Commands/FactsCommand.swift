import DocumentParsing

/// `allesteurer facts`: prints the built-in facts (words on receipts, store chains) in the format of
/// `ALLESTEURER_FACTS`.
enum FactsCommand {
    static func run(_ program: Program, _ arguments: [String]) async throws -> Int32 {
        guard arguments.isEmpty else { throw UsageError(description: "takes no arguments") }
        Console.print(ChainFacts.builtInText.trimmed)
        return 0
    }
}
