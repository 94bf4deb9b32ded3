import COpenSSL

/// The TLS session of one connection; confined to its loop.
final class TLSSession {
    private let session: OpaquePointer
    private var isFreed = false
    private var hasFailed = false
    private var hasSentClose = false

    init(_ session: OpaquePointer) { self.session = session }

    deinit { free() }

    func handshake() -> TransferResult {
        ERR_clear_error()
        let code = SSL_do_handshake(session)
        return code == 1 ? .bytes(0) : result(code)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> TransferResult {
        ERR_clear_error()
        var count = 0
        let code = SSL_read_ex(session, buffer.baseAddress, buffer.count, &count)
        return code == 1 ? .bytes(count) : result(code)
    }

    /// Writes `first` and the beginning of `second` in one record if `first` is smaller than a record.
    func write(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> TransferResult {
        let record = 16 * 1024
        if !first.isEmpty, !second.isEmpty, first.count < record {
            return withUnsafeTemporaryAllocation(byteCount: record, alignment: 1) { joined in
                let addedCount = min(second.count, record - first.count)
                joined.copyMemory(from: first)
                UnsafeMutableRawBufferPointer(rebasing: joined[first.count...]).copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: second[..<addedCount]))
                return write(UnsafeRawBufferPointer(rebasing: joined[..<(first.count + addedCount)]))
            }
        }
        return write(first.isEmpty ? second : first)
    }

    private func write(_ bytes: UnsafeRawBufferPointer) -> TransferResult {
        guard !bytes.isEmpty else { return .bytes(0) }
        ERR_clear_error()
        var count = 0
        let code = SSL_write_ex(session, bytes.baseAddress, bytes.count, &count)
        return code == 1 ? .bytes(count) : result(code)
    }

    private func result(_ code: Int32) -> TransferResult {
        switch SSL_get_error(session, code) {
        case SSL_ERROR_WANT_READ: return .wantsRead
        case SSL_ERROR_WANT_WRITE: return .wantsWrite
        case SSL_ERROR_ZERO_RETURN: return .ended
        default:
            hasFailed = true
            return .failed
        }
    }

    /// Sends close_notify once, except after a failure, when OpenSSL forbids it.
    func finish() {
        guard !hasFailed, !hasSentClose, !isFreed else { return }
        hasSentClose = true
        ERR_clear_error()
        _ = SSL_shutdown(session)
    }

    func free() {
        guard !isFreed else { return }
        isFreed = true
        SSL_free(session)
    }
}
