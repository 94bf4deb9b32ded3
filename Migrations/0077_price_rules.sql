-- A change of the rules for base prices applies to stored prices, too. After an upgrade, the server writes the prices of
-- each household again in the background, because the rules read sizes in printed names, which SQL cannot.
ALTER TABLE household
    -- The version of the rules by which all prices of the household were computed (PriceRule).
    ADD COLUMN price_rule integer NOT NULL DEFAULT 0;
