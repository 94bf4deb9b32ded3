import Domain
import JSON
import Recognition
import Wines

/// Wines as JSON. The names and types must not change, because existing native clients parse them.
enum WineJSON {
    static func write(_ wine: StoredWine, _ json: inout JSONWriter) {
        let score = wine.shownScore
        json.member("id", wine.id.description)
        json.member("producer", wine.producer)
        json.member("name", wine.name)
        json.member("vintage", wine.vintage)
        json.member("region", wine.region)
        json.member("country", wine.country)
        json.member("color", wine.colour?.rawValue)
        json.array("grapeVarieties") { json in for grape in wine.grapes { json.value(grape) } }
        json.member("score", wine.points)
        json.member("tastingNote", score.flatMap { $0.note.isEmpty ? nil : $0.note })
        json.member("reviewerInitials", score.flatMap { $0.critic.isEmpty ? nil : $0.critic })
        json.member("drinkWindowStart", wine.drinkFrom)
        json.member("drinkWindowEnd", wine.drinkUntil)
        json.key("releasePrice") { json in
            if let price = wine.releasePrice { json.value(decimal: price.plain) } else { json.null() }
        }
        // A date with a time, because Foundation's ISO 8601 decoding rejects a date without a time.
        json.member("reviewDate", score?.reviewedOn.map { "\($0.iso)T00:00:00Z" })
    }

    /// Writes a confidence in thousandths as a number from 0 to 1.
    static func confidence(_ thousandths: Int, _ json: inout JSONWriter) {
        json.member("confidence", decimal: DecimalText.plain(Int64(thousandths), decimals: 3))
    }

    static func write(_ list: MatchedList, _ json: inout JSONWriter) {
        json.array("pages") { json in
            for page in list.list.pages {
                json.object { json in
                    json.member("width", page.width)
                    json.member("height", page.height)
                    // The upper left, upper right and lower left corners of the page on the uploaded picture, in
                    // millionths of the picture's width and height.
                    json.array("corners") { json in for number in page.placement?.numbers ?? [] { json.value(number) } }
                }
            }
        }
        json.array("entries") { json in
            for entry in list.entries { json.object { write(entry, list.home, &$0) } }
        }
    }

    private static func write(_ entry: MatchedList.Entry, _ home: CurrencyCode, _ json: inout JSONWriter) {
        let printed = entry.printed
        json.member("text", printed.text)
        json.member("page", printed.page)
        json.object("box") { json in
            json.member("x", printed.textBox.x)
            json.member("y", printed.textBox.y)
            json.member("width", printed.textBox.width)
            json.member("height", printed.textBox.height)
        }
        json.member("producer", printed.producer)
        json.member("name", printed.name)
        json.member("vintage", printed.vintage)
        json.member("nonVintage", printed.isNonVintage)
        json.member("region", printed.region)
        json.member("country", printed.country)
        json.member("grape", printed.grape)
        json.member("color", printed.color?.rawValue)
        json.array("prices") { json in
            for price in printed.prices {
                let currency = price.currency.flatMap { CurrencyCode($0) } ?? home
                json.object { json in
                    json.member("size", price.size)
                    json.member("serving", price.serving.rawValue)
                    json.member(
                        "amount", decimal: Amount(minorUnits: Int64(price.amount), currency: currency).plain)
                    json.member("currency", currency.code)
                }
            }
        }
        json.key("match") { json in
            guard let wine = entry.wine, let kind = entry.kind else { return json.null() }
            json.object { json in
                json.object("wine") { write(wine, &$0) }
                confidence(entry.confidence, &json)
                json.member("kind", kind.rawValue)
                json.member("isSure", entry.isSure)
            }
        }
        json.array("candidates") { json in
            for candidate in entry.candidates {
                json.object { json in
                    json.object("wine") { write(candidate.wine, &$0) }
                    confidence(candidate.confidence, &json)
                }
            }
        }
        json.key("value") { json in
            guard let rank = entry.rank else { return json.null() }
            json.object { json in
                json.member("share", decimal: DecimalText.plain(Int64(rank.share), decimals: 3))
                json.member("compared", rank.comparedCount)
                json.member("isBest", rank.isBest)
            }
        }
    }
}
