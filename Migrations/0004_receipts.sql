-- Receipts: uploaded files, pictures, what was read, what was corrected.

-- Bytes in chunks of at most 512 KiB, so that neither an upload nor a picture is ever whole in memory.
CREATE TABLE blob (
    household_id uuid NOT NULL REFERENCES household (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    -- original: an upload in quarantine, deleted by the transaction that stores what was made of it, never served;
    -- reading, display, preview: pictures made by the reader, without metadata.
    purpose text NOT NULL,
    media_type text NOT NULL,
    size bigint NOT NULL DEFAULT 0,
    -- Pixels; 0 where unknown.
    width integer NOT NULL DEFAULT 0,
    height integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (household_id, id),
    CONSTRAINT blob_purpose_check CHECK (purpose IN ('original', 'reading', 'display', 'preview')),
    CONSTRAINT blob_size_check CHECK (size BETWEEN 0 AND 26214400)
);

CREATE TABLE blob_chunk (
    household_id uuid NOT NULL,
    blob_id uuid NOT NULL,
    n integer NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (household_id, blob_id, n),
    CONSTRAINT blob_chunk_blob_fkey FOREIGN KEY (household_id, blob_id)
        REFERENCES blob (household_id, id) ON DELETE CASCADE,
    CONSTRAINT blob_chunk_bytes_check CHECK (length(bytes) BETWEEN 1 AND 524288)
);
-- Pictures are compressed already.
ALTER TABLE blob_chunk ALTER COLUMN bytes SET STORAGE EXTERNAL;

CREATE TABLE receipt (
    household_id uuid NOT NULL REFERENCES household (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    -- reading: waits for the reader; review: waits for a person; confirmed: booked, its prices are written.
    stage text NOT NULL,
    -- What the reader's figures are worth: proven, review or unreadable; NULL while reading or without a picture.
    verdict text,
    -- What disagrees or went wrong: codes that the page turns into sentences.
    reasons text[] NOT NULL DEFAULT '{}',
    store_id uuid,
    -- As printed, until a store is chosen: {"chain","name","street","town"}.
    printed_store jsonb NOT NULL DEFAULT '{}',
    purchase_day date,
    purchase_time time(0),
    currency text NOT NULL DEFAULT 'EUR',
    total_minor bigint,
    -- Doubtful fields of the head: store, day, time, total.
    doubts text[] NOT NULL DEFAULT '{}',
    -- Where on the pictures the head's values stand: {"total": [page, x, y, width, height], …}.
    marks jsonb NOT NULL DEFAULT '{}',
    -- VAT table, payments, change, codes: witnesses as read.
    evidence jsonb NOT NULL DEFAULT '{}',
    -- Till and number of a fiscal code, or what else makes a purchase unmistakable; NULL when nothing does.
    purchase_key text,
    -- The receipt that this one seems to repeat.
    duplicate_of uuid,
    person_id uuid REFERENCES person (id),
    source text NOT NULL DEFAULT 'upload',
    note text NOT NULL DEFAULT '',
    -- A gift: other members see it only from this day on.
    hidden_until date,
    revision bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    confirmed_at timestamptz,
    -- Set while discarded; discarding can be undone.
    discarded_at timestamptz,
    PRIMARY KEY (household_id, id),
    CONSTRAINT receipt_store_fkey FOREIGN KEY (household_id, store_id) REFERENCES store (household_id, id),
    CONSTRAINT receipt_duplicate_fkey FOREIGN KEY (household_id, duplicate_of) REFERENCES receipt (household_id, id),
    CONSTRAINT receipt_stage_check CHECK (stage IN ('reading', 'review', 'confirmed')),
    CONSTRAINT receipt_verdict_check CHECK (verdict IN ('proven', 'review', 'unreadable')),
    CONSTRAINT receipt_source_check CHECK (source IN ('upload', 'manual', 'import', 'demo')),
    CONSTRAINT receipt_currency_check CHECK (currency IN ('EUR', 'CHF')),
    CONSTRAINT receipt_total_check CHECK (total_minor BETWEEN -100000000 AND 100000000),
    CONSTRAINT receipt_note_check CHECK (length(note) <= 2000)
);
CREATE INDEX receipt_day_idx ON receipt (household_id, purchase_day DESC, id DESC) WHERE discarded_at IS NULL;
CREATE INDEX receipt_inbox_idx ON receipt (household_id, created_at DESC)
    WHERE stage <> 'confirmed' AND discarded_at IS NULL;
CREATE INDEX receipt_purchase_key_idx ON receipt (household_id, purchase_key) WHERE purchase_key IS NOT NULL;

-- A file that was uploaded; its bytes are gone once it was read, its digest stays to recognise it.
CREATE TABLE receipt_file (
    household_id uuid NOT NULL,
    id uuid NOT NULL,
    receipt_id uuid NOT NULL,
    position integer NOT NULL,
    -- Shown, never used as a path.
    name text NOT NULL DEFAULT '',
    media_type text NOT NULL,
    size bigint NOT NULL,
    -- HMAC-SHA-256 of the original bytes under the household's digest key.
    digest bytea NOT NULL,
    -- The original in quarantine; NULL once read.
    blob_id uuid,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (household_id, id),
    CONSTRAINT receipt_file_receipt_fkey FOREIGN KEY (household_id, receipt_id)
        REFERENCES receipt (household_id, id) ON DELETE CASCADE,
    CONSTRAINT receipt_file_blob_fkey FOREIGN KEY (household_id, blob_id) REFERENCES blob (household_id, id),
    CONSTRAINT receipt_file_name_check CHECK (length(name) <= 200)
);
CREATE INDEX receipt_file_receipt_idx ON receipt_file (household_id, receipt_id, position);
CREATE INDEX receipt_file_digest_idx ON receipt_file (household_id, digest);

CREATE TABLE receipt_page (
    household_id uuid NOT NULL,
    receipt_id uuid NOT NULL,
    -- From 0; boxes of lines and marks refer to it.
    n integer NOT NULL,
    -- The file it was made of: files can be joined to one receipt, or split off again.
    file_id uuid,
    reading_blob_id uuid,
    display_blob_id uuid,
    preview_blob_id uuid,
    -- Pixels of the reading picture; boxes lie in it.
    width integer NOT NULL,
    height integer NOT NULL,
    PRIMARY KEY (household_id, receipt_id, n),
    CONSTRAINT receipt_page_receipt_fkey FOREIGN KEY (household_id, receipt_id)
        REFERENCES receipt (household_id, id) ON DELETE CASCADE,
    CONSTRAINT receipt_page_file_fkey FOREIGN KEY (household_id, file_id) REFERENCES receipt_file (household_id, id),
    CONSTRAINT receipt_page_reading_fkey FOREIGN KEY (household_id, reading_blob_id) REFERENCES blob (household_id, id),
    CONSTRAINT receipt_page_display_fkey FOREIGN KEY (household_id, display_blob_id) REFERENCES blob (household_id, id),
    CONSTRAINT receipt_page_preview_fkey FOREIGN KEY (household_id, preview_blob_id) REFERENCES blob (household_id, id)
);

CREATE TABLE receipt_line (
    household_id uuid NOT NULL,
    id uuid NOT NULL,
    receipt_id uuid NOT NULL,
    position integer NOT NULL,
    kind text NOT NULL,
    -- As printed: the key of what it teaches.
    printed_name text NOT NULL,
    quantity_thousandths bigint NOT NULL DEFAULT 1000,
    unit text NOT NULL DEFAULT 'piece',
    -- Thousandths of a minor unit for one unit; NULL where nothing was printed or derived.
    unit_price_thousandths bigint,
    total_minor bigint NOT NULL,
    vat_class text NOT NULL DEFAULT '',
    -- Basis points: 1000 = 10 %.
    vat_rate integer,
    -- A discount's item, where it is printed so.
    bound_line_id uuid,
    product_id uuid,
    -- A line's own category; otherwise its product's counts.
    category_id uuid,
    -- Doubtful fields: name, quantity, unit_price, total, kind.
    doubts text[] NOT NULL DEFAULT '{}',
    -- Repairs with their reasons: [{"field","was","is","reason"}].
    repairs jsonb NOT NULL DEFAULT '[]',
    -- Where it stands: page number, box in reading-picture pixels; NULL for lines that a person added.
    page integer,
    box_x integer,
    box_y integer,
    box_width integer,
    box_height integer,
    PRIMARY KEY (household_id, id),
    CONSTRAINT receipt_line_receipt_fkey FOREIGN KEY (household_id, receipt_id)
        REFERENCES receipt (household_id, id) ON DELETE CASCADE,
    CONSTRAINT receipt_line_bound_fkey FOREIGN KEY (household_id, bound_line_id)
        REFERENCES receipt_line (household_id, id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    CONSTRAINT receipt_line_product_fkey FOREIGN KEY (household_id, product_id) REFERENCES product (household_id, id),
    CONSTRAINT receipt_line_category_fkey FOREIGN KEY (household_id, category_id) REFERENCES category (household_id, id),
    CONSTRAINT receipt_line_kind_check
        CHECK (kind IN ('item', 'deposit', 'deposit_return', 'discount', 'coupon', 'rounding')),
    CONSTRAINT receipt_line_name_check CHECK (length(printed_name) BETWEEN 1 AND 200),
    CONSTRAINT receipt_line_unit_check CHECK (unit IN ('piece', 'kg', 'l', 'm')),
    CONSTRAINT receipt_line_quantity_check CHECK (quantity_thousandths BETWEEN -100000000 AND 100000000),
    CONSTRAINT receipt_line_unit_price_check CHECK (unit_price_thousandths BETWEEN -100000000000 AND 100000000000),
    CONSTRAINT receipt_line_total_check CHECK (total_minor BETWEEN -100000000 AND 100000000),
    CONSTRAINT receipt_line_vat_check CHECK (length(vat_class) <= 4 AND vat_rate BETWEEN 0 AND 10000)
);
CREATE INDEX receipt_line_receipt_idx ON receipt_line (household_id, receipt_id, position);
CREATE INDEX receipt_line_product_idx ON receipt_line (household_id, product_id) WHERE product_id IS NOT NULL;

ALTER TABLE blob ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON blob USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
ALTER TABLE blob_chunk ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON blob_chunk USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
ALTER TABLE receipt ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON receipt USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
ALTER TABLE receipt_file ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON receipt_file USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
ALTER TABLE receipt_page ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON receipt_page USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
ALTER TABLE receipt_line ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON receipt_line USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);

GRANT SELECT, INSERT, UPDATE, DELETE ON
    blob, blob_chunk, receipt, receipt_file, receipt_page, receipt_line TO allesteurer_app;
