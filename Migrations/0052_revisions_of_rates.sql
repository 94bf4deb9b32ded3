-- Exchange rates and bank files get a revision, so that clients change what they have read; rates also get an identifier.
ALTER TABLE exchange_rate
    ADD COLUMN id uuid NOT NULL DEFAULT gen_random_uuid(),
    ADD COLUMN revision bigint NOT NULL DEFAULT 1,
    ADD CONSTRAINT exchange_rate_household_id_key UNIQUE (household_id, id);
ALTER TABLE bank_import ADD COLUMN revision bigint NOT NULL DEFAULT 1;
