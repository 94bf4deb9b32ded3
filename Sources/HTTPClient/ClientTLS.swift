import COpenSSL
import Glibc

/// TLS settings of a client: version 1.2 or 1.3, certificates of known authorities only.
package final class ClientTLS: @unchecked Sendable {
    // Safe to share: OpenSSL counts references and locks its mutable state.
    private let context: OpaquePointer

    /// - Parameter authorities: the path of a PEM file with authorities to trust besides those of the system.
    /// - Throws: `ClientError.tls` if OpenSSL cannot be set up.
    package init(authorities: String? = nil) throws(ClientError) {
        guard let context = SSL_CTX_new(TLS_client_method()) else { throw .tls("TLS is not available") }
        self.context = context
        guard openssl_set_min_version(context, TLS1_2_VERSION) == 1, SSL_CTX_set_default_verify_paths(context) == 1
        else { throw .tls("TLS is not available") }
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
        if let authorities, SSL_CTX_load_verify_locations(context, authorities, nil) != 1 {
            throw .tls("\(authorities) cannot be read or has no certificates")
        }
    }

    deinit { SSL_CTX_free(context) }

    /// Creates a session that requires a certificate for `host`, a name or a numeric address. Returns nil if OpenSSL
    /// fails, such as for lack of memory.
    func session(descriptor: Int32, host: String) -> ClientTLSSession? {
        guard let session = SSL_new(context) else { return nil }
        let result = ClientTLSSession(session)
        if OutgoingAddress(host) != nil {
            guard X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session), host) == 1 else { return nil }
        } else {
            SSL_set_hostflags(session, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
            guard SSL_set1_host(session, host) == 1, openssl_set_server_name(session, host) == 1 else { return nil }
        }
        guard SSL_set_fd(session, descriptor) == 1 else { return nil }
        SSL_set_connect_state(session)
        return result
    }
}

/// The TLS session of one connection; confined to its loop.
final class ClientTLSSession {
    private let session: OpaquePointer

    init(_ session: OpaquePointer) { self.session = session }

    deinit { SSL_free(session) }

    enum Step {
        case done(Int)
        case wantsRead
        case wantsWrite
        case ended
        case failed(String)
    }

    func handshake() -> Step {
        ERR_clear_error()
        return step(SSL_do_handshake(session), 0)
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> Step {
        ERR_clear_error()
        var count = 0
        return step(SSL_write_ex(session, bytes.baseAddress, bytes.count, &count), count)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Step {
        ERR_clear_error()
        var count = 0
        return step(SSL_read_ex(session, buffer.baseAddress, buffer.count, &count), count)
    }

    private func step(_ code: Int32, _ count: Int) -> Step {
        guard code != 1 else { return .done(count) }
        switch SSL_get_error(session, code) {
        case SSL_ERROR_WANT_READ: return .wantsRead
        case SSL_ERROR_WANT_WRITE: return .wantsWrite
        case SSL_ERROR_ZERO_RETURN: return .ended
        default: return .failed(reason)
        }
    }

    /// Why the certificate was refused; OpenSSL's message for other failures.
    private var reason: String {
        let verified = SSL_get_verify_result(session)
        if verified != Int(X509_V_OK) { return String(cString: X509_verify_cert_error_string(verified)) }
        let code = ERR_get_error()
        ERR_clear_error()
        guard code != 0, let text = ERR_reason_error_string(code) else { return "the connection was closed" }
        return String(cString: text)
    }
}
