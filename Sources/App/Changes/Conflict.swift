/// Somebody else changed a document after the form's page was shown, and the form contradicts the stored document.
///
/// Thrown, it means that nothing of the form was stored. A receipt's form is merged field by field; there it is a result, and
/// only the changes that it lists were not stored.
struct Conflict: Error, Sendable, Equatable {
    /// What was typed and is not stored; empty for a form in which nothing is typed.
    var changes: [Change] = []

    struct Change: Sendable, Equatable {
        /// Key of the document's part, such as a receipt line; empty for the document itself.
        let part: String
        /// Name of the part for a person; nil for the document itself.
        let name: String?
        let cause: Cause
        /// Empty for a part that the form deleted.
        let entries: [Entry]
    }

    enum Cause: Sendable, Equatable {
        /// Both sides set the field to different values; the other one is stored.
        case changed
        /// Deleted there and changed here: the part is stored again.
        case deletedThere
        /// Deleted here and changed there: the part stays.
        case deletedHere
        /// The part belongs to another document now, or its document was read again.
        case gone
    }

    struct Entry: Sendable, Equatable {
        /// The field's name in forms.
        let field: String
        /// What was typed, as canonical text.
        let value: String
    }
}

extension Conflict {
    /// Merges one field of a form that was filled in against an older revision.
    ///
    /// - Parameters:
    ///   - mine: what the form sends.
    ///   - theirs: what is stored now.
    ///   - base: what the form's page showed.
    /// - Returns: the value of the side that changed it, or the common value.
    /// - Throws: `Conflict` when both sides changed it to different values.
    static func merged<Value: Equatable>(mine: Value, theirs: Value, base: Value) throws(Conflict) -> Value {
        if mine == base || mine == theirs { return theirs }
        guard theirs == base else { throw Conflict() }
        return mine
    }

    /// - Throws: `Conflict` unless the stored revision is the one that the form's page showed; nil is always right.
    static func requireRevision(_ stored: Int64, shown: Int64?) throws(Conflict) {
        guard stored == shown ?? stored else { throw Conflict() }
    }
}
