import Glibc
import Postgres

/// A PostgreSQL cluster that a test can stop and start. fsync is on, so that no commit is lost.
final class TestCluster: Sendable {
    private static let programs = "/usr/lib/postgresql/15/bin"

    static var isAvailable: Bool { access(programs + "/initdb", X_OK) == 0 }

    struct CommandFailure: Error, CustomStringConvertible {
        let description: String
    }

    private let directory: String

    /// - Parameter configuration: lines of postgresql.conf.
    init(configuration: String = "") throws {
        var template = Array("/tmp/pgtest-XXXXXX".utf8CString)
        guard let path = mkdtemp(&template) else { throw CommandFailure(description: "mkdtemp failed") }
        directory = String(cString: path)
        if getuid() == 0 { try Self.run("chown postgres \(directory)") }
        try execute("\(Self.programs)/initdb --no-sync -D \(directory)/data -U owner --auth=trust -E UTF8 --locale=C")
        let lines = """
            listen_addresses = ''
            unix_socket_directories = '\(directory)'
            shared_buffers = 16MB
            \(configuration)
            """
        try execute("cat >> \(directory)/data/postgresql.conf <<'END'\n\(lines)\nEND\n")
        try start()
    }

    deinit {
        try? stop("immediate")
        try? Self.run("rm -rf \(directory)")
    }

    func settings() throws -> PostgresSettings {
        try PostgresSettings(url: "postgresql:///postgres?host=\(directory)&user=owner")
    }

    func start() throws { try execute("\(Self.programs)/pg_ctl -D \(directory)/data -l \(directory)/log -w start") }

    func stop(_ mode: String) throws { try execute("\(Self.programs)/pg_ctl -D \(directory)/data -m \(mode) stop") }

    /// Runs a command. If the tests run as root, the command runs as the user `postgres`, because PostgreSQL refuses to
    /// run as root.
    private func execute(_ command: String) throws {
        let user = "setpriv --reuid=postgres --regid=postgres --init-groups --inh-caps=-all --"
        try Self.run("cd \(directory) && \(getuid() == 0 ? user : "") bash -c \"$COMMAND\"", command)
    }

    private static func run(_ script: String, _ command: String = "") throws {
        var pid = pid_t()
        let words = ["bash", "-c", "(\(script)) >/dev/null 2>&1"]
        let variables = ["COMMAND=\(command)", "PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
        var environment: [UnsafeMutablePointer<CChar>?] = variables.map { strdup($0) }
        defer { for pointer in arguments + environment { free(pointer) } }
        arguments.append(nil)
        environment.append(nil)
        guard posix_spawn(&pid, "/bin/bash", nil, nil, arguments, environment) == 0 else {
            throw CommandFailure(description: "posix_spawn failed")
        }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
        guard status == 0 else { throw CommandFailure(description: "\(script) \(command): status \(status)") }
    }
}
