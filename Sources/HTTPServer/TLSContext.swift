import COpenSSL
import EventLoop
import Glibc

/// Certificate, key and settings for TLS 1.2 and 1.3; shared by all connections of a server.
final class TLSContext: @unchecked Sendable {
    // Safe to share: OpenSSL counts references and locks its session ticket keys itself.

    struct SetupError: Error, CustomStringConvertible {
        let description: String
    }

    private let context: OpaquePointer

    /// - Throws: `SetupError` with OpenSSL's message.
    init(chain: String, key: String) throws(SetupError) {
        guard let context = SSL_CTX_new(TLS_server_method()) else { throw Self.failure("TLS") }
        self.context = context
        guard openssl_set_min_version(context, TLS1_2_VERSION) == 1 else { throw Self.failure("TLS 1.2") }
        SSL_CTX_set_options(context, openssl_server_options())
        // Frees the buffers of idle connections, and allows a write to be repeated with the same bytes at another
        // address.
        _ = openssl_set_mode(
            context,
            Int(SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER))
        let ciphers =
            "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:"
            + "ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305"
        guard SSL_CTX_set_cipher_list(context, ciphers) == 1 else { throw Self.failure("ciphers") }
        // Refuses encrypted keys. By default, OpenSSL would ask for the passphrase at the terminal and wait.
        SSL_CTX_set_default_passwd_cb(context) { _, _, _, _ in -1 }
        guard SSL_CTX_use_certificate_chain_file(context, chain) == 1 else { throw Self.failure(chain) }
        guard SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) == 1 else { throw Self.failure(key) }
        guard SSL_CTX_check_private_key(context) == 1 else { throw Self.failure(key) }
        // Clients resume sessions with tickets, so the server needs no session cache.
        _ = SSL_CTX_ctrl(context, SSL_CTRL_SET_SESS_CACHE_MODE, Int(SSL_SESS_CACHE_OFF), nil)
        let name = Array("allesteurer".utf8)
        SSL_CTX_set_session_id_context(context, name, UInt32(name.count))
        SSL_CTX_set_alpn_select_cb(context, selectProtocol, nil)
    }

    deinit { SSL_CTX_free(context) }

    func session(descriptor: Int32) -> TLSSession? {
        guard let session = SSL_new(context) else { return nil }
        guard SSL_set_fd(session, descriptor) == 1 else {
            SSL_free(session)
            return nil
        }
        SSL_set_accept_state(session)
        return TLSSession(session)
    }

    private static func failure(_ subject: String) -> SetupError {
        let code = ERR_get_error()
        ERR_clear_error()
        var text = [CChar](repeating: 0, count: 256)
        ERR_error_string_n(code, &text, text.count)
        let end = text.firstIndex(of: 0) ?? text.endIndex
        let message = String(decoding: text[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return SetupError(description: "\(subject): \(message)")
    }
}

/// Selects `http/1.1` from the protocols that the client offers by ALPN (RFC 7301), or refuses the handshake. OpenSSL
/// does not call it for clients without ALPN.
private let selectProtocol:
    @convention(c) @Sendable (
        OpaquePointer?, UnsafeMutablePointer<UnsafePointer<UInt8>?>?, UnsafeMutablePointer<UInt8>?,
        UnsafePointer<UInt8>?, UInt32, UnsafeMutableRawPointer?
    ) -> Int32 = { _, output, outputLength, offered, offeredLength, _ in
        guard let output, let outputLength, let offered else { return SSL_TLSEXT_ERR_ALERT_FATAL }
        let list = UnsafeBufferPointer(start: offered, count: Int(offeredLength))
        var index = 0
        while index < list.count {
            let length = Int(list[index])
            guard index + 1 + length <= list.count else { break }
            if length == 8, list[(index + 1)..<(index + 9)].elementsEqual("http/1.1".utf8) {
                output.pointee = offered + index + 1
                outputLength.pointee = 8
                return SSL_TLSEXT_ERR_OK
            }
            index += 1 + length
        }
        return SSL_TLSEXT_ERR_ALERT_FATAL
    }
