import HTTP

/// How the end of a response body is marked (RFC 9112 §6).
enum ResponseFraming: Equatable {
    /// No body and no length: 1xx, 204, 304.
    case none
    case length(Int)
    case chunked
    /// The body ends when the connection is closed; for clients with HTTP/1.0.
    case close
}

/// The head of a response as bytes.
enum ResponseHead {
    static func encode(
        _ response: Response, framing: ResponseFraming, date: [UInt8], keepAlive: Bool, version: HTTPVersion
    ) -> [UInt8] {
        var headers = response.headers
        headers.removeFraming()
        var output: [UInt8] = []
        output.reserveCapacity(160 + headers.byteCount)
        output.append(contentsOf: statusLine(response.status))
        output.append(contentsOf: date)
        switch framing {
        case .none, .close: break
        case .length(let length):
            output.append(contentsOf: "Content-Length: ".utf8)
            output.append(contentsOf: String(length).utf8)
            output.append(contentsOf: "\r\n".utf8)
        case .chunked: output.append(contentsOf: "Transfer-Encoding: chunked\r\n".utf8)
        }
        if !keepAlive {
            output.append(contentsOf: "Connection: close\r\n".utf8)
        } else if version == .http10 {
            output.append(contentsOf: "Connection: keep-alive\r\n".utf8)
        }
        headers.write(to: &output)
        output.append(contentsOf: "\r\n".utf8)
        return output
    }

    private static let okLine = Array("HTTP/1.1 200 OK\r\n".utf8)

    private static func statusLine(_ status: Status) -> [UInt8] {
        status == .ok ? okLine : Array("HTTP/1.1 \(status.code) \(status.reason)\r\n".utf8)
    }
}
