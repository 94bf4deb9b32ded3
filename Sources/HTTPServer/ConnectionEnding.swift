import EventLoop
import Glibc
import HTTP

extension Connection {
    /// Answers a request that does not reach the responder.
    func refuse(_ refusal: RequestRefusal, _ id: RequestID, isHead: Bool) async {
        state.configuration.onRefusal(
            RefusedRequest(id: id, peer: peer, isSecure: transport.isSecure, refusal: refusal))
        var response = Response.text(refusal.status, "\(refusal.status.description)\n")
        response.headers["X-Content-Type-Options"] = "nosniff"
        if refusal.status == .methodNotAllowed { response.headers[.allow] = "GET, HEAD, POST, PUT, PATCH, DELETE" }
        if refusal.status == .tooManyRequests { response.headers[.retryAfter] = "5" }
        guard case .bytes(let body) = response.body else { return }
        let head = ResponseHead.encode(
            response, framing: .length(body.count), date: state.dateField(), keepAlive: false, version: .http11)
        if await write(head, body, isHead ? 0..<0 : 0..<body.count) { await linger() }
    }

    /// Closes the sending side, and discards received bytes for `lingerTime`. If a socket with unread bytes is closed,
    /// the kernel sends a reset, and the client can lose the answer (RFC 9112 §9.6).
    func linger() async {
        transport.finishWriting()
        input = []
        position = 0
        let time = state.isStopping ? min(limits.lingerTime, .milliseconds(200)) : limits.lingerTime
        let deadline = loop.now + time.nanoseconds
        var dropped = 0
        while dropped < 32 << 20, loop.now < deadline, case .filled = await fill(until: deadline) {
            dropped += input.count
            input = []
        }
    }
}

extension RequestRefusal {
    static let malformedBody = RequestRefusal(.badRequest, "malformed body of a refused request")
}
