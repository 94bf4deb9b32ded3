import DocumentParsing

/// A household's additions to what is known of receipts: `ALLESTEURER_FACTS`.
enum OwnFacts {
    /// The file's size in bytes, at most.
    static let limit = 1 << 20

    /// The program's facts, and those of the file at `path` added.
    ///
    /// - Throws: `ConfigError` that names the line.
    static func added(from path: String?) throws(ConfigError) -> ChainFacts {
        guard let path else { return .builtIn }
        let own: ChainFacts
        do {
            own = try read(path)
        } catch {
            throw ConfigError(description: "ALLESTEURER_FACTS: \(error.description)")
        }
        // Names that stores go by were decided when the program was built: a shop's own chain keeps its own names.
        if let chain = own.namings.first(where: { $0.chain != $0.naming })?.chain {
            throw ConfigError(description: "ALLESTEURER_FACTS: naming, at \(chain), is for the program's own file")
        }
        return ChainFacts.builtIn.adding(own)
    }

    /// The facts of a file alone.
    ///
    /// - Throws: `UsageError` that names the line.
    static func read(_ path: String) throws(UsageError) -> ChainFacts {
        guard let bytes = FileContent.read(path, limit: limit) else {
            throw UsageError(description: "\(path) cannot be read, or is larger than 1 MiB")
        }
        do {
            return try ChainFacts(parsing: String(decoding: bytes, as: UTF8.self))
        } catch {
            let line =
                switch error {
                case .line(let number): number
                }
            throw UsageError(description: "\(path), line \(line): this is no fact; allesteurer facts prints some")
        }
    }
}
