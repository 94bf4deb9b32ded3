import HTTP

/// Describes a browser for the list of signed-in devices.
enum Client {
    /// Text such as `Chrome, Android`, from the User-Agent field. Only for display, because clients can send any value.
    static func name(_ head: RequestHead) -> String {
        guard let agent = head.headers[.userAgent]?.prefix(400) else { return "" }
        func first(_ words: [(mark: String, name: String)]) -> String? {
            words.first { agent.contains($0.mark) }?.name
        }
        let browser = first([
            ("Firefox/", "Firefox"), ("FxiOS/", "Firefox"), ("Edg/", "Edge"), ("OPR/", "Opera"),
            ("SamsungBrowser/", "Samsung Internet"), ("CriOS/", "Chrome"), ("Chrome/", "Chrome"), ("Safari/", "Safari"),
        ])
        let system = first([
            ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"),
            ("Mac OS X", "Mac"), ("Linux", "Linux"),
        ])
        return [browser, system].compactMap(\.self).joined(separator: ", ")
    }
}
