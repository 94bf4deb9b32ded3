import Crypto
import Domain
import JSON

/// The first file of an archive: its scope and the program that wrote it.
package struct ArchiveHead: Equatable, Sendable {
    /// The version of the archive format that this program reads and writes.
    package static let format = 1

    /// Version of the program that wrote the archive.
    package var program: String
    /// Number of the last migration of the database.
    package var schema: Int
    /// The uuid of the installation that wrote the archive.
    package var installation: Identifier<Void>
    /// The time of creation in seconds since 1970 UTC.
    package var madeAt: Int64
    package var scope: Scope
    /// The households in the order of the archive.
    package var households: [Household]
    /// The salt of the key derivation: 16 bytes.
    package var salt: [UInt8]

    package enum Scope: String, Sendable {
        /// All people and households, with the hashes of passwords.
        case installation
        /// One household and the people who are named in it, without passwords.
        case household
    }

    package struct Household: Equatable, Sendable {
        package let id: Identifier<Void>
        package let name: String

        package init(id: Identifier<Void>, name: String) {
            self.id = id
            self.name = name
        }
    }

    package init(
        program: String, schema: Int, installation: Identifier<Void>, madeAt: Int64, scope: Scope,
        households: [Household], salt: [UInt8]
    ) {
        self.program = program
        self.schema = schema
        self.installation = installation
        self.madeAt = madeAt
        self.scope = scope
        self.households = households
        self.salt = salt
    }

    package var json: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("format", Int64(Self.format))
            json.member("program", program)
            json.member("schema", Int64(schema))
            json.member("installation", installation.description)
            json.member("made_at", madeAt)
            json.member("scope", scope.rawValue)
            json.array("households") { json in
                for household in households {
                    json.object { json in
                        json.member("id", household.id.description)
                        json.member("name", household.name)
                    }
                }
            }
            json.member("salt", Hexadecimal.encode(salt))
        }
        return json.bytes + [0x0A]
    }

    /// - Throws: `ArchiveError`; `newer` for a later format.
    init(json bytes: [UInt8]) throws(ArchiveError) {
        let value: JSONValue
        do {
            value = try JSONValue(reading: bytes, limits: JSONLimits(size: ArchiveLimits.head, depth: 4))
        } catch {
            throw .damaged("head.json")
        }
        guard let format = value["format"]?.integer else { throw .damaged("head.json") }
        guard format <= Self.format else { throw .newer("format \(format)") }
        guard format == Self.format, let program = value["program"]?.string, let schema = value["schema"]?.integer,
            let installation = value["installation"]?.string.flatMap({ Identifier<Void>($0) }),
            let madeAt = value["made_at"]?.integer, let scope = value["scope"]?.string.flatMap(Scope.init(rawValue:)),
            let households = value["households"]?.array,
            let salt = value["salt"]?.string.flatMap({ Hexadecimal.decode($0) }),
            salt.count == 16, (1...99_999).contains(schema), program.utf8.count <= 100
        else { throw .damaged("head.json") }
        self.init(
            program: program, schema: Int(schema), installation: installation, madeAt: madeAt, scope: scope,
            households: [], salt: salt)
        var knownIdentifiers: Set<Identifier<Void>> = []
        for household in households {
            guard let id = household["id"]?.string.flatMap({ Identifier<Void>($0) }),
                let name = household["name"]?.string, knownIdentifiers.insert(id).inserted
            else { throw .damaged("head.json") }
            self.households.append(Household(id: id, name: name))
        }
        guard scope == .installation || self.households.count == 1, json == bytes else { throw .damaged("head.json") }
    }
}
