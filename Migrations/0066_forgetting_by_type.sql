-- Clients choose identifiers, so documents of several types may have the same one. Erasing by identifier alone therefore kept
-- the contents of a deleted document as long as another document had its identifier.
DROP FUNCTION forget_documents(uuid, uuid[]);

-- Erases the contents of documents, each given by its type and its identifier. The app itself may not change the log. This
-- function runs with the rights of its owner, but only in the household of the transaction.
CREATE FUNCTION forget_documents(household uuid, types text[], documents uuid[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
    IF household IS DISTINCT FROM NULLIF(current_setting('app.household', true), '')::uuid THEN RETURN; END IF;
    UPDATE change_log c SET body = NULL FROM unnest(types, documents) AS n (type, id)
    WHERE c.household_id = household AND c.document_id = n.id AND c.document_type = n.type AND c.body IS NOT NULL;
    UPDATE document_revision d SET body = NULL, attachments = NULL FROM unnest(types, documents) AS n (type, id)
    WHERE d.household_id = household AND d.document_type = n.type AND d.document_id = n.id
        AND (d.body IS NOT NULL OR d.attachments IS NOT NULL);
    UPDATE sync_document s SET extra = NULL FROM unnest(types, documents) AS n (type, id)
    WHERE s.household_id = household AND s.document_type = n.type AND s.document_id = n.id AND s.extra IS NOT NULL;
    DELETE FROM lost_value v USING unnest(types, documents) AS n (type, id)
    WHERE v.household_id = household AND v.document_id = n.id AND v.document_type = n.type;
END
$$;
REVOKE ALL ON FUNCTION forget_documents(uuid, text[], uuid[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION forget_documents(uuid, text[], uuid[]) TO allesteurer_app;
