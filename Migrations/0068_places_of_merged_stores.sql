-- Addresses of stores that were merged into the store: an array of objects with `street` and `town`. A receipt that prints
-- one of them belongs to this store.
ALTER TABLE store ADD COLUMN former_places jsonb NOT NULL DEFAULT '[]',
    ADD CONSTRAINT store_former_places_check CHECK (
        jsonb_typeof(former_places) = 'array' AND jsonb_array_length(former_places) <= 20);
