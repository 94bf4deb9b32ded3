-- The question of every page, who asks, planned once a connection: a function in SQL that runs with its owner's rights
-- is planned anew at each call, which took longer than many a page. The same question in PL/pgSQL keeps its plan.

CREATE OR REPLACE FUNCTION signed_in(token bytea, idle interval)
RETURNS TABLE (
    session_id uuid, person_id uuid, household_id uuid, name text, language text, role text, csrf_secret bytea,
    seen_at timestamptz, household_name text, waiting bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT s.id, s.person_id, s.household_id, p.name, p.language, m.role, s.csrf_secret, s.seen_at, h.name,
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

-- What the planner knows of the tables that an import fills, brought up to date when it ends: the app may not ANALYZE
-- tables that it does not own, and autovacuum comes a minute later, in which lists are read in seconds instead of
-- milliseconds. Pictures are not looked at.
CREATE FUNCTION refresh_statistics() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
    ANALYZE store, category, product, product_package, product_alias, receipt, receipt_line, price, price_month,
        spending_month, change_log;
END
$$;
REVOKE ALL ON FUNCTION refresh_statistics() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION refresh_statistics() TO allesteurer_app;
