/// The program's name and version, in `--version` and on the settings page.
package enum ProgramVersion {
    package static let name = "AllesTeurer"
    package static let number = "0.1.0"
}
