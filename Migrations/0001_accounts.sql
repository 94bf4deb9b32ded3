-- People, households and how they are known before a household is set.
--
-- Tenant = household. Tables whose key begins with household_id are tenant tables: row-level security stands behind
-- every statement, as the second wall. The others are global: they are read by a hashed token or a name before the
-- household is known, and hold no contents.
--
-- The application's role is allesteurer_app: it owns nothing and cannot bypass row-level security.

CREATE TABLE person (
    id uuid PRIMARY KEY,
    -- What a person types to sign in: NFC, trimmed, lower case.
    login text NOT NULL,
    name text NOT NULL,
    -- PHC string of Argon2id.
    password_hash text NOT NULL,
    language text NOT NULL DEFAULT 'de',
    created_at timestamptz NOT NULL DEFAULT now(),
    password_changed_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT person_login_key UNIQUE (login),
    CONSTRAINT person_login_check CHECK (length(login) BETWEEN 1 AND 254),
    CONSTRAINT person_name_check CHECK (length(name) BETWEEN 1 AND 100),
    CONSTRAINT person_language_check CHECK (language IN ('de', 'en'))
);

CREATE TABLE household (
    id uuid PRIMARY KEY,
    name text NOT NULL,
    currency text NOT NULL DEFAULT 'EUR',
    country text NOT NULL DEFAULT 'AT',
    -- The last number of the change log: taken by the first statement of every writing transaction, so its row lock
    -- orders writers and sequence order equals commit order.
    sync_seq bigint NOT NULL DEFAULT 0,
    -- Key of the duplicate check: HMAC over an upload's bytes. Never leaves the household's row.
    digest_key bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT household_name_check CHECK (length(name) BETWEEN 1 AND 100),
    CONSTRAINT household_currency_check CHECK (currency IN ('EUR', 'CHF')),
    CONSTRAINT household_country_check CHECK (country IN ('AT', 'DE', 'CH'))
);

CREATE TABLE membership (
    household_id uuid NOT NULL REFERENCES household (id) ON DELETE CASCADE,
    person_id uuid NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    role text NOT NULL,
    joined_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (household_id, person_id),
    CONSTRAINT membership_role_check CHECK (role IN ('owner', 'member', 'viewer'))
);
CREATE INDEX membership_person_idx ON membership (person_id);

CREATE TABLE session (
    -- SHA-256 of the cookie's token: a stolen table opens no session.
    token_hash bytea PRIMARY KEY,
    -- For lists and links, where the hash must not appear.
    id uuid NOT NULL,
    person_id uuid NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    household_id uuid NOT NULL,
    -- Secret of this session's CSRF tokens.
    csrf_secret bytea NOT NULL,
    client text NOT NULL DEFAULT '',
    created_at timestamptz NOT NULL DEFAULT now(),
    seen_at timestamptz NOT NULL DEFAULT now(),
    -- Absolute end; the idle limit is judged from seen_at.
    expires_at timestamptz NOT NULL,
    CONSTRAINT session_id_key UNIQUE (id),
    -- Leaving a household ends its sessions.
    CONSTRAINT session_membership_fkey FOREIGN KEY (household_id, person_id)
        REFERENCES membership (household_id, person_id) ON DELETE CASCADE,
    CONSTRAINT session_client_check CHECK (length(client) <= 200)
);
CREATE INDEX session_person_idx ON session (person_id);
CREATE INDEX session_expires_idx ON session (expires_at);

-- One-time links: the set-up of the first household, and invitations.
CREATE TABLE invitation (
    token_hash bytea PRIMARY KEY,
    id uuid NOT NULL,
    -- NULL: the link sets up a household of its own.
    household_id uuid REFERENCES household (id) ON DELETE CASCADE,
    role text NOT NULL,
    created_by uuid REFERENCES person (id) ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    used_at timestamptz,
    CONSTRAINT invitation_id_key UNIQUE (id),
    CONSTRAINT invitation_role_check CHECK (role IN ('owner', 'member', 'viewer'))
);
CREATE INDEX invitation_household_idx ON invitation (household_id);

-- Failed sign-ins by what was tried: the account's login or the address, hashed. Rows are swept when they are old.
CREATE TABLE sign_in_failure (
    subject bytea PRIMARY KEY,
    failures integer NOT NULL,
    -- Before this instant no further try is answered with an evaluation.
    blocked_until timestamptz NOT NULL,
    last_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX sign_in_failure_last_idx ON sign_in_failure (last_at);

-- One row: facts about this installation.
CREATE TABLE installation (
    id boolean PRIMARY KEY DEFAULT true,
    -- Changed after a restore, so that sync clients compare everything again.
    uuid uuid NOT NULL DEFAULT gen_random_uuid(),
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT installation_single_check CHECK (id)
);
INSERT INTO installation DEFAULT VALUES;

ALTER TABLE household ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON household USING (id = NULLIF(current_setting('app.household', true), '')::uuid);

GRANT SELECT, INSERT, UPDATE, DELETE ON person, household, membership, session, invitation, sign_in_failure TO allesteurer_app;
GRANT SELECT ON installation TO allesteurer_app;
