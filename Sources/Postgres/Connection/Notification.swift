/// A notification sent by NOTIFY.
package struct Notification: Sendable, Equatable {
    /// In lower case unless LISTEN or NOTIFY quoted it.
    package let channel: String
    /// Empty if NOTIFY gave none; fewer than 8,000 bytes.
    package let payload: String
}
