import DocumentParsing
import Foundation
import TestSupport
import Testing

@testable import App

@Suite(.timeLimit(.minutes(2))) struct ConfigTests {
    private static func config(_ settings: [String: String]) throws -> Config {
        var environment = ["ALLESTEURER_DATABASE_URL": "postgresql:///unused", "PATH": "/usr/bin"]
        for (name, value) in settings { environment["ALLESTEURER_" + name] = value }
        return try Config(environment: environment, executable: "/opt/allesteurer/bin/allesteurer")
    }

    private static let tls = ["TLS_CERT": "/tls/chain.pem", "TLS_KEY": "/tls/key.pem"]

    @Test func `without settings, the documented defaults apply`() throws {
        let config = try Self.config([:])
        #expect(config.listen.map(\.description) == ["127.0.0.1:8080"])
        #expect(config.redirectListen.isEmpty)
        #expect(config.baseURL.description == "http://localhost:8080")
        #expect(config.reader == "/opt/allesteurer/bin/allesteurer-reader")
        // One reader for each CPU core, at most 16.
        #expect(config.connections == 4 && config.readers == min(16, ProcessInfo.processInfo.activeProcessorCount))
        #expect(config.loops == config.readers || config.loops > 16)
        #expect(!config.isDevelopment && !config.trustsProxy && config.logLevel == .info)
        #expect(try Self.config(Self.tls).baseURL.description == "https://localhost:8080")
    }

    @Test func `reads several addresses, host names, and a redirect from http to https`() throws {
        let config = try Self.config(
            Self.tls.merging([
                "LISTEN": "0.0.0.0:8443, [::]:8443", "REDIRECT_LISTEN": "192.168.0.5:8080,[fd00::2]:8080",
                "BASE_URL": "https://Bon.Example.at", "HOSTS": "bon.local, 192.168.0.5",
            ]) { $1 })
        #expect(config.listen.map(\.description) == ["0.0.0.0:8443", "[::]:8443"])
        #expect(config.redirectListen.map(\.description) == ["192.168.0.5:8080", "[fd00::2]:8080"])
        #expect(config.baseURL.description == "https://bon.example.at" && config.baseURL.port == nil)
        #expect(config.hosts == ["bon.local", "192.168.0.5"])
    }

    @Test(arguments: [
        (["LISTEN": "8080"], "ALLESTEURER_LISTEN"), (["LISTEN": "::1:8080"], "ALLESTEURER_LISTEN"),
        (["LISTEN": "127.0.0.1:65536"], "ALLESTEURER_LISTEN"), (["LISTEN": ","], "ALLESTEURER_LISTEN"),
        (["BASE_URL": "ftp://bon.example.at"], "ALLESTEURER_BASE_URL"),
        (["BASE_URL": "https://bon.example.at/app"], "ALLESTEURER_BASE_URL"),
        (["BASE_URL": "https://me@bon.example.at"], "ALLESTEURER_BASE_URL"),
        (["TLS_CERT": "/tls/chain.pem"], "ALLESTEURER_TLS_KEY"),
        (["REDIRECT_LISTEN": "0.0.0.0:8080"], "ALLESTEURER_REDIRECT_LISTEN"),
        (tls.merging(["REDIRECT_LISTEN": "8080"]) { $1 }, "ALLESTEURER_REDIRECT_LISTEN"),
        (tls.merging(["REDIRECT_LISTEN": "0.0.0.0:80", "BASE_URL": "http://a"]) { $1 }, "ALLESTEURER_REDIRECT_LISTEN"),
        (["LOOPS": "0"], "ALLESTEURER_LOOPS"), (["LOOPS": "two"], "ALLESTEURER_LOOPS"),
        (["READERS": "17"], "ALLESTEURER_READERS"), (["CONNECTIONS": "51"], "ALLESTEURER_CONNECTIONS"),
        (["DEVELOPMENT": "yes"], "ALLESTEURER_DEVELOPMENT"), (["LOG": "loud"], "ALLESTEURER_LOG"),
        (["LISTN": "127.0.0.1:8080"], "ALLESTEURER_LISTN"),
        (["LOG_FILE": "/nowhere/at/all"], "ALLESTEURER_LOG_FILE"),
    ])
    func `names an invalid setting in the error`(settings: [String: String], variable: String) throws {
        let error = #expect(throws: ConfigError.self) { _ = try Self.config(settings) }
        #expect(error?.description.contains(variable) == true, "\(String(describing: error))")
    }

    @Test func `needs a database URL, and accepts a secret from a file but not from two sources`() throws {
        #expect(throws: ConfigError.self) { _ = try Config(environment: [:], executable: "/a/b") }
        let path = "/tmp/allesteurer-secret.\(UInt64.random(in: .min ... .max))"
        try Data("postgresql://app:secret@db/allesteurer\n".utf8).write(to: URL(filePath: path))
        defer { unlink(path) }
        let config = try Config(environment: ["ALLESTEURER_DATABASE_URL_FILE": path], executable: "/a/b")
        #expect(config.databaseURL == "postgresql://app:secret@db/allesteurer")
        let error = #expect(throws: ConfigError.self) {
            _ = try Self.config(["DATABASE_URL_FILE": path])
        }
        #expect(error?.description.contains("secret@") == false)
    }

    @Test(arguments: [
        ("name: Dorfkauf\nlogo: DORFKAUF", nil), ("total: SUMME\nno fact", "line 2"),
        ("name: Dorfkauf\nnaming: SPAR", "Dorfkauf"), ("logo: OF NOBODY", "line 1"),
    ])
    func `reads the file of facts at start, and names invalid entries`(text: String, message: String?) throws {
        let path = "/tmp/allesteurer-facts.\(UInt64.random(in: .min ... .max))"
        try Data(text.utf8).write(to: URL(filePath: path))
        defer { unlink(path) }
        if let message {
            let error = #expect(throws: ConfigError.self) { _ = try Self.config(["FACTS": path]) }
            #expect(error?.description.contains(message) == true, "\(String(describing: error))")
        } else {
            #expect(try Self.config(["FACTS": path]).facts.namings.last?.chain == "Dorfkauf")
        }
        #expect(throws: ConfigError.self) { _ = try Self.config(["FACTS": path + ".missing"]) }
    }

    @Test func `the reference documents exactly the existing settings`() throws {
        let page = try String(
            contentsOfFile: TestSources.root + "/docs/reference/configuration.md", encoding: .utf8)
        let documented = page.matches(of: /\| `ALLESTEURER_([A-Z_]+)` \|/).map { String($0.output.1) }
        #expect(Set(documented) == Set(Config.variables.map(\.name)))
        #expect(documented.count == Config.variables.count)
    }
}
