-- What is gone for good is gone from the change log too: of a receipt whose time to be taken back is over, only the
-- numbers of its changes and the tombstone stay. The app appends to the log and changes nothing in it; this function does
-- it with its owner's rights, in the household of the transaction alone.
CREATE FUNCTION forget_documents(household uuid, documents uuid[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
    UPDATE change_log SET body = NULL
    WHERE household_id = household AND household = NULLIF(current_setting('app.household', true), '')::uuid
        AND document_id = ANY (documents) AND body IS NOT NULL;
END
$$;
REVOKE ALL ON FUNCTION forget_documents(uuid, uuid[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION forget_documents(uuid, uuid[]) TO allesteurer_app;

-- Whose documents are gone already: a tombstone is the last entry.
UPDATE change_log c SET body = NULL
WHERE c.document_type = 'receipt' AND c.body IS NOT NULL AND EXISTS (
    SELECT 1 FROM change_log t WHERE t.household_id = c.household_id AND t.document_id = c.document_id AND t.deleted);

-- People who belong to no household any more keep no e-mail address, so that it can be invited again.
UPDATE person p SET login = 'removed ' || p.id
WHERE NOT EXISTS (SELECT 1 FROM membership m WHERE m.person_id = p.id);
