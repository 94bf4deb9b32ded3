/// The name and version in `--version` and on the settings page.
package enum Product {
    package static let name = "AllesTeurer"
    package static let version = "0.1.0"
}
