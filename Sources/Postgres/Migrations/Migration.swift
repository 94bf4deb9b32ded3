import Glibc

/// A file `NNNN_name.sql` in `Migrations/`. It is never edited after it is merged.
package struct Migration: Sendable, Equatable {
    /// From 1, without gaps.
    package let number: Int
    /// The part of the file name between number and `.sql`; never empty.
    package let name: String
    /// The content of the file: any number of statements, UTF-8.
    package let script: String

    package init(number: Int, name: String, script: String) {
        self.number = number
        self.name = name
        self.script = script
    }

    /// Parses `NNNN_name.sql`; returns nil for any other form.
    static func parse(fileName: String) -> (number: Int, name: String)? {
        guard fileName.hasSuffix(".sql") else { return nil }
        let parts = fileName.dropLast(4).split(separator: "_", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count == 4, parts[0].utf8.allSatisfy({ (48...57).contains($0) }),
            let number = Int(parts[0]), number > 0, !parts[1].isEmpty
        else { return nil }
        return (number, String(parts[1]))
    }

    /// Reads all files of a directory, in order. Ignores names that begin with a dot.
    ///
    /// - Throws: `badName`, `badNumber` or `unreadable`.
    package static func read(directory: String) throws(MigrationError) -> [Migration] {
        var migrations: [Migration] = []
        for fileName in try fileNames(directory).sorted() where !fileName.hasPrefix(".") {
            guard let (number, name) = parse(fileName: fileName) else { throw .badName(fileName) }
            guard number == migrations.count + 1 else { throw .badNumber(fileName, expected: migrations.count + 1) }
            guard let script = contents(directory + "/" + fileName) else { throw .unreadable(fileName) }
            migrations.append(Migration(number: number, name: name, script: script))
        }
        guard !migrations.isEmpty else { throw .unreadable(directory) }
        return migrations
    }

    private static func fileNames(_ directory: String) throws(MigrationError) -> [String] {
        guard let handle = opendir(directory) else { throw .unreadable(directory) }
        defer { closedir(handle) }
        var names: [String] = []
        while let entry = readdir(handle) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names
    }

    private static func contents(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            guard count >= 0 else { return nil }
            guard count > 0 else { return String(validating: bytes, as: UTF8.self) }
            bytes.append(contentsOf: buffer[..<count])
        }
    }
}

/// The reason why migrations were not applied.
package enum MigrationError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A folder or file cannot be read, a folder has no migrations, or a file is not UTF-8.
    case unreadable(String)
    /// A file is not named `NNNN_name.sql`.
    case badName(String)
    /// The preceding number is missing, or two files have the same number.
    case badNumber(String, expected: Int)
    /// The file differs from the migration that was applied.
    case edited(Migration.Label)
    /// The database has a migration that is unknown to this program: it is from a newer version.
    case unknown(Migration.Label)
    /// Some migrations are not applied; run `allesteurer migrate`.
    case pending(count: Int)
    /// The role of the server does not exist.
    case missingRole(String)
    /// The script contains COMMIT or ROLLBACK, and so ended the transaction of the migration.
    case endedTransaction(Migration.Label)
    /// The script failed and was rolled back.
    case failed(Migration.Label, PostgresError)
    /// A statement outside the scripts failed.
    case database(PostgresError)

    package var description: String {
        switch self {
        case .unreadable(let path): "migrations: cannot read \(path)"
        case .badName(let file): "migrations: \(file) is not named NNNN_name.sql"
        case .badNumber(let file, let expected): "migrations: \(file) should have the number \(expected)"
        case .edited(let label): "migration \(label) was edited after it was applied; write a new one instead"
        case .unknown(let label): "the database has migration \(label), which this version does not know; upgrade first"
        case .pending(let count): "migrations that are not applied: \(count); run `allesteurer migrate`"
        case .missingRole(let role):
            "the role \(role) does not exist; a superuser creates it: CREATE ROLE \(role) LOGIN"
        case .endedTransaction(let label): "migration \(label) contains COMMIT or ROLLBACK, which is not allowed"
        case .failed(let label, let error): "migration \(label): \(error)"
        case .database(let error): "migrations: \(error)"
        }
    }
}

extension Migration {
    /// The name of a migration, such as `0007_receipt_lines`, without its script.
    package struct Label: Sendable, Equatable, CustomStringConvertible {
        /// From 1; displayed with four digits.
        package let number: Int
        /// Without number and extension.
        package let name: String

        package init(number: Int, name: String) {
            self.number = number
            self.name = name
        }

        package var description: String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "_" + name
        }
    }

    /// Number and name, such as `0007_receipt_lines`.
    package var label: Label { Label(number: number, name: name) }
}
