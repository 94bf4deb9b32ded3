/// What NOTIFY sent.
package struct Notification: Sendable, Equatable {
    /// As the server spells it: folded to lower case unless LISTEN or NOTIFY quoted it.
    package let channel: String
    /// Empty where NOTIFY gave none; under 8000 bytes.
    package let payload: String
}
