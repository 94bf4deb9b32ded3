-- Undoing an import of exchange rates deletes the rates that it added, and restores those that it replaced.
ALTER TABLE exchange_rate
    -- The import that wrote the rate; NULL if it was not imported, or if it was imported before this migration.
    ADD COLUMN import_id uuid,
    -- The rate that the import replaced; NULL if there was none.
    ADD COLUMN replaced_millionths bigint;
