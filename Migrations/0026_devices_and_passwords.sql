-- Devices on which a person has signed in before. Failed sign-ins on them are counted separately, so that a stranger who
-- guesses a person's password cannot keep that person out.
CREATE TABLE known_device (
    -- SHA-256 of the cookie's token. A device can be used by several persons.
    token_hash bytea NOT NULL,
    person_id uuid NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    used_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (token_hash, person_id)
);
CREATE INDEX known_device_person_idx ON known_device (person_id, used_at);
CREATE INDEX known_device_used_idx ON known_device (used_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON known_device TO allesteurer_app;

-- The application's role cannot read or change password hashes except through the functions below: one at a time, and
-- never without the hash that was verified.
REVOKE SELECT, UPDATE ON person FROM allesteurer_app;
GRANT SELECT (id, login, name, language, created_at, password_changed_at), UPDATE (login, name, language)
    ON person TO allesteurer_app;

CREATE FUNCTION password_of_login(sought text)
RETURNS TABLE (person_id uuid, household_id uuid, password_hash text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
    SELECT p.id, m.household_id, p.password_hash
    FROM person p JOIN membership m ON m.person_id = p.id
    WHERE p.login = sought ORDER BY m.joined_at LIMIT 1
$$;
REVOKE ALL ON FUNCTION password_of_login(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION password_of_login(text) TO allesteurer_app;

CREATE FUNCTION password_of_person(sought uuid) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$ SELECT p.password_hash FROM person p WHERE p.id = sought $$;
REVOKE ALL ON FUNCTION password_of_person(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION password_of_person(uuid) TO allesteurer_app;

-- Whether the person still has the password that was verified. Locks the row until the end of the transaction, so that a
-- change of the password waits and then ends the session that the transaction begins.
CREATE FUNCTION keeps_password(sought uuid, verified text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
    PERFORM 1 FROM person p WHERE p.id = sought AND p.password_hash = verified FOR UPDATE;
    RETURN found;
END
$$;
REVOKE ALL ON FUNCTION keeps_password(uuid, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION keeps_password(uuid, text) TO allesteurer_app;

-- Replaces the hash that was verified. Returns false, and changes nothing, if the person has another one by now.
-- `is_new`: another password, not the same one hashed with other parameters.
CREATE FUNCTION replace_password(sought uuid, verified text, replacement text, is_new boolean) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
    UPDATE person p SET password_hash = replacement,
        password_changed_at = CASE WHEN is_new THEN now() ELSE p.password_changed_at END
    WHERE p.id = sought AND p.password_hash = verified;
    RETURN found;
END
$$;
REVOKE ALL ON FUNCTION replace_password(uuid, text, text, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION replace_password(uuid, text, text, boolean) TO allesteurer_app;
