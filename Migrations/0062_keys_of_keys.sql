-- A key that another key has created is revoked together with it. Keys that exist already keep no maker: it is not known.
ALTER TABLE api_key ADD COLUMN maker_id uuid CONSTRAINT api_key_maker_fkey REFERENCES api_key (id) ON DELETE CASCADE;
CREATE INDEX api_key_maker_idx ON api_key (maker_id) WHERE maker_id IS NOT NULL;
