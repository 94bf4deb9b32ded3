-- Documents as sync clients see them: their JSON, their revisions and the number of their last change.
--
-- The change log keeps what the tables held after each write. Beside it, this migration keeps the tree of revisions that
-- replication needs: clients' revisions as they came, and the server's own. Nothing here is written by triggers.

-- One row for each document, also for deleted ones: what `_changes` and the pull of native clients read.
CREATE TABLE sync_document (
    household_id uuid NOT NULL REFERENCES household (id) ON DELETE CASCADE,
    document_type text NOT NULL,
    document_id uuid NOT NULL,
    -- The newest number of the document in the change log.
    seq bigint NOT NULL,
    -- The winning revision is `generation-hash`.
    generation bigint NOT NULL,
    hash text NOT NULL,
    deleted boolean NOT NULL DEFAULT false,
    -- MD5 of the winning revision's body as text: a write that changes nothing that clients see makes no revision.
    content text,
    -- All revisions without a child, the winner first.
    leaves text[] NOT NULL,
    -- The only person who gets the document: a hidden receipt, a person's preferences. NULL: every member.
    private_to uuid,
    -- The document that this one belongs to: an image's receipt.
    owner_id uuid,
    -- MD5 of what an image is made of, to notice changes without reading its bytes.
    source text,
    -- What newer clients wrote and this server does not know: {"fields": {…}, "lines": {id: {…}}}.
    extra jsonb,
    PRIMARY KEY (household_id, document_type, document_id)
);
CREATE INDEX sync_document_seq_idx ON sync_document (household_id, seq);
CREATE INDEX sync_document_owner_idx ON sync_document (household_id, owner_id) WHERE owner_id IS NOT NULL;

CREATE TABLE document_revision (
    household_id uuid NOT NULL REFERENCES household (id) ON DELETE CASCADE,
    document_type text NOT NULL,
    document_id uuid NOT NULL,
    generation bigint NOT NULL,
    hash text NOT NULL,
    -- `generation-hash` of the revision before; NULL where none is known.
    parent text,
    deleted boolean NOT NULL DEFAULT false,
    -- The document without its id and revision; NULL where only the revision's name is known.
    body jsonb,
    -- Of an image: {name: {"content_type", "length", "digest", "revpos", "blob"}}.
    attachments jsonb,
    -- NULL: the server itself.
    person_id uuid,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (household_id, document_type, document_id, generation, hash),
    CONSTRAINT document_revision_generation_check CHECK (generation > 0),
    CONSTRAINT document_revision_hash_check CHECK (length(hash) BETWEEN 1 AND 64)
);

-- Replication checkpoints of clients (`_local`), kept for each member.
CREATE TABLE sync_checkpoint (
    household_id uuid NOT NULL,
    person_id uuid NOT NULL,
    id text NOT NULL,
    body jsonb NOT NULL,
    revision bigint NOT NULL,
    written_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (household_id, person_id, id),
    CONSTRAINT sync_checkpoint_membership_fkey FOREIGN KEY (household_id, person_id)
        REFERENCES membership (household_id, person_id) ON DELETE CASCADE,
    CONSTRAINT sync_checkpoint_id_check CHECK (length(id) BETWEEN 1 AND 240),
    CONSTRAINT sync_checkpoint_body_check CHECK (octet_length(body::text) <= 65536)
);

-- Values that lost a merge: shown with the document, where a person can take them instead.
CREATE TABLE lost_value (
    household_id uuid NOT NULL REFERENCES household (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    document_type text NOT NULL,
    document_id uuid NOT NULL,
    -- A field, or `lines/<id>/<field>`; `deleted` for a deletion that an edit beat.
    field text NOT NULL,
    kept jsonb,
    lost jsonb,
    -- Whose value lost; NULL: the server's.
    person_id uuid,
    -- The client's revision that brought the conflict.
    rev text NOT NULL,
    lost_at timestamptz NOT NULL DEFAULT now(),
    -- Set when a person took the value or dismissed it.
    settled_at timestamptz,
    PRIMARY KEY (household_id, id)
);
CREATE INDEX lost_value_document_idx ON lost_value (household_id, document_id);

-- A person's preferences in a household, as a document of their own. The id is the person's.
CREATE TABLE preferences (
    household_id uuid NOT NULL,
    id uuid NOT NULL,
    language text NOT NULL,
    revision bigint NOT NULL DEFAULT 1,
    PRIMARY KEY (household_id, id),
    CONSTRAINT preferences_membership_fkey FOREIGN KEY (household_id, id)
        REFERENCES membership (household_id, person_id) ON DELETE CASCADE,
    CONSTRAINT preferences_language_check CHECK (language IN ('de', 'en'))
);

-- The revision that an entry of the log made; NULL for entries before this migration.
ALTER TABLE change_log ADD COLUMN rev text;

-- An image that a sync client sent waits here for its receipt.
ALTER TABLE receipt_file ALTER COLUMN receipt_id DROP NOT NULL;
-- Who sent it, while no receipt says so.
ALTER TABLE receipt_file ADD COLUMN person_id uuid;

ALTER TABLE sync_document ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON sync_document USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
ALTER TABLE document_revision ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON document_revision USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
ALTER TABLE sync_checkpoint ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON sync_checkpoint USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
ALTER TABLE lost_value ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON lost_value USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
ALTER TABLE preferences ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON preferences USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);

-- Revisions are appended to, never changed.
GRANT SELECT, INSERT ON document_revision TO allesteurer_app;
GRANT SELECT, INSERT, UPDATE ON sync_document TO allesteurer_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON sync_checkpoint, preferences TO allesteurer_app;
GRANT SELECT, INSERT, UPDATE ON lost_value TO allesteurer_app;

-- Forgotten documents lose their bodies here too.
CREATE OR REPLACE FUNCTION forget_documents(household uuid, documents uuid[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
    IF household IS DISTINCT FROM NULLIF(current_setting('app.household', true), '')::uuid THEN RETURN; END IF;
    UPDATE change_log SET body = NULL
    WHERE household_id = household AND document_id = ANY (documents) AND body IS NOT NULL;
    UPDATE document_revision SET body = NULL, attachments = NULL
    WHERE household_id = household AND document_id = ANY (documents) AND (body IS NOT NULL OR attachments IS NOT NULL);
    UPDATE sync_document SET extra = NULL
    WHERE household_id = household AND document_id = ANY (documents) AND extra IS NOT NULL;
    DELETE FROM lost_value WHERE household_id = household AND document_id = ANY (documents);
END
$$;

-- An instant of a logged row as clients see it: UTC, milliseconds.
CREATE FUNCTION sync_instant(logged text) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
AS $$ SELECT to_char(logged::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;

-- The document that clients see, from the logged body of a row and the fields that this server does not know.
CREATE FUNCTION sync_body(document_type text, body jsonb, extra jsonb) RETURNS jsonb
LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT coalesce(extra -> 'fields', '{}') || jsonb_build_object('type', document_type, 'schema', 1) ||
        CASE document_type
        WHEN 'receipt' THEN jsonb_build_object(
            'stage', body -> 'stage', 'verdict', body -> 'verdict', 'reasons', body -> 'reasons',
            'doubts', body -> 'doubts', 'discarded', body ->> 'discarded_at' IS NOT NULL,
            'store', coalesce(body ->> 'store_name', body -> 'printed_store' ->> 'name', ''),
            'store_id', 'store:' || (body ->> 'store_id'), 'day', body -> 'purchase_day',
            'time', body -> 'purchase_time', 'currency', body -> 'currency', 'total_minor', body -> 'total_minor',
            'hidden_until', body -> 'hidden_until', 'source', body -> 'source',
            'created_at', sync_instant(body ->> 'created_at'), 'confirmed_at', sync_instant(body ->> 'confirmed_at'),
            'person', 'person:' || (body ->> 'person_id'), 'duplicate_of', 'receipt:' || (body ->> 'duplicate_of'),
            'images', (SELECT coalesce(jsonb_agg('image:' || f.id ORDER BY f.n), '[]')
                FROM jsonb_array_elements_text(coalesce(body -> 'files', '[]')) WITH ORDINALITY AS f (id, n)),
            'lines', (SELECT coalesce(jsonb_agg(coalesce(extra -> 'lines' -> (l.line ->> 'id'), '{}')
                || jsonb_build_object(
                    'id', l.line -> 'id', 'kind', l.line -> 'kind', 'name', l.line -> 'printed_name',
                    'quantity_thousandths', l.line -> 'quantity_thousandths', 'unit', l.line -> 'unit',
                    'unit_price_thousandths', l.line -> 'unit_price_thousandths',
                    'total_minor', l.line -> 'total_minor', 'vat_class', l.line -> 'vat_class',
                    'vat_rate', l.line -> 'vat_rate', 'product', 'product:' || (l.line ->> 'product_id'),
                    'category', 'category:' || (l.line ->> 'category_id'), 'reduces', l.line -> 'bound_line_id',
                    'doubts', l.line -> 'doubts') ORDER BY l.n), '[]')
                FROM jsonb_array_elements(coalesce(body -> 'lines', '[]')) WITH ORDINALITY AS l (line, n)))
        WHEN 'image' THEN jsonb_build_object(
            'receipt', 'receipt:' || (body ->> 'receipt_id'), 'name', body -> 'name',
            'media_type', body -> 'media_type', 'size', body -> 'size', 'position', body -> 'position',
            'created_at', sync_instant(body ->> 'created_at'))
        WHEN 'product' THEN jsonb_build_object(
            'chain', body -> 'chain', 'name', body -> 'name', 'category', 'category:' || (body ->> 'category_id'),
            'group', 'comparison_group:' || (body ->> 'comparison_group_id'),
            'created_at', sync_instant(body ->> 'created_at'),
            'packages', (SELECT coalesce(jsonb_agg(jsonb_build_object('valid_from', k.package -> 'valid_from',
                    'amount_thousandths', k.package -> 'amount_thousandths', 'unit', k.package -> 'unit')
                    ORDER BY k.package ->> 'valid_from'), '[]')
                FROM jsonb_array_elements(coalesce(body -> 'packages', '[]')) AS k (package)))
        WHEN 'alias' THEN jsonb_build_object(
            'chain', body -> 'chain', 'printed_name', body -> 'printed_name',
            'product', 'product:' || (body ->> 'product_id'), 'created_at', sync_instant(body ->> 'created_at'))
        WHEN 'store' THEN jsonb_build_object(
            'chain', body -> 'chain', 'name', body -> 'name', 'street', body -> 'street', 'town', body -> 'town',
            'created_at', sync_instant(body ->> 'created_at'))
        WHEN 'category' THEN jsonb_build_object(
            'parent', 'category:' || (body ->> 'parent_id'), 'key', body -> 'key', 'name', body -> 'name',
            'colour', body -> 'colour', 'icon', body -> 'icon', 'position', body -> 'position')
        WHEN 'comparison_group' THEN jsonb_build_object(
            'name', body -> 'name', 'base_unit', body -> 'base_unit', 'created_at', sync_instant(body ->> 'created_at'))
        WHEN 'ignored_name' THEN jsonb_build_object(
            'chain', body -> 'chain', 'alias_key', body -> 'alias_key',
            'created_at', sync_instant(body ->> 'created_at'))
        WHEN 'preferences' THEN jsonb_build_object('language', body -> 'language')
        ELSE body - 'household_id' - 'id' - 'revision'
        END
$$;
REVOKE ALL ON FUNCTION sync_body(text, jsonb, jsonb), sync_instant(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sync_body(text, jsonb, jsonb), sync_instant(text) TO allesteurer_app;

-- Everybody's preferences so far are their language.
INSERT INTO preferences (household_id, id, language)
SELECT m.household_id, m.person_id, p.language FROM membership m JOIN person p ON p.id = m.person_id;

-- Images and preferences get their numbers now.
WITH added AS (
    SELECT f.household_id, 'image' AS document_type, f.id, to_jsonb(f) - 'digest' || jsonb_build_object(
        'person_id', r.person_id, 'hidden_until', r.hidden_until) AS body
    FROM receipt_file f JOIN receipt r ON r.household_id = f.household_id AND r.id = f.receipt_id
    UNION ALL SELECT household_id, 'preferences', id, to_jsonb(p) FROM preferences p)
INSERT INTO change_log (household_id, seq, document_type, document_id, revision, body)
SELECT a.household_id, h.sync_seq + row_number() OVER (PARTITION BY a.household_id ORDER BY a.document_type, a.id),
    a.document_type, a.id, 1, a.body
FROM added a JOIN household h ON h.id = a.household_id;
UPDATE household h SET sync_seq = c.last
FROM (SELECT household_id, max(seq) AS last FROM change_log GROUP BY household_id) c
WHERE c.household_id = h.id AND c.last > h.sync_seq;

-- The newest state of each document becomes a revision without known ancestors.
INSERT INTO document_revision (household_id, document_type, document_id, generation, hash, deleted, body, attachments)
SELECT n.household_id, n.document_type, n.document_id, n.revision,
    md5(n.document_id || ' ' || n.revision || ' ' || coalesce(n.document::text, '')), n.deleted, n.document,
    CASE WHEN n.document_type = 'image' THEN coalesce(a.attachments, '{}') END
FROM (SELECT c.*, CASE WHEN NOT c.deleted THEN sync_body(c.document_type,
            c.body || CASE WHEN c.document_type = 'receipt' THEN jsonb_build_object('store_name', s.name,
                'files', (SELECT coalesce(jsonb_agg(f.id ORDER BY f.position, f.id), '[]') FROM receipt_file f
                    WHERE f.household_id = c.household_id AND f.receipt_id = c.document_id)) ELSE '{}' END,
            NULL) END AS document
    FROM (SELECT DISTINCT ON (household_id, document_type, document_id) * FROM change_log
        ORDER BY household_id, document_type, document_id, seq DESC) c
    LEFT JOIN store s ON s.household_id = c.household_id AND s.id = (c.body ->> 'store_id')::uuid) n
LEFT JOIN (SELECT f.household_id, f.id, jsonb_object_agg(CASE WHEN g.n IS NULL THEN coalesce(nullif(replace(f.name, '/', '_'), ''), 'original') ELSE 'page-' || (g.n + 1) END, jsonb_build_object(
            'content_type', b.media_type, 'length', b.size, 'revpos', 1, 'blob', b.id,
            'digest', 'md5-' || encode(decode(md5(k.bytes), 'hex'), 'base64'))) AS attachments
    FROM receipt_file f
    LEFT JOIN receipt_page g ON g.household_id = f.household_id AND g.receipt_id = f.receipt_id AND g.file_id = f.id
        AND f.blob_id IS NULL
    JOIN blob b ON b.household_id = f.household_id AND b.id = coalesce(f.blob_id, g.display_blob_id)
    CROSS JOIN LATERAL (SELECT string_agg(c.bytes, '' ORDER BY c.n) AS bytes FROM blob_chunk c
        WHERE c.household_id = b.household_id AND c.blob_id = b.id) k
    GROUP BY f.household_id, f.id) a
    ON n.document_type = 'image' AND a.household_id = n.household_id AND a.id = n.document_id;

INSERT INTO sync_document (household_id, document_type, document_id, seq, generation, hash, deleted, content, leaves,
    private_to, owner_id)
SELECT d.household_id, d.document_type, d.document_id, c.seq, d.generation, d.hash, d.deleted, md5(d.body::text),
    ARRAY[d.generation || '-' || d.hash],
    CASE WHEN d.document_type = 'preferences' THEN d.document_id
        WHEN (c.body ->> 'hidden_until')::date > current_date
            OR d.document_type = 'image' AND c.body ->> 'blob_id' IS NOT NULL
        THEN coalesce((c.body ->> 'person_id')::uuid, '00000000-0000-0000-0000-000000000000') END,
    CASE WHEN d.document_type = 'image' THEN (c.body ->> 'receipt_id')::uuid END
FROM document_revision d
JOIN (SELECT DISTINCT ON (household_id, document_type, document_id) * FROM change_log
    ORDER BY household_id, document_type, document_id, seq DESC) c
    ON c.household_id = d.household_id AND c.document_type = d.document_type AND c.document_id = d.document_id;
