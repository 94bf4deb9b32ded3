-- A document that becomes private is deleted on the replicas of the other members.
ALTER TABLE sync_document
    -- The deletion that other members receive, as `generation-hash`. NULL if they may read the document, or never could.
    ADD COLUMN hidden_rev text,
    -- The number of the change that made the document private. Clients that pulled earlier may still have it. NULL if other
    -- members may read the document, or never could.
    ADD COLUMN hidden_seq bigint;

-- Clients that pull rows received a deletion of these documents before this migration, and still do. For replicas of
-- CouchDB, documents have a deletion from their next change between visible and private on.
UPDATE sync_document s SET hidden_seq = s.seq
WHERE s.private_to IS NOT NULL AND s.document_type IN ('receipt', 'image', 'expense', 'recurring_expense')
    AND EXISTS (SELECT 1 FROM change_log c
        WHERE c.household_id = s.household_id AND c.document_type = s.document_type AND c.document_id = s.document_id
            AND c.body IS NOT NULL AND NOT coalesce((c.body ->> 'is_personal')::boolean, false)
            AND coalesce((c.body ->> 'hidden_until')::date <= c.changed_at::date, true)
            AND (s.document_type <> 'image' OR c.body ->> 'blob_id' IS NULL));
