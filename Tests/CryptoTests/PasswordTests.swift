import Foundation
import Glibc
import Testing

@testable import Crypto

@Suite(.timeLimit(.minutes(5))) struct PasswordTests {
    /// Cheap parameters, to make the tests fast.
    private static let cheap = PasswordCost(memory: 64, passes: 1, lanes: 1)

    @Test("uses Argon2id with OWASP's parameters in the encoded form")
    func encodes() async throws {
        let hasher = PasswordHasher()
        let password = try Password(choosing: "vier Paprika im Korb")
        let hash = try await hasher.hash(password)
        #expect(hash.encoded.hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$"))
        #expect(!hash.needsRehash())
        #expect(hash.needsRehash(PasswordCost(memory: 32_768)))
        #expect(try await hasher.verify(password, hash))
        #expect(try await !hasher.verify(try #require(Password(entered: "vier Paprika im Korb ")), hash))
    }

    @Test("makes different hashes of a password, and both match")
    func salts() async throws {
        let hasher = PasswordHasher(cost: Self.cheap)
        let password = try #require(Password(entered: "x"))
        let hashes = [try await hasher.hash(password), try await hasher.hash(password)]
        #expect(hashes[0] != hashes[1])
        for hash in hashes { #expect(try await hasher.verify(password, hash)) }
    }

    @Test(
        "matches no password if the account is unknown or the hash malformed", arguments: [nil, "", "$argon2id$broken"])
    func matchesNoPassword(_ encoded: String?) async throws {
        let hasher = PasswordHasher(cost: Self.cheap)
        let password = try #require(Password(entered: "anything"))
        #expect(try await !hasher.verify(password, encoded.map(PasswordHash.init(encoded:))))
    }

    @Test("verifies the decoy hash of an unknown account like a real hash")
    func decoys() {
        let mismatch: Int32 = -35
        for _ in 0..<50 { #expect(PasswordHash.decoy(Self.cheap).comparison([1, 2, 3]) == mismatch) }
        let usual = PasswordHash.decoy(PasswordCost())
        #expect(!usual.needsRehash())
        #expect(usual.comparison([1, 2, 3]) == mismatch)
    }

    @Test("verifies the decoy hash if an account has no password", arguments: [nil, "", "!"])
    func decoyWithoutPassword(_ encoded: String?) {
        let hasher = PasswordHasher(cost: Self.cheap)
        let mismatch: Int32 = -35
        #expect(hasher.evaluated(encoded.map(PasswordHash.init(encoded:))).comparison([1, 2, 3]) == mismatch)
        let stored = PasswordHash.decoy(Self.cheap)
        #expect(hasher.evaluated(stored) == stored)
    }

    @Test("does not count a lack of memory or threads as a wrong password")
    func noMemory() throws {
        for code: Int32 in [-22, -33] {
            #expect(throws: PasswordHashError.argon2(code: code)) { try PasswordHash.isMatch(code) }
        }
        #expect(try PasswordHash.isMatch(0))
        for code: Int32 in [-35, -32, -1] { #expect(try !PasswordHash.isMatch(code)) }
    }

    @Test("ends its threads when it is released")
    func threadsEnd() async {
        await #expect(processExitsWith: .success) {
            func threadCount() -> Int {
                (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
            }
            let threadsBefore = threadCount()
            for _ in 0..<10 {
                _ = try await PasswordHasher(cost: Self.cheap, width: 20).hash(try #require(Password(entered: "x")))
            }
            // The hashers had 200 threads. At most 20 other threads of the process may start in the meantime.
            for _ in 0..<2000 where threadCount() > threadsBefore + 20 { usleep(5000) }
            exit(threadCount() <= threadsBefore + 20 ? 0 : 1)
        }
    }

    @Test("refuses evaluations beyond the limit as busy, and completes the others")
    func bounded() async throws {
        let hasher = PasswordHasher(cost: PasswordCost(memory: 4096, passes: 2), width: 2, limit: 3)
        let password = try #require(Password(entered: "x"))
        let results = await withTaskGroup { group in
            for _ in 0..<100 {
                group.addTask { () -> Result<PasswordHash, PasswordHashError> in
                    do throws(PasswordHashError) { return .success(try await hasher.hash(password)) } catch {
                        return .failure(error)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let served = results.count { if case .success = $0 { true } else { false } }
        #expect(served >= 5)
        #expect(results.allSatisfy { if case .failure(let error) = $0 { error == .busy } else { true } })
        #expect(try await hasher.verify(password, try await hasher.hash(password)))
    }

    @Test("matches umlauts in any normal form, and hashes passwords without truncation")
    func normalises() async throws {
        let hasher = PasswordHasher(cost: Self.cheap)
        let composed = try Password(choosing: "Gru\u{308}ne A\u{308}pfel")
        let hash = try await hasher.hash(composed)
        #expect(try await hasher.verify(try #require(Password(entered: "Gr\u{FC}ne \u{C4}pfel")), hash))
        let long = String(repeating: "aB3 ", count: 1000)
        let longHash = try await hasher.hash(try Password(choosing: "x" + long))
        #expect(try await !hasher.verify(try #require(Password(entered: "x" + long.dropLast() + "!")), longHash))
    }

    @Test("treats NUL and emoji like any other character")
    func unusualCharacters() async throws {
        let hasher = PasswordHasher(cost: Self.cheap)
        let hash = try await hasher.hash(try Password(choosing: "ab\0cd🙂efgh"))
        #expect(try await !hasher.verify(try #require(Password(entered: "ab")), hash))
        #expect(try await hasher.verify(try #require(Password(entered: "ab\0cd🙂efgh")), hash))
    }

    @Test(
        "refuses a new password under 8 characters or over 4,096 bytes",
        arguments: [
            ("kaum 7!", Password.Problem.tooShort), ("ÄÖÜß", .tooShort),
            (String(repeating: "ab cd", count: 820), .tooLong), (String(repeating: "x", count: 1_000_000), .tooLong),
        ])
    func length(_ text: String, _ problem: Password.Problem) {
        #expect(throws: problem) { try Password(choosing: text) }
    }

    @Test("accepts long passwords up to 4,096 bytes, but no longer or empty ones")
    func acceptsLong() throws {
        #expect(
            try Password(choosing: "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich.").bytes.count > 64)
        #expect(try Password(choosing: String(repeating: "ab cdefg", count: 512)).bytes.count == 4096)
        #expect(Password(entered: String(repeating: "x", count: 1_000_000)) == nil)
        #expect(Password(entered: "") == nil)
    }

    @Test(
        "refuses passwords that guessers try first",
        arguments: [
            "passwort", "Password1", "password123!", "P4ssw0rt", "12345678", "87654321", "qwertzuiop", "1q2w3e4r",
            "aaaaaaaa", "abcabcabc", "abcdefgh", "01011990", "Sommer2026", "schatzschatz", "iloveyou", "hallohallo",
            "fcbayern1", "michael1", "Willkommen1", "90123456",
        ])
    func refusesCommon(_ text: String) {
        #expect(throws: Password.Problem.common) { try Password(choosing: text) }
    }

    @Test(
        "accepts ordinary good passwords",
        arguments: ["vier Paprika im Korb", "xK7#pq2Lw", "Katzenstreu-liegt-hinten", "sommerregen am see"])
    func acceptsGood(_ text: String) {
        #expect(throws: Never.self) { try Password(choosing: text) }
    }

    @Test("refuses the user's name with a few more characters, but not a long password that contains the name")
    func personal() {
        #expect(throws: Password.Problem.personal) { try Password(choosing: "Kowalczyk26", personal: ["kowalczyk"]) }
        #expect(throws: Never.self) {
            try Password(choosing: "Kowalczyk kauft Kohlrabi", personal: ["Kowalczyk", "ka"])
        }
    }

    @Test("lists at least 3,000 common passwords, each of at least 8 characters")
    func countsCommon() {
        #expect(CommonPasswords.all.count >= 3000)
        #expect(CommonPasswords.all.allSatisfy { $0.unicodeScalars.count >= 8 })
    }
}
