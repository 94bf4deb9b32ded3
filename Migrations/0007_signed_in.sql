-- Everything a page needs to know about who asks, in one query, before the household is set: the session, the person,
-- the membership, the household's name and how many receipts wait. The function runs with its owner's rights, because
-- the household's rows are behind row-level security; it gives out nothing without the session's token.

CREATE FUNCTION signed_in(token bytea, idle interval)
RETURNS TABLE (
    session_id uuid, person_id uuid, household_id uuid, name text, language text, role text, csrf_secret bytea,
    seen_at timestamptz, household_name text, waiting bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
    SELECT s.id, s.person_id, s.household_id, p.name, p.language, m.role, s.csrf_secret, s.seen_at, h.name,
        (SELECT count(*) FROM receipt r
         WHERE r.household_id = s.household_id AND r.stage <> 'confirmed' AND r.discarded_at IS NULL
            AND (r.hidden_until IS NULL OR r.hidden_until <= current_date OR r.person_id = s.person_id))
    FROM session s
    JOIN person p ON p.id = s.person_id
    JOIN membership m ON m.household_id = s.household_id AND m.person_id = s.person_id
    JOIN household h ON h.id = s.household_id
    WHERE s.token_hash = token AND s.expires_at > now() AND s.seen_at > now() - idle
$$;
REVOKE ALL ON FUNCTION signed_in(bytea, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION signed_in(bytea, interval) TO allesteurer_app;

-- What a one-time link offers to somebody who is not signed in: the names that its page shows.
CREATE FUNCTION open_invitation(token bytea)
RETURNS TABLE (
    id uuid, household_id uuid, role text, inviter_name text, household_name text, expires_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
    SELECT i.id, i.household_id, i.role, p.name, h.name, i.expires_at
    FROM invitation i
    LEFT JOIN person p ON p.id = i.created_by
    LEFT JOIN household h ON h.id = i.household_id
    WHERE i.token_hash = token AND i.used_at IS NULL AND i.expires_at > now()
$$;
REVOKE ALL ON FUNCTION open_invitation(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION open_invitation(bytea) TO allesteurer_app;
