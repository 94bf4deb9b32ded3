-- Roll-ups that the pages read, so that their cost does not grow with the years kept. Each is recomputed for the touched
-- products, stores and months by the transaction that changed prices or booked receipts.

-- The newest price of a product in each store: the cells of the comparison.
CREATE TABLE store_price (
    household_id uuid NOT NULL,
    product_id uuid NOT NULL,
    store_id uuid NOT NULL,
    -- The row of `price`; it decides between two prices of one day.
    price_id uuid NOT NULL,
    day date NOT NULL,
    regular_thousandths bigint NOT NULL,
    paid_thousandths bigint NOT NULL,
    is_offer boolean NOT NULL,
    unit text NOT NULL,
    base_thousandths bigint,
    base_unit text,
    currency text NOT NULL,
    PRIMARY KEY (household_id, product_id, store_id),
    CONSTRAINT store_price_product_fkey FOREIGN KEY (household_id, product_id)
        REFERENCES product (household_id, id) ON DELETE CASCADE,
    CONSTRAINT store_price_store_fkey FOREIGN KEY (household_id, store_id)
        REFERENCES store (household_id, id) ON DELETE CASCADE
);
CREATE INDEX store_price_store_idx ON store_price (household_id, store_id);

-- The newest price of a product, and the one of the same chain that it is compared with: the last one from 90 to 365 days
-- before it, or else the first one of the 90 days before it.
CREATE TABLE product_price (
    household_id uuid NOT NULL,
    product_id uuid NOT NULL,
    store_id uuid NOT NULL,
    day date NOT NULL,
    regular_thousandths bigint NOT NULL,
    paid_thousandths bigint NOT NULL,
    is_offer boolean NOT NULL,
    unit text NOT NULL,
    base_thousandths bigint,
    base_unit text,
    currency text NOT NULL,
    earlier_store_id uuid,
    earlier_day date,
    earlier_regular_thousandths bigint,
    earlier_paid_thousandths bigint,
    earlier_is_offer boolean,
    earlier_unit text,
    earlier_base_thousandths bigint,
    earlier_base_unit text,
    earlier_currency text,
    -- Tenths of a percent; NULL where the price stayed or the two cannot be compared. By base price where the package is
    -- another one. Lists are ordered by it.
    change_permille bigint,
    PRIMARY KEY (household_id, product_id),
    CONSTRAINT product_price_product_fkey FOREIGN KEY (household_id, product_id)
        REFERENCES product (household_id, id) ON DELETE CASCADE
);
CREATE INDEX product_price_day_idx ON product_price (household_id, day DESC, product_id) INCLUDE (change_permille);

-- What was spent on a day, in the household's currency. `spending_month` is its sum.
CREATE TABLE spending_day (
    household_id uuid NOT NULL REFERENCES household (id) ON DELETE CASCADE,
    day date NOT NULL,
    -- The nil id: no category.
    category_id uuid NOT NULL,
    amount_minor bigint NOT NULL,
    PRIMARY KEY (household_id, day, category_id)
);

ALTER TABLE store_price ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON store_price USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
ALTER TABLE product_price ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON product_price USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
ALTER TABLE spending_day ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON spending_day USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON store_price, product_price, spending_day TO allesteurer_app;

-- No page reads it.
DROP TABLE price_month;

INSERT INTO store_price (household_id, product_id, store_id, price_id, day, regular_thousandths, paid_thousandths,
    is_offer, unit, base_thousandths, base_unit, currency)
SELECT DISTINCT ON (household_id, product_id, store_id) household_id, product_id, store_id, id, day,
    regular_thousandths, paid_thousandths, is_offer, unit, base_thousandths, base_unit, currency
FROM price ORDER BY household_id, product_id, store_id, day DESC, regular_thousandths DESC, id DESC;

INSERT INTO product_price (household_id, product_id, store_id, day, regular_thousandths, paid_thousandths, is_offer,
    unit, base_thousandths, base_unit, currency, earlier_store_id, earlier_day, earlier_regular_thousandths,
    earlier_paid_thousandths, earlier_is_offer, earlier_unit, earlier_base_thousandths, earlier_base_unit,
    earlier_currency, change_permille)
SELECT n.household_id, n.product_id, n.store_id, n.day, n.regular_thousandths, n.paid_thousandths, n.is_offer, n.unit,
    n.base_thousandths, n.base_unit, n.currency, e.store_id, e.day, e.regular_thousandths, e.paid_thousandths,
    e.is_offer, e.unit, e.base_thousandths, e.base_unit, e.currency,
    CASE WHEN n.unit = e.unit AND n.currency = e.currency AND e.regular_thousandths > 0 THEN nullif(
        CASE WHEN n.base_unit = e.base_unit AND e.base_thousandths > 0
            AND 2 * abs(e.regular_thousandths::numeric * n.base_thousandths
                - n.regular_thousandths::numeric * e.base_thousandths) > e.regular_thousandths + n.regular_thousandths
            THEN round(1000 * (n.base_thousandths - e.base_thousandths)::numeric / e.base_thousandths)
            ELSE round(1000 * (n.regular_thousandths - e.regular_thousandths)::numeric / e.regular_thousandths) END,
        0)::bigint END
FROM (
    SELECT DISTINCT ON (p.household_id, p.product_id) p.*, s.chain
    FROM store_price p JOIN store s ON s.household_id = p.household_id AND s.id = p.store_id
    ORDER BY p.household_id, p.product_id, p.day DESC, p.regular_thousandths DESC, p.price_id DESC) n
LEFT JOIN LATERAL (
    SELECT * FROM (
        (SELECT q.* FROM price q JOIN store s ON s.household_id = q.household_id AND s.id = q.store_id
         WHERE q.household_id = n.household_id AND q.product_id = n.product_id AND s.chain = n.chain
            AND q.day <= n.day - 90 AND q.day >= n.day - 365
         ORDER BY q.day DESC, q.regular_thousandths DESC, q.id DESC LIMIT 1)
        UNION ALL
        (SELECT q.* FROM price q JOIN store s ON s.household_id = q.household_id AND s.id = q.store_id
         WHERE q.household_id = n.household_id AND q.product_id = n.product_id AND s.chain = n.chain
            AND q.day > n.day - 90 AND q.day < n.day
         ORDER BY q.day, q.regular_thousandths DESC, q.id DESC LIMIT 1)) c
    ORDER BY c.day LIMIT 1) e ON true;

INSERT INTO spending_day (household_id, day, category_id, amount_minor)
SELECT s.household_id, s.day, s.category_id, sum(s.amount_minor)
FROM (
    SELECT r.household_id, r.purchase_day AS day, l.total_minor AS amount_minor,
        coalesce(l.category_id, d.category_id, bl.category_id, bd.category_id,
            CASE WHEN l.kind IN ('deposit', 'deposit_return') THEN (SELECT c.id FROM category c
                WHERE c.household_id = r.household_id AND c.key = 'deposit' ORDER BY c.id LIMIT 1) END,
            '00000000-0000-0000-0000-000000000000'::uuid) AS category_id
    FROM receipt r
    JOIN household h ON h.id = r.household_id AND h.currency = r.currency
    JOIN receipt_line l ON l.household_id = r.household_id AND l.receipt_id = r.id
    LEFT JOIN product d ON d.household_id = l.household_id AND d.id = l.product_id
    LEFT JOIN receipt_line bl ON bl.household_id = l.household_id AND bl.id = l.bound_line_id AND l.kind = 'discount'
    LEFT JOIN product bd ON bd.household_id = bl.household_id AND bd.id = bl.product_id
    WHERE r.booked_month IS NOT NULL
    UNION ALL
    SELECT r.household_id, r.purchase_day, r.total_minor - coalesce(t.total, 0),
        '00000000-0000-0000-0000-000000000000'::uuid
    FROM receipt r
    JOIN household h ON h.id = r.household_id AND h.currency = r.currency
    LEFT JOIN (SELECT household_id, receipt_id, sum(total_minor) AS total FROM receipt_line GROUP BY 1, 2) t
        ON t.household_id = r.household_id AND t.receipt_id = r.id
    WHERE r.booked_month IS NOT NULL AND r.total_minor <> coalesce(t.total, 0)) s
GROUP BY 1, 2, 3;
