import DocumentParsing
import Domain
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Fiscal codes` {
    private func austrian(counter: String = "oIY9ibHmpIc=", till: String = "K_1/2", number: String = "A:7#9") -> String
    {
        "_R1-AT1_\(till)_\(number)_2026-02-03T09:08:07_1,20_2,30_0,00_0,00_-0,50_\(counter)_U:ATU1-2_NEen0fnOY9M=_H+KLP6=="
    }

    @Test func `reads an Austrian code whose fields contain the separator`() throws {
        let code = try #require(FiscalCode(payload: austrian()))
        #expect(code.scheme == .austrian)
        #expect(code.total == 300)
        #expect(code.gross.map(\.rate.tenthsOfPercent) == [200, 100, 130, 0, 190])
        #expect(code.gross.map(\.minorUnits) == [120, 230, 0, 0, -50])
        #expect(code.date?.iso == "2026-02-03")
        #expect(code.time?.iso == "09:08:07")
        #expect(code.number.hasSuffix("A:7#9"))
    }

    @Test(arguments: [("VFJB", FiscalCode.Process.training), ("U1RP", .cancellation), ("AAAA", .purchase)])
    func `recognises training and cancellation by the turnover counter`(counter: String, process: FiscalCode.Process)
        throws
    {
        #expect(try #require(FiscalCode(payload: austrian(counter: counter))).process == process)
    }

    @Test func `reads gross amounts, payments and the local end time of a German code`() throws {
        let payload =
            "V0;AMA-1;Kassenbeleg-V1;Beleg^4.05_3.00_0.00_0.00_0.00^5.00:Bar_2.05:Unbar:CHF;13;44;2026-06-30T22:30:00.000Z;2026-06-30T22:31:00.000Z;ecdsa;unixTime;AA==;BB=="
        let code = try #require(FiscalCode(payload: payload))
        #expect(code.total == 705)
        #expect(code.payments.map(\.kind) == ["Bar", "Unbar:CHF"])
        // Daylight saving time: 00:31 on the next day.
        #expect(code.date?.iso == "2026-07-01")
        #expect(code.time?.iso == "00:31:00")
        #expect(code.fieldCount == 12)
    }

    @Test(arguments: [
        ("AVTraining", FiscalCode.Process.training), ("AVBelegstorno", .cancellation), ("AVBestellung", .other),
    ])
    func `recognises German processes that are not purchases`(type: String, process: FiscalCode.Process) throws {
        let payload = "V0;S;Kassenbeleg-V1;\(type)^1.00_0.00_0.00_0.00_0.00^1.00:Bar;1;2;;;;;;"
        #expect(try #require(FiscalCode(payload: payload)).process == process)
    }

    @Test(arguments: [
        "", "V0", "https://example.org", "_R1-AT1_a_b", "V0;S;Kassenbeleg-V1;Beleg^1,00_0.00_0.00_0.00_0.00^;1",
        "V0;S;Kassenbeleg-V1;Beleg^1.00_0.00_0.00_0.00^;1",
        "_R1-AT1_1_2_2026-13-03T09:08:07_1,20_2,30_0,00_0,00_0,00_a_b_c_d",
        "_R1-AT1_1_2_2026-01-03T09:08:07_1.20_2,30_0,00_0,00_0,00_a_b_c_d",
    ])
    func `rejects a payload that is not a fiscal code`(payload: String) {
        #expect(FiscalCode(payload: payload) == nil)
    }

    @Test func `confirms total and date by the fiscal code`() {
        let payload = "_R1-AT1_1_2_2026-05-12T17:45:10_5,99_8,06_0,00_0,00_0,00_AAAA_U:ATU1-2_NEen0fnOY9M=_H+KLP6=="
        let receipt = Layout.parse(Sample.billa, codes: [Layout.code("QRCode", payload)])
        #expect(receipt.fiscalCode?.total == 1405)
        #expect(receipt.state == .proven, "\(receipt.reasons)")
        let other = payload.replacing("5,99", with: "6,99")
        #expect(Layout.parse(Sample.billa, codes: [Layout.code("QRCode", other)]).reasons.contains(.fiscalCodeDiffers))
    }

    @Test func `never proves a training receipt`() {
        let payload = "_R1-AT1_1_2_2026-05-12T17:45:10_5,99_8,06_0,00_0,00_0,00_VFJB_U:ATU1-2_NEen0fnOY9M=_H+KLP6=="
        #expect(Layout.parse(Sample.billa, codes: [Layout.code("QRCode", payload)]).reasons.contains(.training))
    }
}
