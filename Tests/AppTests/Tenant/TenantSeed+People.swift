import Domain
import Postgres

@testable import App

extension TenantSeed {
    /// Inserts a second member, a second session and an API key of the owner, a webhook, and an open invitation.
    mutating func people() throws {
        let other = PersonID.new()
        try connection.query(
            """
            INSERT INTO person (id, login, name, password_hash)
            VALUES (\(other), \("\(other)@example.at"), \("\(mark) Zweite"), 'none')
            """)
        try connection.query(
            """
            INSERT INTO membership (household_id, person_id, role) VALUES (\(household), \(other), 'member')
            """)
        record(other, as: "person", "member")
        let session = SessionID.new()
        try connection.query(
            """
            INSERT INTO session (token_hash, id, person_id, household_id, csrf_secret, expires_at)
            VALUES (\(Array(session.description.utf8)), \(session), \(person), \(household),
                \(Array(session.description.utf8)), now() + interval '1 day')
            """)
        record(session, as: "session")
        let key = KeyID.new()
        try connection.query(
            """
            INSERT INTO api_key (token_hash, id, household_id, person_id, name, hint, scopes)
            VALUES (\(Array(key.description.utf8)), \(key), \(household), \(person), \("\(mark)schlüssel"), 'at_',
                \(KeyScope.allCases))
            """)
        record(key, as: "key")
        try webhook()
        let invitation = InvitationID.new()
        try connection.query(
            """
            INSERT INTO invitation (token_hash, id, household_id, role, created_by, expires_at)
            VALUES (\(Array(invitation.description.utf8)), \(invitation), \(household), 'member', \(person),
                now() + interval '1 day')
            """)
        record(invitation, as: "invitation")
        // A link contains a secret, not an identifier. The identifier must not work in its place.
        record(invitation, as: "token")
    }

    /// Inserts a webhook with a message whose delivery was given up.
    mutating func webhook() throws {
        let (webhook, delivery) = (WebhookID.new(), DeliveryID.new())
        try connection.query(
            """
            INSERT INTO webhook (household_id, id, url, events, secret, added_by, confirmed_by)
            VALUES (\(household), \(webhook), \("http://\(mark.lowercased()).invalid/"), ARRAY['receipt.read'],
                \("whs_\(mark)"), \(person), \(person))
            """)
        try connection.query(
            """
            INSERT INTO webhook_delivery (household_id, id, webhook_id, event, subject, body, dead_at)
            VALUES (\(household), \(delivery), \(webhook), 'test', \(mark), '{}', now())
            """)
        record(webhook, as: "webhook")
        record(delivery, as: "delivery")
    }
}
