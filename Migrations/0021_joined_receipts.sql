-- What a joined receipt was made of: its parts as they stood, so that joining can be undone, and what a person had corrected
-- on them, so that it is corrected on the whole once that is read. NULL for every other receipt. Not in the change log.
-- {"parts": [{"body", "files", "repeats", "joined"}], "corrections": [{"before", "after"}]}
ALTER TABLE receipt ADD COLUMN joined jsonb;
