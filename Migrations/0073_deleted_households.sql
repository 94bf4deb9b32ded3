-- Deleted households, and the accounts of people who belong to no household.

-- Households whose members have lost access, until all their rows are erased. A global table of ids without contents,
-- like job. Does not reference household, whose row is deleted before the row of this table.
CREATE TABLE household_deletion (
    household_id uuid PRIMARY KEY,
    requested_at timestamptz NOT NULL DEFAULT now()
);
GRANT SELECT, INSERT, DELETE ON household_deletion TO allesteurer_app;

-- Deletes rows of the change log and of revisions of a deleted household, at most `most` of each. Returns the larger of
-- both numbers. The application's role may not delete them itself.
CREATE FUNCTION erase_history(household uuid, most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
    revisions integer;
    entries integer;
BEGIN
    IF household IS DISTINCT FROM NULLIF(current_setting('app.household', true), '')::uuid
        OR NOT EXISTS (SELECT 1 FROM household_deletion h WHERE h.household_id = household) THEN RETURN 0; END IF;
    DELETE FROM document_revision d
    USING (SELECT o.document_type, o.document_id, o.generation, o.hash FROM document_revision o
        WHERE o.household_id = household LIMIT most) n
    WHERE d.household_id = household AND d.document_type = n.document_type AND d.document_id = n.document_id
        AND d.generation = n.generation AND d.hash = n.hash;
    GET DIAGNOSTICS revisions = ROW_COUNT;
    DELETE FROM change_log l
    USING (SELECT o.seq FROM change_log o WHERE o.household_id = household ORDER BY o.seq LIMIT most) n
    WHERE l.household_id = household AND l.seq = n.seq;
    GET DIAGNOSTICS entries = ROW_COUNT;
    RETURN greatest(revisions, entries);
END
$$;
REVOKE ALL ON FUNCTION erase_history(uuid, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION erase_history(uuid, integer) TO allesteurer_app;

-- Deletes the passwords of those of the people who belong to no household. No password matches '!', which is no hash.
CREATE FUNCTION forget_passwords(people uuid[]) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
    UPDATE person p SET password_hash = '!' WHERE p.id = ANY (people)
        AND NOT EXISTS (SELECT 1 FROM membership m WHERE m.person_id = p.id)
$$;
REVOKE ALL ON FUNCTION forget_passwords(uuid[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION forget_passwords(uuid[]) TO allesteurer_app;

-- People who were removed before.
UPDATE person p SET password_hash = '!' WHERE NOT EXISTS (SELECT 1 FROM membership m WHERE m.person_id = p.id);
DELETE FROM known_device d WHERE NOT EXISTS (SELECT 1 FROM membership m WHERE m.person_id = d.person_id);
DELETE FROM password_reset r WHERE NOT EXISTS (SELECT 1 FROM membership m WHERE m.person_id = r.person_id);
