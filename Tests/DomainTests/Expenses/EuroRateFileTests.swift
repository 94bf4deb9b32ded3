import Testing

@testable import Domain

@Suite(.timeLimit(.minutes(5))) struct EuroRateFileTests {
    @Test func `reads the history as CSV`() throws {
        let text = "Date,USD,JPY,CYP,\n2026-11-24,1.0847,158.25,N/A,\n2026-11-23,1.0851,158.1,N/A,\n"
        let rates = try EuroRateFile.read(Array(text.utf8))
        #expect(rates.count == 4)
        #expect(
            rates[0]
                == EuroRate(
                    currency: CurrencyCode("USD") ?? .eur, day: LocalDate(parsing: "2026-11-24") ?? .earliest,
                    perEuroMillionths: 1_084_700))
    }

    @Test func `reads the file of one day as CSV`() throws {
        let rates = try EuroRateFile.read(Array("Date, USD, JPY, \n24 November 2026, 1.0847, 158.25, \n".utf8))
        #expect(rates.map(\.perEuroMillionths) == [1_084_700, 158_250_000])
        #expect(rates.allSatisfy { $0.day.iso == "2026-11-24" })
    }

    @Test func `reads XML without expanding entities`() throws {
        let text = """
            <?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>
            <gesmes:Envelope><Cube><Cube time='2026-11-24'><Cube currency='USD' rate='1.0847'/><Cube currency='&b;' rate='2'/>
            </Cube></Cube></gesmes:Envelope>
            """
        #expect(try EuroRateFile.read(Array(text.utf8)).map(\.currency.code) == ["USD"])
    }

    @Test(arguments: ["", "hello", "a;b;c\n1;2;3", "<Cube", "Date,USD\nnever,1"])
    func `refuses files that are not rates of the central bank`(text: String) {
        #expect(throws: EuroRateFile.Failure.unknownFormat) { try EuroRateFile.read(Array(text.utf8)) }
    }
}
