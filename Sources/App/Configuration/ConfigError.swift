/// A missing or invalid setting. The description tells the operator which one and what is allowed.
package struct ConfigError: Error, CustomStringConvertible {
    package let description: String
}
