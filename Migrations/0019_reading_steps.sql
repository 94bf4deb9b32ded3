-- How far a worker is with a job, so that whoever waits sees it: words (the reader is at it), sums (its words are
-- understood and reckoned), pictures. Says something while the lease lasts; every try begins anew.
ALTER TABLE job ADD COLUMN step text NOT NULL DEFAULT 'words';
ALTER TABLE job ADD CONSTRAINT job_step_check CHECK (step IN ('words', 'sums', 'pictures'));
