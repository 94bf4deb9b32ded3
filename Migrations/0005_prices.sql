-- What things cost, where and when: written when a receipt is confirmed, by a person, or by an import.

CREATE TABLE price (
    household_id uuid NOT NULL,
    id uuid NOT NULL,
    product_id uuid NOT NULL,
    store_id uuid NOT NULL,
    day date NOT NULL,
    -- For one unit of `unit`, in thousandths of a minor unit, before and after discounts bound to the item.
    regular_thousandths bigint NOT NULL,
    paid_thousandths bigint NOT NULL,
    -- Per kg, l, piece or m of what is in it; NULL when the package size is not known.
    base_thousandths bigint,
    base_unit text,
    quantity_thousandths bigint NOT NULL,
    unit text NOT NULL,
    is_offer boolean NOT NULL DEFAULT false,
    currency text NOT NULL DEFAULT 'EUR',
    source text NOT NULL DEFAULT 'receipt',
    receipt_id uuid,
    line_id uuid,
    PRIMARY KEY (household_id, id),
    CONSTRAINT price_product_fkey FOREIGN KEY (household_id, product_id) REFERENCES product (household_id, id),
    CONSTRAINT price_store_fkey FOREIGN KEY (household_id, store_id) REFERENCES store (household_id, id),
    CONSTRAINT price_receipt_fkey FOREIGN KEY (household_id, receipt_id)
        REFERENCES receipt (household_id, id) ON DELETE CASCADE,
    CONSTRAINT price_line_fkey FOREIGN KEY (household_id, line_id)
        REFERENCES receipt_line (household_id, id) ON DELETE CASCADE,
    CONSTRAINT price_line_key UNIQUE (household_id, line_id),
    CONSTRAINT price_regular_check CHECK (regular_thousandths BETWEEN 1 AND 100000000000),
    CONSTRAINT price_paid_check CHECK (paid_thousandths BETWEEN 0 AND 100000000000),
    CONSTRAINT price_base_check CHECK ((base_thousandths IS NULL) = (base_unit IS NULL)),
    CONSTRAINT price_quantity_check CHECK (quantity_thousandths > 0),
    CONSTRAINT price_unit_check CHECK (unit IN ('piece', 'kg', 'l', 'm')),
    CONSTRAINT price_base_unit_check CHECK (base_unit IN ('piece', 'kg', 'l', 'm')),
    CONSTRAINT price_source_check CHECK (source IN ('receipt', 'manual', 'import'))
);
-- A product's history, and the newest price a store: one covering index each.
CREATE INDEX price_history_idx ON price (household_id, product_id, day DESC, id)
    INCLUDE (store_id, regular_thousandths, paid_thousandths, base_thousandths, is_offer);
CREATE INDEX price_store_idx ON price (household_id, product_id, store_id, day DESC, id)
    INCLUDE (regular_thousandths, paid_thousandths, base_thousandths, is_offer);
CREATE INDEX price_day_idx ON price (household_id, day DESC);
CREATE INDEX price_receipt_idx ON price (household_id, receipt_id);

-- Roll-ups: recomputed for the touched buckets in the transaction that touched them, so they never drift.
CREATE TABLE price_month (
    household_id uuid NOT NULL,
    product_id uuid NOT NULL,
    -- The first day of the month.
    month date NOT NULL,
    observations integer NOT NULL,
    -- Mean regular price, thousandths of a minor unit, rounded half away from zero.
    mean_regular_thousandths bigint NOT NULL,
    lowest_regular_thousandths bigint NOT NULL,
    highest_regular_thousandths bigint NOT NULL,
    quantity_thousandths bigint NOT NULL,
    PRIMARY KEY (household_id, product_id, month),
    CONSTRAINT price_month_product_fkey FOREIGN KEY (household_id, product_id)
        REFERENCES product (household_id, id) ON DELETE CASCADE,
    CONSTRAINT price_month_day_check CHECK (extract(day FROM month) = 1)
);

CREATE TABLE spending_month (
    household_id uuid NOT NULL REFERENCES household (id) ON DELETE CASCADE,
    month date NOT NULL,
    -- The nil id stands for lines without a category.
    category_id uuid NOT NULL,
    amount_minor bigint NOT NULL,
    PRIMARY KEY (household_id, month, category_id),
    CONSTRAINT spending_month_day_check CHECK (extract(day FROM month) = 1)
);

ALTER TABLE price ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON price USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
ALTER TABLE price_month ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON price_month USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
ALTER TABLE spending_month ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON spending_month USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);

GRANT SELECT, INSERT, UPDATE, DELETE ON price, price_month, spending_month TO allesteurer_app;
