import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Pages show a viewer only the links and forms that viewers may use.
@Suite(.timeLimit(.minutes(5))) struct ViewerPagesTests {
    /// The forms and links of a page.
    private static func targets(_ page: String) -> [(method: HTTP.Method, path: String)] {
        let forms = page.matches(of: #/<form[^>]* method="post"[^>]*? action="([^"?]+)/#).map {
            (HTTP.Method.post, String($0.output.1))
        }
        let links = page.matches(of: #/<a [^>]*?href="(\/[^"?#]*)/#).map { (HTTP.Method.get, String($0.output.1)) }
        return forms + links
    }

    @Test(.database) func `pages show a viewer no forms and links that need another role`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let vera = try await harness.join(anna, as: .viewer)
            let scene = try harness.scene(anna)
            let waitingReceipt = try scene.receipt([("MILCH", 179)])
            let discarded = try scene.receipt([("BROT", 329)])
            try await harness.discard(discarded, by: anna)
            let confirmed = try scene.receipt([("SEIFE", 199)])
            try await harness.confirm(confirmed, by: anna)
            let product = try await harness.product("Kerzen", chain: "hofer", by: anna)
            let store = try #require(try scene.owner.query("SELECT id FROM store").first(StoreID.self))
            let paths = [
                "/", "/receipts", "/receipts/discarded", "/receipts/\(waitingReceipt)", "/receipts/\(confirmed)",
                "/receipts/\(confirmed)/history", "/lost-values", "/products", "/products/\(product)", "/compare",
                "/compare/basket", "/matching", "/settings", "/settings/account", "/settings/household",
                "/settings/stores-and-categories", "/settings/stores/\(store)",
            ]
            for path in paths {
                let page = try await vera.get(path)
                #expect(page.status == .ok, "\(path)")
                for target in Self.targets(page.text) {
                    let segments = target.path.split(separator: "/").map(String.init)
                    guard case .found(let route, _) = harness.app.routes.match(target.method, segments),
                        case .member(let role, _) = route.handler.handler
                    else { continue }
                    #expect(role == .viewer, "\(path): \(target.method.name) \(target.path)")
                }
            }
            let page = try await anna.get("/receipts/\(confirmed)").text
            #expect(page.contains("/receipts/\(confirmed)/discard") && page.contains("/receipts/new"))
        }
    }

    @Test(.database) func `pages do not ask a viewer to confirm receipts or to match names`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let vera = try await harness.join(anna, as: .viewer)
            let scene = try harness.scene(anna)
            _ = try scene.receipt([("MILCH", 179)])
            let booked = try scene.receipt([("SEIFE", 199)])
            try await harness.confirm(booked, by: anna)
            for path in ["/", "/receipts", "/receipts/\(booked)", "/products", "/compare"] {
                let pages = try await (anna.get(path).text, vera.get(path).text)
                // The tabs have the title of the page of new names, which a viewer may see.
                #expect(pages.0.contains("Wartet auf Sie") || pages.0.contains("Neue Namen zuordnen"), "\(path)")
                #expect(!pages.1.contains("Wartet auf Sie") && !pages.1.contains("Neue Namen zuordnen"), "\(path)")
            }
            #expect(try await vera.get("/receipts").text.contains("Noch nicht bestätigt"))
        }
    }

    @Test(.database) func `a viewer sees the lines of a waiting receipt, but not its form`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let vera = try await harness.join(anna, as: .viewer)
            let receipt = try harness.scene(anna).receipt([("MILCH", 179)])
            #expect(try await vera.get("/receipts/\(receipt)/review").location == "/receipts/\(receipt)")
            let page = try await vera.get("/receipts/\(receipt)").text
            #expect(page.contains("MILCH") && !page.contains("review-form"))
            #expect(try await anna.get("/receipts/\(receipt)").location == "/receipts/\(receipt)/review")
            let undated = try harness.scene(anna).receipt([("BROT", 329)], head: .init(day: nil))
            #expect(try await vera.get("/receipts/\(undated)").text.contains(", Datum unbekannt – AllesTeurer</title>"))
        }
    }

    @Test(.database) func `the error page of a missing role names the role, not the form`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let vera = try await harness.join(anna, as: .viewer)
            let page = try await vera.get("/receipts/new")
            #expect(
                page.status == .forbidden && page.text.contains("Bitten Sie einen Inhaber, Ihnen das Recht zu geben."))
            #expect(!page.text.contains("anderen Haushalt") && !page.text.contains("zu lange offen"))
            // The same request would be refused again.
            #expect(!page.text.contains("versuchen Sie es noch einmal"))
        }
    }
}
