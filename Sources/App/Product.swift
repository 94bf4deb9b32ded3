/// What this program calls itself.
package enum Product {
    package static let name = "AllesTeurer"
    package static let version = "0.1.0"
}
