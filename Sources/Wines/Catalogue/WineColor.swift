/// The kind of a wine. The raw values are those of the API's `color`.
package enum WineColor: String, Sendable, CaseIterable {
    case red
    case white
    case rose
    case sparkling
    case sweet
    case fortified
}
