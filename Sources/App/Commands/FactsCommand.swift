import DocumentParsing

/// `allesteurer facts`: prints the built-in words and chains, as an example for a file with more of them.
enum FactsCommand {
    static func run(_ program: Program, _ arguments: [String]) async throws -> Int32 {
        guard arguments.isEmpty else { throw UsageError(description: "takes no arguments") }
        Console.print(ChainFacts.builtInText.trimmed)
        return 0
    }
}
