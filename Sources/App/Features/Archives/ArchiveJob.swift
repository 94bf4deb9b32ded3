import Archive
import Crypto
import Domain
import JSON

/// A job that creates or restores an archive. The job is stored as a small file next to the archive until it is done,
/// so that a restarted server can start it again.
struct ArchiveJob: Sendable, Equatable {
    enum Kind: String, Sendable {
        case make, restore
    }

    let kind: Kind
    /// The owner who requested it.
    let person: PersonID
    /// The key of the archive. Only the server's user can read the file that contains it.
    let key: [UInt8]
    /// For `make`: the salt from which the key is derived.
    let salt: [UInt8]
    /// For `restore`: the identifier of the new household. It is stored with the job, so that a repeated job does not
    /// restore the household a second time.
    let newHousehold: HouseholdID

    var json: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("kind", kind.rawValue)
            json.member("person", person.description)
            json.member("key", Hexadecimal.encode(key))
            json.member("salt", Hexadecimal.encode(salt))
            json.member("copy", newHousehold.description)
        }
        return json.bytes
    }

    init(kind: Kind, person: PersonID, key: ArchiveKey, salt: [UInt8] = [], newHousehold: HouseholdID = .new()) {
        self.kind = kind
        self.person = person
        self.key = key.bytes
        self.salt = salt
        self.newHousehold = newHousehold
    }

    init?(json bytes: [UInt8]) {
        guard let json = try? JSONValue(reading: bytes), let kind = json["kind"]?.string.flatMap(Kind.init(rawValue:)),
            let person = json["person"]?.string.flatMap({ PersonID($0) }),
            let key = json["key"]?.string.flatMap({ Hexadecimal.decode($0) }),
            let salt = json["salt"]?.string.flatMap({ Hexadecimal.decode($0) }),
            let newHousehold = json["copy"]?.string.flatMap({ HouseholdID($0) })
        else { return nil }
        (self.kind, self.person, self.key, self.salt, self.newHousehold) = (kind, person, key, salt, newHousehold)
    }
}
