-- Lists of stores and people are sorted as in German: Ä after A, not after Z.
ALTER TABLE store ALTER COLUMN name TYPE text COLLATE "de-x-icu";
ALTER TABLE person ALTER COLUMN name TYPE text COLLATE "de-x-icu";

-- Names that the store had before it was renamed, newest first, and names of stores that were merged into it. A printed
-- or imported name that is one of them still means this store.
ALTER TABLE store ADD COLUMN former_names text[] NOT NULL DEFAULT '{}',
    ADD CONSTRAINT store_former_names_check CHECK (cardinality(former_names) <= 20);

-- Finds the lines with a category of their own, to check whether a category is used.
CREATE INDEX receipt_line_category_idx ON receipt_line (household_id, category_id) WHERE category_id IS NOT NULL;
