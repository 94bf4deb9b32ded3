/// An invalid setting. The description has the name of the variable and the allowed values.
package struct ConfigError: Error, CustomStringConvertible {
    package let description: String
}
