-- Stores, categories and products. Chains are shared facts; everything else belongs to a household.

-- Reference table: filled from the app's chain facts at start; a chain printed on a receipt but unknown here has none.
CREATE TABLE chain (
    -- A short word: billa, spar, rewe, …
    id text PRIMARY KEY,
    name text NOT NULL,
    CONSTRAINT chain_id_check CHECK (id ~ '^[a-z0-9-]{1,40}$'),
    CONSTRAINT chain_name_check CHECK (length(name) BETWEEN 1 AND 60)
);

CREATE TABLE store (
    household_id uuid NOT NULL REFERENCES household (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    -- The naming a store's receipts follow: a chain's id, or for single shops their own normalised name.
    chain text NOT NULL,
    name text NOT NULL,
    street text NOT NULL DEFAULT '',
    town text NOT NULL DEFAULT '',
    revision bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (household_id, id),
    CONSTRAINT store_household_place_key UNIQUE (household_id, chain, name, street, town),
    CONSTRAINT store_chain_check CHECK (length(chain) BETWEEN 1 AND 80),
    CONSTRAINT store_name_check CHECK (length(name) BETWEEN 1 AND 80),
    CONSTRAINT store_place_check CHECK (length(street) <= 120 AND length(town) <= 120)
);

CREATE TABLE category (
    household_id uuid NOT NULL REFERENCES household (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    parent_id uuid,
    -- Names one of the built-in categories, whose text follows the language until it is renamed.
    key text NOT NULL DEFAULT '',
    name text NOT NULL COLLATE "de-x-icu",
    -- A colour token and an icon of the design system.
    colour text NOT NULL DEFAULT 'grey',
    icon text NOT NULL DEFAULT 'tag',
    position integer NOT NULL DEFAULT 0,
    revision bigint NOT NULL DEFAULT 1,
    PRIMARY KEY (household_id, id),
    CONSTRAINT category_parent_fkey FOREIGN KEY (household_id, parent_id) REFERENCES category (household_id, id),
    CONSTRAINT category_household_name_key UNIQUE (household_id, name),
    CONSTRAINT category_name_check CHECK (length(name) BETWEEN 1 AND 60)
);

-- A generic good that several chains sell ("H-Milch 3,5 %", €/l): the rows of the comparison.
CREATE TABLE comparison_group (
    household_id uuid NOT NULL REFERENCES household (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    name text NOT NULL COLLATE "de-x-icu",
    -- What base prices refer to.
    base_unit text NOT NULL,
    revision bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (household_id, id),
    CONSTRAINT comparison_group_household_name_key UNIQUE (household_id, name),
    CONSTRAINT comparison_group_name_check CHECK (length(name) BETWEEN 1 AND 80),
    CONSTRAINT comparison_group_base_unit_check CHECK (base_unit IN ('kg', 'l', 'piece', 'm'))
);

-- A product belongs to a chain's naming; that is what keeps two chains' prices apart.
CREATE TABLE product (
    household_id uuid NOT NULL REFERENCES household (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    chain text NOT NULL,
    name text NOT NULL COLLATE "de-x-icu",
    category_id uuid,
    comparison_group_id uuid,
    revision bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (household_id, id),
    CONSTRAINT product_category_fkey FOREIGN KEY (household_id, category_id) REFERENCES category (household_id, id),
    CONSTRAINT product_comparison_group_fkey FOREIGN KEY (household_id, comparison_group_id)
        REFERENCES comparison_group (household_id, id),
    CONSTRAINT product_household_name_key UNIQUE (household_id, chain, name),
    CONSTRAINT product_chain_check CHECK (length(chain) BETWEEN 1 AND 80),
    CONSTRAINT product_name_check CHECK (length(name) BETWEEN 1 AND 120)
);
CREATE INDEX product_group_idx ON product (household_id, comparison_group_id);

-- What one piece holds from a day on: a smaller package at the same price is a dearer product.
CREATE TABLE product_package (
    household_id uuid NOT NULL,
    product_id uuid NOT NULL,
    valid_from date NOT NULL,
    amount_thousandths bigint NOT NULL,
    unit text NOT NULL,
    PRIMARY KEY (household_id, product_id, valid_from),
    CONSTRAINT product_package_product_fkey FOREIGN KEY (household_id, product_id)
        REFERENCES product (household_id, id) ON DELETE CASCADE,
    CONSTRAINT product_package_amount_check CHECK (amount_thousandths BETWEEN 1 AND 1000000000),
    CONSTRAINT product_package_unit_check CHECK (unit IN ('kg', 'l', 'piece', 'm'))
);

-- What corrections teach: this chain's printed name is that product.
CREATE TABLE product_alias (
    household_id uuid NOT NULL,
    id uuid NOT NULL,
    chain text NOT NULL,
    -- The normalised printed name (Domain: alias key).
    alias_key text NOT NULL,
    -- As printed when it was first seen.
    printed_name text NOT NULL,
    product_id uuid NOT NULL,
    revision bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (household_id, id),
    CONSTRAINT product_alias_product_fkey FOREIGN KEY (household_id, product_id)
        REFERENCES product (household_id, id) ON DELETE CASCADE,
    CONSTRAINT product_alias_household_name_key UNIQUE (household_id, chain, alias_key),
    CONSTRAINT product_alias_key_check CHECK (length(alias_key) BETWEEN 1 AND 200),
    CONSTRAINT product_alias_name_check CHECK (length(printed_name) BETWEEN 1 AND 200)
);
CREATE INDEX product_alias_product_idx ON product_alias (household_id, product_id);

ALTER TABLE store ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON store USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
ALTER TABLE category ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON category USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
ALTER TABLE comparison_group ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON comparison_group USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
ALTER TABLE product ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON product USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
ALTER TABLE product_package ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON product_package USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
ALTER TABLE product_alias ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON product_alias USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);

GRANT SELECT, INSERT, UPDATE, DELETE ON
    store, category, comparison_group, product, product_package, product_alias TO allesteurer_app;
GRANT SELECT, INSERT, UPDATE ON chain TO allesteurer_app;
