-- Keys with which programs call the API in a member's name.

-- Global, like session: found by the hash of the key before the household is known. Holds no contents.
CREATE TABLE api_key (
    -- SHA-256 of the key's random bytes: a stolen table opens nothing.
    token_hash bytea PRIMARY KEY,
    -- For lists, links and the command line, where the hash must not appear.
    id uuid NOT NULL,
    household_id uuid NOT NULL,
    person_id uuid NOT NULL,
    -- What the person calls the program that has the key.
    name text NOT NULL,
    -- The first characters of the key, to recognise it.
    hint text NOT NULL,
    scopes text[] NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    -- NULL: valid until it is revoked.
    expires_at timestamptz,
    -- Written at most every few minutes.
    used_at timestamptz,
    CONSTRAINT api_key_id_key UNIQUE (id),
    -- Leaving a household ends its keys.
    CONSTRAINT api_key_membership_fkey FOREIGN KEY (household_id, person_id)
        REFERENCES membership (household_id, person_id) ON DELETE CASCADE,
    CONSTRAINT api_key_name_check CHECK (length(name) BETWEEN 1 AND 100),
    CONSTRAINT api_key_hint_check CHECK (length(hint) <= 12),
    CONSTRAINT api_key_scopes_check CHECK (
        scopes <@ ARRAY['read', 'write', 'upload', 'sync', 'admin'] AND cardinality(scopes) BETWEEN 1 AND 5)
);
CREATE INDEX api_key_membership_idx ON api_key (household_id, person_id);
GRANT SELECT, INSERT, UPDATE, DELETE ON api_key TO allesteurer_app;

-- Everything that a request needs to know about the owner of a key, in one query, before the household is set. The
-- function runs with its owner's rights, because the household's row is behind row-level security; it returns nothing
-- without the key.
CREATE FUNCTION api_client(token bytea)
RETURNS TABLE (
    key_id uuid, scopes text[], used_at timestamptz, person_id uuid, household_id uuid, name text, language text,
    role text, country text, time_zone text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT k.id, k.scopes, k.used_at, k.person_id, k.household_id, p.name, p.language, m.role, h.country, h.time_zone
    FROM api_key k
    JOIN person p ON p.id = k.person_id
    JOIN membership m ON m.household_id = k.household_id AND m.person_id = k.person_id
    JOIN household h ON h.id = k.household_id
    WHERE k.token_hash = token AND (k.expires_at IS NULL OR k.expires_at > now());
END
$$;
REVOKE ALL ON FUNCTION api_client(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION api_client(bytea) TO allesteurer_app;

-- Answers of POST requests with an Idempotency-Key, kept for a day: a client that repeats a request gets the same answer.
CREATE TABLE idempotent_request (
    household_id uuid NOT NULL REFERENCES household (id) ON DELETE CASCADE,
    -- The API key, or the person of a session.
    client_id uuid NOT NULL,
    -- SHA-256 of the Idempotency-Key field.
    key_hash bytea NOT NULL,
    -- SHA-256 of method and target.
    target_hash bytea NOT NULL,
    -- Of the process that answers; only it may store the answer.
    attempt_id uuid NOT NULL,
    -- A request that was interrupted can be repeated after this time.
    leased_until timestamptz NOT NULL,
    started_at timestamptz NOT NULL DEFAULT now(),
    -- NULL while the request runs.
    status integer,
    -- SHA-256 of the body.
    body_hash bytea,
    -- Name and value in turns.
    headers text[],
    answer bytea,
    PRIMARY KEY (household_id, client_id, key_hash),
    CONSTRAINT idempotent_request_answer_check CHECK (length(answer) <= 1048576)
);
CREATE INDEX idempotent_request_started_idx ON idempotent_request (household_id, started_at);
ALTER TABLE idempotent_request ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON idempotent_request
    USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON idempotent_request TO allesteurer_app;
