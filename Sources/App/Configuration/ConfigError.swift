/// An invalid setting. The description names the variable and the allowed values.
package struct ConfigError: Error, CustomStringConvertible {
    package let description: String
}
