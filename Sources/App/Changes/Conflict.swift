/// A conflict: the document was changed after the form's page was shown, and the form cannot be merged with that
/// change.
///
/// A thrown conflict means that nothing of the form was stored. The form of a receipt is merged field by field: its
/// conflict is returned, and only the listed changes were not stored.
struct Conflict: Error, Sendable, Equatable {
    /// The entered changes that were not stored; empty for forms without entered values.
    var changes: [Change] = []

    struct Change: Sendable, Equatable {
        /// The key of a part of the document, such as a receipt line; empty for the document itself.
        let part: String
        /// The displayed name of the part; nil for the document itself.
        let name: String?
        let cause: Cause
        /// The fields in conflict; empty for a part that the form deleted.
        let entries: [Entry]
    }

    enum Cause: Sendable, Equatable {
        /// The form and another request set the field to different values; the other request's value is stored.
        case changed
        /// Another request deleted the part and the form changed it; the part is stored again.
        case deletedByOther
        /// The form deleted the part and another request changed it; the part is kept.
        case deletedByForm
        /// The part has moved to another document, or the document was read again.
        case gone
    }

    struct Entry: Sendable, Equatable {
        /// The field's name in the form.
        let field: String
        /// The entered value as canonical text.
        let value: String
    }
}

extension Conflict {
    /// Merges one field of a form that is based on an older revision.
    ///
    /// - Parameters:
    ///   - mine: the submitted value.
    ///   - theirs: the stored value.
    ///   - base: the value that the form's page showed.
    /// - Returns: `mine` if only the form changed the value, otherwise `theirs`.
    /// - Throws: `Conflict` if both changed the value differently.
    static func merged<Value: Equatable>(mine: Value, theirs: Value, base: Value) throws(Conflict) -> Value {
        if mine == base || mine == theirs { return theirs }
        guard theirs == base else { throw Conflict() }
        return mine
    }

    /// - Throws: `Conflict` unless the stored revision is the one that the form's page showed. Accepts any revision if
    ///   `shown` is nil.
    static func requireRevision(_ stored: Int64, shown: Int64?) throws(Conflict) {
        guard stored == shown ?? stored else { throw Conflict() }
    }
}
