import DocumentParsing
import Domain
import Foundation
import Testing

/// Checks against real receipts that are not part of the repository.
@Suite(.timeLimit(.minutes(5))) struct `Shared fiscal codes` {
    static let folder = ProcessInfo.processInfo.environment["ALLESTEURER_TEST_DATA"] ?? "../shared"
    static let payloads = folder + "/fiscal-qr/payloads.json"
    static let hasPayloads = FileManager.default.fileExists(atPath: payloads)

    @Test(.enabled(if: hasPayloads, "no fiscal-qr/payloads.json below ALLESTEURER_TEST_DATA (default ../shared)"))
    func `every payload gives exactly the expected figures`() throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: Self.payloads))
        let entries = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
        #expect(entries.count == 14)
        for entry in entries {
            let name = try #require(entry["name"] as? String)
            let payload = try #require(entry["payload"] as? String)
            let expected = try #require(entry["expected"] as? [String: Any])
            let code = try #require(FiscalCode(payload: payload), "\(name)")
            func minor(_ key: String) -> Int64? { (expected[key] as? Double).map { Int64(($0 * 100).rounded()) } }
            #expect(code.total == minor("total"), "\(name)")
            #expect(code.fieldCount == expected["fields"] as? Int, "\(name)")
            #expect(code.process == .purchase, "\(name)")
            let isGerman = entry["country"] as? String == "DE"
            let keys =
                isGerman
                ? [("gross_19", 190), ("gross_7", 70), ("gross_10_7", 107), ("gross_5_5", 55), ("gross_0", 0)]
                : [
                    ("satz_normal_20", 200), ("satz_erm1_10", 100), ("satz_erm2_13", 130), ("satz_null", 0),
                    ("satz_besonders_19", 190),
                ]
            for (key, rate) in keys {
                #expect(
                    code.gross.first { $0.rate.tenthsOfPercent == rate }?.minorUnits == minor(key), "\(name) \(key)")
            }
            if isGerman {
                #expect(code.till == expected["serial"] as? String, "\(name)")
                #expect(code.number == expected["transaction"] as? String, "\(name)")
                #expect(code.details["counter"] == expected["counter"] as? String, "\(name)")
                #expect(code.details["start"] == expected["start"] as? String, "\(name)")
                #expect(code.details["end"] == expected["end"] as? String, "\(name)")
                #expect(code.details["type"] == expected["type"] as? String, "\(name)")
            } else {
                #expect(code.details["suite"] == expected["suite"] as? String, "\(name)")
                #expect(code.till == expected["cashbox"] as? String, "\(name)")
                #expect(code.number == expected["receipt_no"] as? String, "\(name)")
                #expect(code.details["counter"] == expected["turnover_enc"] as? String, "\(name)")
                #expect(code.details["certificate"] == expected["cert"] as? String, "\(name)")
                #expect(code.details["previous"] == expected["prev_sig"] as? String, "\(name)")
                let moment = "\(code.date?.iso ?? "")T\(code.time?.iso ?? "")"
                #expect(moment == expected["datetime_local"] as? String, "\(name)")
            }
        }
    }
}
