-- A name that is no product is a decision like any other: it has an id and a revision, and stands in the change log.

ALTER TABLE ignored_name ADD COLUMN id uuid;
ALTER TABLE ignored_name ADD COLUMN revision bigint NOT NULL DEFAULT 1;
ALTER TABLE ignored_name ADD COLUMN created_at timestamptz NOT NULL DEFAULT now();
UPDATE ignored_name SET id = gen_random_uuid();
ALTER TABLE ignored_name ALTER COLUMN id SET NOT NULL;
ALTER TABLE ignored_name ADD CONSTRAINT ignored_name_id_key UNIQUE (household_id, id);

-- What was decided before gets its numbers now.
INSERT INTO change_log (household_id, seq, document_type, document_id, revision, body)
SELECT i.household_id, h.sync_seq + row_number() OVER (PARTITION BY i.household_id ORDER BY i.chain, i.alias_key),
    'ignored_name', i.id, i.revision, to_jsonb(i)
FROM ignored_name i JOIN household h ON h.id = i.household_id;
UPDATE household h SET sync_seq = h.sync_seq + i.names
FROM (SELECT household_id, count(*) AS names FROM ignored_name GROUP BY household_id) i
WHERE i.household_id = h.id;
