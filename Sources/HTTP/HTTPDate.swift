import Glibc

/// Converts between dates such as `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7) and seconds since 1970.
package enum HTTPDate {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// - Parameter seconds: seconds since 1970, in the years 1970 … 9999.
    package static func format(_ seconds: Int) -> String {
        var time = time_t(seconds)
        var parts = tm()
        gmtime_r(&time, &parts)
        return
            "\(days[Int(parts.tm_wday)]), \(twoDigits(parts.tm_mday)) \(months[Int(parts.tm_mon)]) "
            + "\(1900 + parts.tm_year) "
            + "\(twoDigits(parts.tm_hour)):\(twoDigits(parts.tm_min)):\(twoDigits(parts.tm_sec)) GMT"
    }

    /// Parses the preferred form. Returns nil for the obsolete forms: a client that sends one in `If-Modified-Since`
    /// gets a full answer instead of 304.
    package static func parse(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        guard bytes.count == 29, text.hasSuffix(" GMT"), bytes[3] == UInt8(ascii: ","), bytes[4] == ASCII.space,
            bytes[7] == ASCII.space, bytes[11] == ASCII.space, bytes[16] == ASCII.space,
            bytes[19] == UInt8(ascii: ":"), bytes[22] == UInt8(ascii: ":"),
            let day = number(bytes[5..<7]), let year = number(bytes[12..<16]), let hour = number(bytes[17..<19]),
            let minute = number(bytes[20..<22]), let second = number(bytes[23..<25]),
            let month = months.firstIndex(of: String(decoding: bytes[8..<11], as: UTF8.self)),
            year >= 1970, (1...31).contains(day), hour < 24, minute < 60, second < 61
        else { return nil }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (Int32(year - 1900), Int32(month), Int32(day))
        let midnight = timegm(&parts)
        // timegm converts 31 February to 3 March. Days that do not exist are refused.
        guard parts.tm_mday == day else { return nil }
        return midnight + hour * 3600 + minute * 60 + second
    }

    private static func twoDigits(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard digits.allSatisfy(ASCII.isDigit) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 48) }
    }
}
