import DocumentParsing

/// Additional facts for parsing receipts (words and store chains) from the file `ALLESTEURER_FACTS`.
enum OwnFacts {
    /// The maximum size of a file in bytes.
    static let limit = 1 << 20

    /// Returns the built-in facts and those of the file at `path`.
    ///
    /// - Throws: `ConfigError` with the path or the line number.
    static func added(from path: String?) throws(ConfigError) -> ChainFacts {
        guard let path else { return .builtIn }
        let own: ChainFacts
        do {
            own = try read(path)
        } catch {
            throw ConfigError(description: "ALLESTEURER_FACTS: \(error.description)")
        }
        // The names of chains in the database are derived from the built-in facts, so a file must not change them.
        if let chain = own.namings.first(where: { $0.chain != $0.naming })?.chain {
            throw ConfigError(
                description: "ALLESTEURER_FACTS: \(chain) has the fact naming, which only built-in chains may have")
        }
        return ChainFacts.builtIn.adding(own)
    }

    /// Returns the facts of a file, without the built-in facts.
    ///
    /// - Throws: `UsageError` with the path, and with the line number of a malformed fact.
    static func read(_ path: String) throws(UsageError) -> ChainFacts {
        guard let bytes = FileContent.read(path, limit: limit) else {
            throw UsageError(description: "cannot read \(path), or it is larger than 1 MiB")
        }
        do {
            return try ChainFacts(parsing: String(decoding: bytes, as: UTF8.self))
        } catch {
            let line =
                switch error {
                case .line(let number): number
                }
            throw UsageError(description: "\(path), line \(line): not a fact; `allesteurer facts` prints the format")
        }
    }
}
