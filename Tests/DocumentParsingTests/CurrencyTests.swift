import DocumentParsing
import Domain
import Recognition
import Testing

/// The currency of a receipt is the printed one.
@Suite(.timeLimit(.minutes(5))) struct `Currencies of receipts` {
    struct Case: Sendable, CustomTestStringConvertible {
        var currency: Currency
        var text: String
        var testDescription: String { "\(currency.rawValue): \(text.prefix(20))" }
    }

    private static let foreign: [Case] = [
        .init(
            currency: .pln,
            text: """
                BIEDRONKA
                61-001 Poznań
                NIP 779-10-11-327
                PARAGON FISKALNY
                CHLEB        4,99 A
                MASŁO        7,50 A
                SUMA PLN    12,49
                GOTÓWKA     12,49
                07.03.2026
                """),
        .init(
            currency: .gbp,
            text:
                "The Corner Shop\n22 High Street Leeds\n£\nTea   2.20\nBiscuits   1.35\nTotal   3.55\nCash   3.55\n27/03/2025"
        ),
        .init(
            currency: .pln,
            text: "SKLEP\nNIP 779-10-11-327\nCHLEB   4,99\nMASŁO   7,50\nSUMA   12,49\nKARTA   12,49\n07.03.2026"),
        .init(
            currency: .pln,
            text: "SKLEP\nCHLEB   4,99 zł\nMASŁO   7,50 zł\nSUMA   12,49 zł\nKARTA   12,49 zł\n07.03.2026"),
        .init(
            currency: .ron,
            text: """
                MEGA IMAGE
                C.I.F. RO6719278
                PAINE    4,99 A
                UNT      7,50 A
                TOTAL LEI   12,49
                CARD        12,49
                BON FISCAL
                07.03.2026
                """),
        .init(
            currency: .gbp,
            text: """
                TESCO
                London
                BREAD       £1.20
                BUTTER      £2.35
                TOTAL       £3.55
                CARD        £3.55
                07/03/2026
                """),
        .init(
            currency: .usd,
            text:
                "DINER\nNew York\nCOFFEE   $4.00\nBAGEL   $3.50\nSALES TAX   $0.60\nTOTAL   $8.10\nVISA   $8.10\n03/07/2026"
        ),
        .init(
            currency: .czk,
            text:
                "ALBERT\nDIČ CZ44012373\nCHLÉB   39,90 Kč\nMÁSLO   49,90 Kč\nCELKEM   89,80 Kč\nKARTA   89,80 Kč\n7.3.2026"
        ),
        .init(
            currency: .dkk,
            text: "NETTO\nCVR 35954716\nBRØD   22,95\nSMØR   19,95\nTOTAL   42,90 kr\nDANKORT   42,90 kr\n07.03.2026"),
        .init(
            currency: .huf,
            text:
                "SPAR\nNYUGTA\nKENYÉR   499,00 Ft\nVAJ   750,00 Ft\nTOTAL   1249,00 Ft\nKARTYA   1249,00 Ft\n2026.03.07"
        ),
    ]

    @Test(arguments: foreign)
    func `keeps a printed foreign currency, and leaves the receipt for review`(receipt: Case) {
        for source in [RecognizedPage.Source.ocr, .text] {
            let read = Layout.parse(receipt.text, source: source)
            #expect(read.currency == receipt.currency)
            #expect(read.items.allSatisfy { $0.total.map { $0.value.currency == receipt.currency } ?? true })
            #expect(read.reasons.contains(.currencyForeign))
            #expect(read.state == .review)
        }
    }

    private static let home: [Case] = [
        // The engine often reads € as £, and item names can look like currency codes.
        .init(
            currency: .eur,
            text:
                "LADEN\n12345 Ort\nHAVANA RON   12,99 £\nKR.SEITLINGE   2,00 £\nSUMME   14,99 £\nBAR   14,99 £\n07.03.2026"
        ),
        .init(
            currency: .eur,
            text: "LADEN\n12345 Ort\nRON   12,99\nLEI   2,00\nSUMME EUR   14,99\nBAR EUR   14,99\n07.03.2026"),
        // The card terminal offers to charge the card in the card's own currency.
        .init(
            currency: .eur,
            text: """
                LADEN
                12345 Ort
                BROT   3,40 A
                MILCH  1,10 A
                SUMME EUR   4,50
                Mastercard EUR   4,50
                Betrag PLN  19,35
                07.03.2026
                """),
        .init(
            currency: .chf,
            text:
                "LADEN\n8001 Zürich\nBROT   3,40\nMILCH   1,10\nTOTAL CHF   4,50\nBAR CHF   4,50\nTotal EUR   4,70\n07.03.2026"
        ),
    ]

    @Test(arguments: home) func `does not infer a foreign currency from item names, a misread sign or a second amount`(
        receipt: Case
    ) {
        let read = Layout.parse(receipt.text)
        #expect(read.currency == receipt.currency)
        #expect(!read.reasons.contains(.currencyForeign))
    }

    @Test func `leaves a receipt without any sign of its currency for review`() {
        let read = Layout.parse("MARKET\nCHLEB   4,99\nMASLO   7,50\nTOTAL   12,49\nVISA   12,49\n07.03.2026")
        #expect(read.reasons.contains(.currencyForeign))
    }
}
