-- The rule of 0022 without BETWEEN: PostgreSQL spells a BETWEEN among further conditions otherwise once it is restored from
-- a backup, and restoring compares what is spelled.
ALTER TABLE job DROP CONSTRAINT job_pages_check;
ALTER TABLE job ADD CONSTRAINT job_pages_check CHECK (pages >= 0 AND pages <= page_count AND page_count <= 400);
