/// One field of a form that was filled in against an older revision.
enum FieldMerge {
    /// What only one side changed stands, and so does what both changed alike.
    ///
    /// - Parameters:
    ///   - mine: what the form sends; `theirs`: what is stored now; `base`: what the form's page showed.
    ///   - conflict: thrown when both sides changed it to different values.
    static func merged<Value: Equatable, Conflict: Error>(
        mine: Value, theirs: Value, base: Value, conflict: Conflict
    ) throws(Conflict) -> Value {
        if mine == base || mine == theirs { return theirs }
        guard theirs == base else { throw conflict }
        return mine
    }
}
