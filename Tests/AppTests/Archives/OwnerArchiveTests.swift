import Archive
import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// The rows that an owner can add to the installation with an archive.
@Suite(.timeLimit(.minutes(5))) struct OwnerArchiveTests {
    @Test(.database) func `stores only people to whom rows refer, and only jobs of receipts that are being read`()
        async throws
    {
        try await ArchivedScene.run { scene in
            let picture = HostilePictures.png(width: 400, height: 900)
            let uploaded = try await scene.anna.upload(
                "/receipts", field: "files", fileName: "a.png", type: "image/png", picture)
            #expect(uploaded.status == .seeOther)
            let path = try await scene.backUp(.household(scene.household))
            let author = PersonID.new()
            var others = [author] + (0..<500).map { _ in PersonID.new() }
            let forgedArchive = try scene.forge(path) { part, line in
                let text = String(decoding: line, as: UTF8.self)
                switch part.name {
                case "people":
                    let copies = others.map { id in
                        text.replacing(#/"id": "[^"]*"/#, with: "\"id\": \"\(id)\"")
                            .replacing(#/"login": "[^"]*"/#, with: "\"login\": \"\(id)@example.at\"")
                    }
                    others = []
                    return [line] + copies.map { Array($0.utf8) }
                case "receipt":
                    return [
                        Array(
                            text.replacing(
                                #/"person_id": (?:"[^"]*"|null)/#, with: "\"person_id\": \"\(author)\""
                            ).utf8)
                    ]
                case "job":
                    let copies = (0..<300).map { n in
                        text.replacing(#/"id": "[^"]*"/#, with: "\"id\": \"\(JobID.new())\"")
                            .replacing(#/"subject_id": "[^"]*"/#, with: "\"subject_id\": \"\(ReceiptID.new())\"")
                            .replacing("\"read\"", with: n < 150 ? "\"read\"" : "\"deliver\"")
                    }
                    return [line] + copies.map { Array($0.utf8) }
                default: return [line]
                }
            }
            let owner = try scene.harness.owner()
            let countBefore = try #require(try owner.query("SELECT count(*) FROM person").first(Int64.self))
            let copy = HouseholdID.new()
            let people = try await scene.restoration(forgedArchive).restoreHousehold(
                scene.pool, .household(scene.household, owner: scene.anna.person), as: copy)
            #expect(people.filter { $0.kind == .former }.map(\.archived) == [author.relabelled()])
            #expect(try owner.query("SELECT count(*) FROM person").first(Int64.self) == countBefore + 1)
            let jobs = try owner.query(
                """
                SELECT j.kind, r.stage FROM job j
                JOIN receipt r ON r.household_id = j.household_id AND r.id = j.subject_id
                WHERE j.household_id = \(copy)
                """
            ).decode((String, String).self)
            #expect(jobs.map { "\($0.0) \($0.1)" } == ["read reading"])
            #expect(
                try owner.query("SELECT count(*) FROM job WHERE household_id = \(copy)").first(Int64.self) == 1)
        }
    }
}
