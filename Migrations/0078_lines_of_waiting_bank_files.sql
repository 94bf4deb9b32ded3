-- The list of waiting bank files shows how many lines each file has, without reading its content again.
ALTER TABLE bank_import
    -- The number of statement lines, or of rows if the meaning of the columns is not known; NULL for files that were
    -- uploaded before this migration.
    ADD COLUMN line_count integer,
    ADD CONSTRAINT bank_import_line_count_check CHECK (line_count >= 0);
