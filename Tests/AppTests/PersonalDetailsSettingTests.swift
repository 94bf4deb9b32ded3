import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

@Suite(.timeLimit(.minutes(5))) struct PersonalDetailsSettingTests {
    @Test(.database)
    func `personal details are covered unless an owner changes the setting, and only an owner can change it`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let results = ReadingResults(database: harness.database)
            #expect(try await results.settings(anna.household).keepsPersonalDetails == false)

            let page = try await anna.get("/settings/household")
            #expect(page.text.contains(#"name="cover" value="yes" checked"#))
            let refusal = try await paul.post("/settings/personal-details")
            #expect(refusal.status == .forbidden)
            #expect(try await results.settings(anna.household).keepsPersonalDetails == false)

            _ = try await anna.post("/settings/personal-details", on: page)
            #expect(try await results.settings(anna.household).keepsPersonalDetails)
            _ = try await anna.post("/settings/personal-details", ["cover": "yes"], on: page)
            #expect(try await results.settings(anna.household).keepsPersonalDetails == false)
        }
    }
}
