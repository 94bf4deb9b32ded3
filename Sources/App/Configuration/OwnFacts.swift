import DocumentParsing

/// Further words and chains of receipts, from the file `ALLESTEURER_FACTS`.
enum OwnFacts {
    /// The largest size of the file in bytes.
    static let limit = 1 << 20

    /// The built-in facts with those of the file at `path`.
    ///
    /// - Throws: `ConfigError` with the number of the line.
    static func added(from path: String?) throws(ConfigError) -> ChainFacts {
        guard let path else { return .builtIn }
        let own: ChainFacts
        do {
            own = try read(path)
        } catch {
            throw ConfigError(description: "ALLESTEURER_FACTS: \(error.description)")
        }
        // The names of chains in the database are those of the built-in facts; a file must not change them.
        if let chain = own.namings.first(where: { $0.chain != $0.naming })?.chain {
            throw ConfigError(
                description: "ALLESTEURER_FACTS: naming (of \(chain)) is allowed only in the built-in facts")
        }
        return ChainFacts.builtIn.adding(own)
    }

    /// Only the facts of a file.
    ///
    /// - Throws: `UsageError` with the number of the line.
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
            throw UsageError(description: "\(path), line \(line): not a fact; see allesteurer facts")
        }
    }
}
