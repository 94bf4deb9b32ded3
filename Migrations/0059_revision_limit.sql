-- The tree of revisions grew with every write. Replication needs the contents of the leaves, and those of ancestors only to
-- merge with clients that were offline. CouchDB keeps the names of 1,000 ancestors (`_revs_limit`) and, after a compaction,
-- the contents of leaves only.
CREATE INDEX document_revision_created_idx ON document_revision (household_id, created_at) WHERE body IS NOT NULL;

-- Erases the contents of up to `most` revisions that have had a child for 400 days and are not leaves, and deletes up to
-- `most` revisions that are more than 1,000 generations older than their document's winner. Returns the larger number. The
-- app may only insert revisions; this function has its owner's rights, in the household of the transaction alone.
--
-- The age of the child counts, not that of the revision: a revision is the newest one until it has a child, so every client
-- may have it.
CREATE FUNCTION compact_revisions(household uuid, most integer) RETURNS integer
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
        LIMIT most) n
    WHERE d.household_id = household AND d.document_type = n.document_type AND d.document_id = n.document_id
        AND d.generation = n.generation AND d.hash = n.hash;
    GET DIAGNOSTICS removed = ROW_COUNT;
    RETURN greatest(emptied, removed);
END
$$;
REVOKE ALL ON FUNCTION compact_revisions(uuid, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION compact_revisions(uuid, integer) TO allesteurer_app;
