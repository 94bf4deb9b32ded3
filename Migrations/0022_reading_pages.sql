-- Which page of several the reader is at, so that whoever waits for a long document sees it move: pages whose words are
-- known, and all that are known of. Both 0 where there is one page, and when a try begins.
ALTER TABLE job ADD COLUMN pages integer NOT NULL DEFAULT 0;
ALTER TABLE job ADD COLUMN page_count integer NOT NULL DEFAULT 0;
ALTER TABLE job ADD CONSTRAINT job_pages_check CHECK (pages BETWEEN 0 AND page_count AND page_count <= 400);
