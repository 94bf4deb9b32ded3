import Domain
import EventLoop
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

@Suite(.timeLimit(.minutes(5))) struct IdempotentRequestsTests {
    @Test(.database) func `a request that takes longer than its lease does not run a second time`() async throws {
        try await AppHarness.run { harness in
            let scene = SyncScene(harness, try await harness.signUp())
            let owner = try harness.owner()
            let requests = IdempotentRequests(database: harness.database, renewalInterval: .milliseconds(20))
            let client = APIClient(member: scene.member, scopes: [.write], key: nil)
            let head = RequestHead(method: .post, target: "/api/v1/receipts")
            let loop = try #require(EventLoop.current)
            let first = try await requests.run("eins", head, client, RequestBody([])) { _ in
                try owner.query("UPDATE idempotent_request SET leased_until = now() - interval '1 second'")
                var isRenewed = false
                for _ in 0..<500 where !isRenewed {
                    await loop.sleep(for: .milliseconds(10))
                    let rows = try owner.query("SELECT leased_until > now() FROM idempotent_request")
                    isRenewed = try rows.first(Bool.self) ?? false
                }
                #expect(isRenewed)
                let problem = await #expect(throws: APIProblem.self) {
                    try await requests.run("eins", head, client, RequestBody([])) { _ in .text("zwei") }
                }
                #expect(problem?.type == .requestInProgress)
                return .text("eins")
            }
            #expect(first.status == .ok)
            let again = try await requests.run("eins", head, client, RequestBody([])) { _ in .text("drei") }
            #expect(again.headers["Idempotency-Replayed"] == "true")
        }
    }
}
