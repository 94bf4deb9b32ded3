-- Compaction deleted the deletion that other members receive of a hidden document after 1,000 private revisions. Replicas that
-- had not pulled it by then kept the document.

-- As in 0059, but also keeps the deletion of a hidden document and up to 1,000 revisions before it. By these revisions,
-- replicas recognise that the deletion replaces the revision that they have.
CREATE OR REPLACE FUNCTION compact_revisions(household uuid, most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
    emptied integer;
    removed integer;
BEGIN
    IF household IS DISTINCT FROM NULLIF(current_setting('app.household', true), '')::uuid THEN RETURN 0; END IF;
    UPDATE document_revision d SET body = NULL, attachments = NULL
    FROM (SELECT o.document_type, o.document_id, o.generation, o.hash FROM document_revision o
        JOIN sync_document s ON s.household_id = o.household_id AND s.document_type = o.document_type
            AND s.document_id = o.document_id
        WHERE o.household_id = household AND o.body IS NOT NULL AND o.created_at < now() - interval '400 days'
            AND (o.generation || '-' || o.hash) <> ALL (s.leaves)
            AND EXISTS (SELECT 1 FROM document_revision c
                WHERE c.household_id = household AND c.document_type = o.document_type
                    AND c.document_id = o.document_id AND c.generation > o.generation
                    AND c.parent = o.generation || '-' || o.hash AND c.created_at < now() - interval '400 days')
        ORDER BY o.created_at LIMIT most) n
    WHERE d.household_id = household AND d.document_type = n.document_type AND d.document_id = n.document_id
        AND d.generation = n.generation AND d.hash = n.hash;
    GET DIAGNOSTICS emptied = ROW_COUNT;
    DELETE FROM document_revision d
    USING (SELECT o.document_type, o.document_id, o.generation, o.hash FROM sync_document s
        JOIN document_revision o ON o.household_id = s.household_id AND o.document_type = s.document_type
            AND o.document_id = s.document_id AND o.generation < s.generation - 1000
        WHERE s.household_id = household AND s.generation > 1000
            AND (o.generation || '-' || o.hash) <> ALL (s.leaves)
            -- NULL if the document is not hidden; the revision is then deleted.
            AND (o.generation BETWEEN split_part(s.hidden_rev, '-', 1)::bigint - 1000
                AND split_part(s.hidden_rev, '-', 1)::bigint) IS NOT TRUE
        LIMIT most) n
    WHERE d.household_id = household AND d.document_type = n.document_type AND d.document_id = n.document_id
        AND d.generation = n.generation AND d.hash = n.hash;
    GET DIAGNOSTICS removed = ROW_COUNT;
    RETURN greatest(emptied, removed);
END
$$;
