-- Wines: catalogues, what members keep of wines, saved lists, and counters. Frames and lists that were read are not stored.

-- The household's catalogue.
CREATE TABLE wine (
    household_id uuid NOT NULL REFERENCES household (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    producer text NOT NULL DEFAULT '',
    name text NOT NULL,
    -- NULL: without a vintage, or not known.
    vintage smallint,
    country text NOT NULL DEFAULT '',
    region text NOT NULL DEFAULT '',
    -- Empty: not known.
    colour text NOT NULL DEFAULT '',
    grapes text[] NOT NULL DEFAULT '{}',
    release_minor bigint,
    release_currency text,
    -- The first and the last year of the drink window.
    drink_from smallint,
    drink_until smallint,
    -- Producer and name, folded: vintages of one wine have the same.
    family_key text NOT NULL,
    -- The score that is shown: of the preferred critic, else the highest. The transaction that changes scores writes it.
    points smallint,
    -- What an import recognises the wine by, such as `xwines:100062`; NULL: typed.
    source_key text,
    revision bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    -- Set while deleted; deleting can be undone.
    discarded_at timestamptz,
    PRIMARY KEY (household_id, id),
    CONSTRAINT wine_source_key UNIQUE (household_id, source_key),
    CONSTRAINT wine_name_check CHECK (length(name) BETWEEN 1 AND 200),
    CONSTRAINT wine_producer_check CHECK (length(producer) <= 200),
    CONSTRAINT wine_vintage_check CHECK (vintage BETWEEN 1800 AND 2200),
    CONSTRAINT wine_place_check CHECK (length(country) <= 80 AND length(region) <= 120),
    CONSTRAINT wine_colour_check CHECK (colour IN ('', 'red', 'white', 'rose', 'sparkling', 'sweet', 'fortified')),
    CONSTRAINT wine_grapes_check CHECK (cardinality(grapes) <= 30 AND length(array_to_string(grapes, ' ')) <= 1000),
    CONSTRAINT wine_release_check CHECK ((release_minor IS NULL) = (release_currency IS NULL)
        AND release_minor BETWEEN 0 AND 100000000000),
    CONSTRAINT wine_currency_check CHECK (release_currency ~ '^[A-Z]{3}$'),
    CONSTRAINT wine_drink_check CHECK (drink_from <= drink_until AND drink_from >= 1800
        AND drink_until BETWEEN 1800 AND 2300),
    CONSTRAINT wine_family_key_check CHECK (length(family_key) <= 400),
    CONSTRAINT wine_points_check CHECK (points BETWEEN 0 AND 100),
    CONSTRAINT wine_source_key_check CHECK (length(source_key) <= 200)
);
CREATE INDEX wine_family_idx ON wine (household_id, family_key);
CREATE INDEX wine_points_idx ON wine (household_id, points DESC NULLS LAST, id) WHERE discarded_at IS NULL;

-- What critics say, one row for each critic.
CREATE TABLE wine_score (
    household_id uuid NOT NULL,
    wine_id uuid NOT NULL,
    -- Name or initials.
    critic text NOT NULL,
    -- Of 100; other scales are converted when they are entered.
    points smallint NOT NULL,
    note text NOT NULL DEFAULT '',
    reviewed_on date,
    PRIMARY KEY (household_id, wine_id, critic),
    CONSTRAINT wine_score_wine_fkey FOREIGN KEY (household_id, wine_id) REFERENCES wine (household_id, id) ON DELETE CASCADE,
    CONSTRAINT wine_score_critic_check CHECK (length(critic) <= 60),
    CONSTRAINT wine_score_points_check CHECK (points BETWEEN 0 AND 100),
    CONSTRAINT wine_score_note_check CHECK (length(note) <= 4000)
);

-- One row for each household that has wines. The transaction that changes wines or names raises the version, so that servers
-- notice when their index is out of date. Imports write one entry of the change log for the catalogue, not one for each wine.
CREATE TABLE wine_catalogue (
    household_id uuid PRIMARY KEY REFERENCES household (id) ON DELETE CASCADE,
    -- Raised with every change of wines or names.
    version bigint NOT NULL DEFAULT 1,
    -- Whose score is shown where several critics have one; empty: the highest.
    preferred_critic text NOT NULL DEFAULT '',
    revision bigint NOT NULL DEFAULT 1,
    CONSTRAINT wine_catalogue_critic_check CHECK (length(preferred_critic) <= 60)
);

-- A printed text that a member bound to a wine, or said that it is not that wine.
CREATE TABLE wine_alias (
    household_id uuid NOT NULL,
    id uuid NOT NULL,
    -- The printed text, folded.
    alias_key text NOT NULL,
    wine_id uuid NOT NULL,
    is_match boolean NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (household_id, id),
    CONSTRAINT wine_alias_key UNIQUE (household_id, alias_key, wine_id),
    CONSTRAINT wine_alias_wine_fkey FOREIGN KEY (household_id, wine_id) REFERENCES wine (household_id, id) ON DELETE CASCADE,
    CONSTRAINT wine_alias_key_check CHECK (length(alias_key) BETWEEN 1 AND 400)
);
CREATE INDEX wine_alias_wine_idx ON wine_alias (household_id, wine_id);

-- What a member keeps of a wine.
CREATE TABLE wine_mark (
    household_id uuid NOT NULL,
    wine_id uuid NOT NULL,
    person_id uuid NOT NULL REFERENCES person (id),
    is_saved boolean NOT NULL DEFAULT false,
    is_tasted boolean NOT NULL DEFAULT false,
    is_wanted boolean NOT NULL DEFAULT false,
    -- Of 100.
    points smallint,
    note text NOT NULL DEFAULT '',
    changed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (household_id, wine_id, person_id),
    CONSTRAINT wine_mark_wine_fkey FOREIGN KEY (household_id, wine_id) REFERENCES wine (household_id, id) ON DELETE CASCADE,
    CONSTRAINT wine_mark_points_check CHECK (points BETWEEN 0 AND 100),
    CONSTRAINT wine_mark_note_check CHECK (length(note) <= 2000)
);

-- Bottles of one purchase in one place.
CREATE TABLE wine_bottle (
    household_id uuid NOT NULL,
    id uuid NOT NULL,
    wine_id uuid NOT NULL,
    -- 0: all drunk.
    count integer NOT NULL,
    place text NOT NULL DEFAULT '',
    bought_on date,
    -- Of one bottle.
    price_minor bigint,
    currency text,
    -- The line of a receipt that became these bottles. Not a reference: reading a receipt again replaces its lines.
    receipt_line_id uuid,
    revision bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (household_id, id),
    CONSTRAINT wine_bottle_line_key UNIQUE (household_id, receipt_line_id),
    CONSTRAINT wine_bottle_wine_fkey FOREIGN KEY (household_id, wine_id) REFERENCES wine (household_id, id) ON DELETE CASCADE,
    CONSTRAINT wine_bottle_count_check CHECK (count BETWEEN 0 AND 10000),
    CONSTRAINT wine_bottle_place_check CHECK (length(place) <= 80),
    CONSTRAINT wine_bottle_price_check CHECK ((price_minor IS NULL) = (currency IS NULL)
        AND price_minor BETWEEN 0 AND 100000000000),
    CONSTRAINT wine_bottle_currency_check CHECK (currency ~ '^[A-Z]{3}$')
);
CREATE INDEX wine_bottle_wine_idx ON wine_bottle (household_id, wine_id);

-- A wine list that a member saved: what was read, without its picture.
CREATE TABLE wine_scan (
    household_id uuid NOT NULL REFERENCES household (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    person_id uuid NOT NULL REFERENCES person (id),
    -- The restaurant.
    place text NOT NULL DEFAULT '',
    day date NOT NULL,
    -- The entries, as the page sends them back.
    entries jsonb NOT NULL,
    revision bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (household_id, id),
    CONSTRAINT wine_scan_place_check CHECK (length(place) <= 80),
    CONSTRAINT wine_scan_entries_check CHECK (octet_length(entries::text) <= 1048576)
);
CREATE INDEX wine_scan_day_idx ON wine_scan (household_id, day DESC, id DESC);

-- What a wine cost on a saved list.
CREATE TABLE wine_sighting (
    household_id uuid NOT NULL,
    scan_id uuid NOT NULL,
    -- Of the entry and its price.
    n integer NOT NULL,
    wine_id uuid NOT NULL,
    -- Millilitres; NULL: not stated.
    size_ml integer,
    amount_minor bigint NOT NULL,
    currency text NOT NULL,
    PRIMARY KEY (household_id, scan_id, n),
    CONSTRAINT wine_sighting_scan_fkey FOREIGN KEY (household_id, scan_id)
        REFERENCES wine_scan (household_id, id) ON DELETE CASCADE,
    CONSTRAINT wine_sighting_wine_fkey FOREIGN KEY (household_id, wine_id)
        REFERENCES wine (household_id, id) ON DELETE CASCADE,
    CONSTRAINT wine_sighting_size_check CHECK (size_ml BETWEEN 1 AND 30000),
    CONSTRAINT wine_sighting_amount_check CHECK (amount_minor BETWEEN 0 AND 100000000000),
    CONSTRAINT wine_sighting_currency_check CHECK (currency ~ '^[A-Z]{3}$')
);
CREATE INDEX wine_sighting_wine_idx ON wine_sighting (household_id, wine_id);

-- A table of wines that waits between its preview and the decision; swept after a day.
CREATE TABLE wine_table (
    household_id uuid NOT NULL REFERENCES household (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    person_id uuid NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    -- Shown, never used as a path.
    name text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (household_id, id),
    CONSTRAINT wine_table_name_check CHECK (length(name) <= 200)
);
CREATE TABLE wine_table_chunk (
    household_id uuid NOT NULL,
    table_id uuid NOT NULL,
    n integer NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (household_id, table_id, n),
    CONSTRAINT wine_table_chunk_table_fkey FOREIGN KEY (household_id, table_id)
        REFERENCES wine_table (household_id, id) ON DELETE CASCADE,
    CONSTRAINT wine_table_chunk_size_check CHECK (length(bytes) <= 524288)
);
ALTER TABLE wine_table_chunk ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- How much was scanned, found and saved: sums for each day, no texts and no persons.
CREATE TABLE wine_counter (
    household_id uuid NOT NULL REFERENCES household (id) ON DELETE CASCADE,
    day date NOT NULL,
    name text NOT NULL,
    count bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (household_id, day, name),
    CONSTRAINT wine_counter_name_check CHECK (length(name) BETWEEN 1 AND 40)
);

-- What the operator of the server grants a household; without a row nothing is limited.
CREATE TABLE wine_plan (
    household_id uuid PRIMARY KEY REFERENCES household (id) ON DELETE CASCADE,
    -- NULL: no limit.
    scans_a_day integer,
    has_live boolean NOT NULL DEFAULT true,
    -- NULL: no limit.
    most_wines integer,
    CONSTRAINT wine_plan_limits_check CHECK (scans_a_day >= 0 AND most_wines >= 0)
);

-- The operator's catalogue, the same for every household. A household that keeps such a wine gets a copy with the same id.
CREATE TABLE shared_wine (
    id uuid PRIMARY KEY,
    producer text NOT NULL DEFAULT '',
    name text NOT NULL,
    vintage smallint,
    country text NOT NULL DEFAULT '',
    region text NOT NULL DEFAULT '',
    colour text NOT NULL DEFAULT '',
    grapes text[] NOT NULL DEFAULT '{}',
    release_minor bigint,
    release_currency text,
    drink_from smallint,
    drink_until smallint,
    family_key text NOT NULL,
    points smallint,
    source_key text NOT NULL,
    -- [{"critic", "points", "note", "reviewed_on"}]
    scores jsonb NOT NULL DEFAULT '[]',
    CONSTRAINT shared_wine_source_key UNIQUE (source_key)
);
CREATE INDEX shared_wine_points_idx ON shared_wine (points DESC NULLS LAST, id);
CREATE TABLE shared_wine_catalogue (
    id boolean PRIMARY KEY DEFAULT true,
    version bigint NOT NULL DEFAULT 0,
    CONSTRAINT shared_wine_catalogue_one_check CHECK (id)
);
INSERT INTO shared_wine_catalogue DEFAULT VALUES;

ALTER TABLE wine ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON wine USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
ALTER TABLE wine_score ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON wine_score USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
ALTER TABLE wine_catalogue ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON wine_catalogue USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
ALTER TABLE wine_alias ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON wine_alias USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
ALTER TABLE wine_mark ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON wine_mark USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
ALTER TABLE wine_bottle ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON wine_bottle USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
ALTER TABLE wine_scan ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON wine_scan USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
ALTER TABLE wine_sighting ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON wine_sighting USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
ALTER TABLE wine_table ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON wine_table USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
ALTER TABLE wine_table_chunk ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON wine_table_chunk USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
ALTER TABLE wine_counter ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON wine_counter USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
ALTER TABLE wine_plan ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON wine_plan USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON wine, wine_score, wine_catalogue, wine_alias, wine_mark, wine_bottle, wine_scan,
    wine_sighting, wine_table, wine_table_chunk, wine_counter TO allesteurer_app;
-- Written by the operator's commands, as the owner of the tables.
GRANT SELECT ON wine_plan, shared_wine, shared_wine_catalogue TO allesteurer_app;

-- The counters of all households together, for the operator: row-level security hides other households from the application.
CREATE FUNCTION wine_counter_sums()
RETURNS TABLE (household_id uuid, name text, count bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
    SELECT c.household_id, c.name, sum(c.count)::bigint FROM wine_counter c GROUP BY 1, 2 ORDER BY 1, 2 LIMIT 20000
$$;
REVOKE ALL ON FUNCTION wine_counter_sums() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION wine_counter_sums() TO allesteurer_app;
