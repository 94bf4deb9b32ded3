/// A missing or invalid setting. The description names the setting and the allowed values.
package struct ConfigError: Error, CustomStringConvertible {
    package let description: String
}
