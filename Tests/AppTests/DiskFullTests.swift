import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// PostgreSQL's disk is full: a write fails with SQLSTATE 53100.
@Suite(.timeLimit(.minutes(5))) struct DiskFullTests {
    @Test(.database)
    func `answers 507 with a plain explanation, and reports the fault on the overview and to monitors`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            #expect(try await anna.get("/readyz").status == .ok)
            try harness.owner().run(
                script: """
                    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
                    BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
                    CREATE TRIGGER refuse BEFORE UPDATE ON person FOR EACH ROW EXECUTE FUNCTION refuse();
                    """)
            let answer = try await anna.post("/settings/account", ["name": "Anna Neu", "language": "de"])
            #expect(answer.status == .insufficientStorage)
            #expect(answer.headers[.retryAfter] == "60")
            #expect(answer.text.contains("Der Speicherplatz des Servers ist voll"))
            #expect(answer.text.contains("Anna Neu"))
            let readiness = try await anna.get("/readyz")
            #expect(readiness.status == .serviceUnavailable)
            #expect(readiness.text == "the database's disk is full\n")
            #expect(try await anna.get("/").text.contains("Der Speicherplatz des Servers ist voll"))
        }
    }
}
