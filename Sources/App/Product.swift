/// What this program calls itself.
package enum Product {
    /// The same in every language.
    package static let name = "AllesTeurer"
    /// Semantic versioning; `--version` and the settings page show it.
    package static let version = "0.1.0"
}
