import Testing

@testable import Crypto

@Suite(.timeLimit(.minutes(5))) struct PrimitiveTests {
    @Test("computes the SHA-256 digests of FIPS 180-4, in one piece or several")
    func hashes() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(Hexadecimal.encode(sha256("abc".utf8)) == abc)
        var digest = SHA256Digest()
        digest.update(Array("a".utf8))
        digest.update("bc".utf8)
        #expect(Hexadecimal.encode(digest.finish()) == abc)
        #expect(
            Hexadecimal.encode(digest.finish()) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    }

    @Test("computes the HMAC-SHA-256 of RFC 4231, case 3")
    func authenticates() throws {
        let key = try #require(SecretKey([UInt8](repeating: 0xAA, count: 20)))
        let message = [UInt8](repeating: 0xDD, count: 50)
        let code = key.authenticationCode(message)
        #expect(Hexadecimal.encode(code) == "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe")
        #expect(key.isValid(code, for: message))
        #expect(!key.isValid(code, for: message.dropLast()))
    }

    @Test("derives different keys for different purposes, as HKDF does")
    func derives() throws {
        let key = try #require(SecretKey(0..<32))
        let code = key.derived(for: "csrf", [7]).authenticationCode("message".utf8)
        #expect(Hexadecimal.encode(code) == "70888fed0fda3b33a2bf889ecbd5a1f680c08a8f295ab242bcbcd9b3b19c4ed3")
        #expect(key.derived(for: "a").authenticationCode([]) != key.derived(for: "b").authenticationCode([]))
        #expect(SecretKey(0..<15) == nil)
        #expect("\(key)" == "SecretKey(…)")
    }

    @Test("returns the requested number of random bytes, different each time")
    func random() {
        #expect(Random.bytes(0).isEmpty)
        #expect(Random.bytes(1000).count == 1000)
        #expect(Random.bytes(32) != Random.bytes(32))
    }

    @Test(
        "encodes and decodes base64url without padding",
        arguments: [([], ""), ([0xFF], "_w"), ([0xFB, 0xF0], "-_A"), ([1, 2, 3], "AQID"), ([0, 0, 0, 0], "AAAAAA")]
            as [([UInt8], String)])
    func base64(_ bytes: [UInt8], _ text: String) {
        #expect(Base64URL.encode(bytes) == text)
        #expect(Base64URL.decode(text) == bytes)
    }

    @Test("refuses text that is not canonical base64url", arguments: ["A", "AQI=", "_x", "+A", "A A", "ä", "AAAAA"])
    func refusesBase64(_ text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test("reads hexadecimal in both cases and refuses anything else")
    func hexadecimal() {
        #expect(Hexadecimal.decode("00fF") == [0, 255])
        #expect(Hexadecimal.decode("0") == nil)
        #expect(Hexadecimal.decode("0g") == nil)
    }

    @Test("makes increasing identifiers, also within a millisecond and after the clock was set back")
    func identifiersRise() {
        var last = UUIDv7.next()
        for round in 0..<10_000 {
            let next = round % 3 == 0 ? UUIDv7.next(at: 5) : UUIDv7.next()
            #expect((last.high, last.low) < (next.high, next.low))
            last = next
        }
    }

    @Test("sets version, variant and time in identifiers")
    func identifierLayout() {
        let identifier = UUIDv7.next()
        #expect(identifier.high >> 12 & 0xF == 7)
        #expect(identifier.low >> 62 == 2)
        #expect(identifier.high >> 16 > 1_700_000_000_000)
        #expect(
            UUIDv7.bytes((0x0102_0304_0506_0708, 0x8000_0000_0000_0009)) == [
                1, 2, 3, 4, 5, 6, 7, 8, 128, 0, 0, 0, 0, 0, 0, 9,
            ])
    }
}

@Suite(.timeLimit(.minutes(5))) struct TokenTests {
    @Test("reads a token from its text, and hashes its bytes")
    func roundTrip() throws {
        let token = Token.random()
        #expect(token.secret.utf8.count == 43)
        let readToken = try #require(Token(token.secret))
        #expect(readToken == token)
        #expect(readToken.hash == sha256(try #require(Base64URL.decode(token.secret))))
        #expect("\(token)" == "Token(…)")
        #expect(Token.random() != token)
    }

    @Test(
        "refuses texts that cannot be tokens",
        arguments: ["", "abc", String(repeating: "A", count: 44), String(repeating: "ä", count: 22)])
    func refuses(_ text: String) {
        #expect(Token(text) == nil)
    }

    @Test("accepts a form's token only with its session and key, and makes a different token for each page")
    func csrf() {
        let tokens = CSRFTokens(key: .random())
        let token = tokens.make(session: [1, 2, 3])
        #expect(tokens.isValid(token, session: [1, 2, 3]))
        #expect(!tokens.isValid(token, session: [1, 2, 4]))
        #expect(!tokens.isValid(token, session: []))
        #expect(!CSRFTokens(key: .random()).isValid(token, session: [1, 2, 3]))
        #expect(tokens.make(session: [1, 2, 3]) != token)
    }

    @Test("refuses a form's token changed at any position")
    func csrfChanged() {
        let tokens = CSRFTokens(key: .random())
        let token = Array(tokens.make(session: [9]))
        for position in token.indices {
            var changed = token
            changed[position] = changed[position] == "A" ? "B" : "A"
            #expect(!tokens.isValid(String(changed), session: [9]))
        }
        for wrong in ["", "A", String(token.dropLast()), String(token + ["A"])] {
            #expect(!tokens.isValid(wrong, session: [9]))
        }
    }
}
