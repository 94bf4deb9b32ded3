import Domain

/// A folder of an archive: the documents of one table, or the pictures of one household.
package struct ArchivePart: Hashable, Sendable {
    /// The household; nil for the part `people`.
    package let household: Identifier<Void>?
    /// The name of a table, `people` or `pictures`.
    package let name: String

    package static let people = ArchivePart(household: nil, name: "people")

    package static func documents(_ table: String, of household: Identifier<Void>) -> ArchivePart {
        ArchivePart(household: household, name: table)
    }

    package static func pictures(of household: Identifier<Void>) -> ArchivePart {
        ArchivePart(household: household, name: "pictures")
    }

    package var isPictures: Bool { household != nil && name == "pictures" }

    /// The folder's path in the archive.
    package var path: String { household.map { "households/\($0)/\(name)" } ?? name }

    private init(household: Identifier<Void>?, name: String) {
        self.household = household
        self.name = name
    }

    init?(path: [Substring]) {
        if path.count == 1, path[0] == "people" {
            self = .people
            return
        }
        guard path.count == 3, path[0] == "households", let household = Identifier<Void>(path[1]),
            household.description == path[1], (1...40).contains(path[2].utf8.count),
            path[2].utf8.allSatisfy({ $0 == UInt8(ascii: "_") || (0x61...0x7A).contains($0) })
        else { return nil }
        self.init(household: household, name: String(path[2]))
    }
}
