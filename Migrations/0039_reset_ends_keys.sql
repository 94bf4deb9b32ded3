-- A password reset ends the person's API keys too, in every household: whoever has a stolen account may have made one.
CREATE OR REPLACE FUNCTION reset_password(token bytea, replacement text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
    found_person uuid;
BEGIN
    -- An owner's link is valid only while its creator is an owner of the person's only household.
    DELETE FROM password_reset r
    WHERE r.token_hash = token AND r.expires_at > now() AND (r.created_by IS NULL
        OR EXISTS (SELECT 1 FROM membership m
            JOIN membership o ON o.household_id = m.household_id AND o.person_id = r.created_by AND o.role = 'owner'
            WHERE m.person_id = r.person_id)
        AND (SELECT count(*) FROM membership a WHERE a.person_id = r.person_id) = 1)
    RETURNING r.person_id INTO found_person;
    IF found_person IS NULL THEN
        RETURN false;
    END IF;
    UPDATE person p SET password_hash = replacement, password_changed_at = now() WHERE p.id = found_person;
    DELETE FROM session s WHERE s.person_id = found_person;
    DELETE FROM api_key k WHERE k.person_id = found_person;
    DELETE FROM password_reset r WHERE r.person_id = found_person;
    RETURN true;
END
$$;
