import App
import EventLoop
import HTTP
import HTTPServer

/// Runs the app on the HTTP server. Only this file uses the modules `App` and `HTTPServer` together, so that tests of
/// the app need no sockets.
struct SocketServer: ServerStarting {
    func check(_ app: App) throws { try HTTPServer.check(configuration(app)) }

    func start(_ app: App, loops: [EventLoop]) throws -> any RunningServer {
        let server = try HTTPServer(configuration(app), loops: loops) { head, body in await app.respond(head, body) }
        server.start()
        return Running(server: server)
    }

    private func configuration(_ app: App) -> ServerConfiguration {
        let config = app.config
        let certificate = config.certificateFile.flatMap { chain in
            config.privateKeyFile.map { (chain: chain, key: $0) }
        }
        let securePort = config.baseURL.port ?? 443
        var configuration = ServerConfiguration(
            addresses: config.listen.map {
                ListenAddress(host: $0.host, port: $0.port, security: certificate == nil ? .plain : .tls)
            }
                + config.redirectListen.map {
                    ListenAddress(host: $0.host, port: $0.port, security: .redirect(port: securePort))
                },
            certificate: certificate, hosts: app.hosts,
            onRefusal: { app.log.refused($0.id, status: $0.refusal.status) })
        configuration.limits.connections = OpenFileLimit.connections(
            atMost: configuration.limits.connections, config)
        configuration.onReload = { reload in
            switch reload {
            case .done: app.log.event(.info, "certificate", [("read", certificate?.chain ?? "")])
            case .failed(let error): app.log.event(.error, "certificate", [("error", error)])
            }
        }
        if config.trustsProxy { configuration.forwardedPeer = { $0.asForwarded().peer } }
        return configuration
    }

    private struct Running: RunningServer {
        let server: HTTPServer

        func stop() async { await server.stop(within: .seconds(10)) }
    }
}
