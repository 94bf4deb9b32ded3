-- Forgotten passwords, and the settings of a household's region.

-- One-time links to set a new password. Global, like invitation: found by the hash of the token.
CREATE TABLE password_reset (
    token_hash bytea PRIMARY KEY,
    person_id uuid NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    -- The owner who made the link; NULL for allesteurer reset-link.
    created_by uuid REFERENCES person (id) ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL
);
CREATE INDEX password_reset_person_idx ON password_reset (person_id);
CREATE INDEX password_reset_created_by_idx ON password_reset (created_by);
GRANT SELECT, INSERT, UPDATE, DELETE ON password_reset TO allesteurer_app;

-- The IANA name of the household's time zone; NULL: that of the server.
ALTER TABLE household ADD COLUMN time_zone text;
ALTER TABLE household ADD CONSTRAINT household_time_zone_check CHECK (length(time_zone) BETWEEN 1 AND 64);

-- As before, with the household's country and time zone, in which "today" is computed.
DROP FUNCTION signed_in(bytea, interval);
CREATE FUNCTION signed_in(token bytea, idle interval)
RETURNS TABLE (
    session_id uuid, person_id uuid, household_id uuid, name text, language text, role text, csrf_secret bytea,
    seen_at timestamptz, household_name text, country text, time_zone text, waiting bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT s.id, s.person_id, s.household_id, p.name, p.language, m.role, s.csrf_secret, s.seen_at, h.name, h.country,
        h.time_zone,
        (SELECT count(*) FROM receipt r
         WHERE r.household_id = s.household_id AND r.stage <> 'confirmed' AND r.discarded_at IS NULL
            AND (r.hidden_until IS NULL OR r.hidden_until <= current_date OR r.person_id = s.person_id))
    FROM session s
    JOIN person p ON p.id = s.person_id
    JOIN membership m ON m.household_id = s.household_id AND m.person_id = s.person_id
    JOIN household h ON h.id = s.household_id
    WHERE s.token_hash = token AND s.expires_at > now() AND s.seen_at > now() - idle;
END
$$;
REVOKE ALL ON FUNCTION signed_in(bytea, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION signed_in(bytea, interval) TO allesteurer_app;
