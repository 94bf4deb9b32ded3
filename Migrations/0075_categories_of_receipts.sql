-- A line without a category, and the part of a total that no line covers, count in the category of the receipt: in
-- spending_day and spending_month, as already in expense_day. Computes the days with such receipts again. Receipts in
-- other currencies are converted as in HomeAmount: the sum of the lines up to a line is converted, and the line gets the
-- difference to the sum before it.

-- Each transaction of a server first locks its household, so servers that run meanwhile wait before they write these
-- sums. Otherwise they could insert a row that this migration inserts, too.
CREATE TEMPORARY TABLE changed_household ON COMMIT DROP AS
SELECT h.id FROM household h
WHERE EXISTS (SELECT 1 FROM expense e
    WHERE e.household_id = h.id AND e.receipt_id IS NOT NULL AND e.category_id IS NOT NULL)
ORDER BY h.id FOR UPDATE OF h;

CREATE TEMPORARY TABLE changed_day ON COMMIT DROP AS
SELECT DISTINCT r.household_id, r.purchase_day AS day
FROM changed_household h
JOIN expense e ON e.household_id = h.id AND e.category_id IS NOT NULL
JOIN receipt r ON r.household_id = e.household_id AND r.id = e.receipt_id
WHERE r.booked_month IS NOT NULL AND r.discarded_at IS NULL;

CREATE TEMPORARY TABLE counted ON COMMIT DROP AS
WITH receipt_of_day AS (
    SELECT r.household_id, r.id, r.purchase_day AS day, r.currency, h.currency AS home, r.total_minor, e.stated_minor,
        e.stated_currency, e.category_id, l.sum AS lines, coalesce(r.total_minor, l.sum) AS total
    FROM changed_day t
    JOIN receipt r ON r.household_id = t.household_id AND r.purchase_day = t.day
    JOIN household h ON h.id = r.household_id
    LEFT JOIN expense e ON e.household_id = r.household_id AND e.receipt_id = r.id
    CROSS JOIN LATERAL (SELECT coalesce(sum(a.total_minor), 0)::bigint AS sum FROM receipt_line a
        WHERE a.household_id = r.household_id AND a.receipt_id = r.id) l
    WHERE r.booked_month IS NOT NULL AND r.discarded_at IS NULL),
-- The converted amount of a receipt is its amount times num divided by den.
converted AS (
    SELECT r.*, 1::numeric AS num, 1::numeric AS den FROM receipt_of_day r WHERE r.currency = r.home
    UNION ALL
    SELECT r.*, r.stated_minor::numeric, abs(r.total)::numeric FROM receipt_of_day r
    WHERE r.currency <> r.home AND r.stated_currency = r.home AND r.total <> 0
    UNION ALL
    SELECT r.*, home.rate * 100, own.rate * power(10::numeric, own.digits) FROM receipt_of_day r
    CROSS JOIN LATERAL (SELECT 1000000::numeric AS rate, 2::smallint AS digits WHERE r.currency = 'EUR'
        UNION ALL (SELECT x.per_euro_millionths, x.digits FROM exchange_rate x
            WHERE x.household_id = r.household_id AND x.currency = r.currency
                AND x.day <= r.day AND x.day >= r.day - 7 ORDER BY x.day DESC LIMIT 1)) own
    CROSS JOIN LATERAL (SELECT 1000000::numeric AS rate WHERE r.home = 'EUR'
        UNION ALL (SELECT x.per_euro_millionths FROM exchange_rate x
            WHERE x.household_id = r.household_id AND x.currency = r.home
                AND x.day <= r.day AND x.day >= r.day - 7 ORDER BY x.day DESC LIMIT 1)) home
    WHERE r.currency <> r.home AND (r.stated_currency IS DISTINCT FROM r.home OR r.total = 0)),
line AS (
    SELECT r.household_id, r.day, r.category_id AS receipt_category, r.num, r.den, l.total_minor,
        sum(l.total_minor) OVER (PARTITION BY r.household_id, r.id ORDER BY l.position, l.id) AS through,
        coalesce(l.category_id, d.category_id, bl.category_id, bd.category_id,
            CASE WHEN l.kind IN ('deposit', 'deposit_return') THEN (SELECT c.id FROM category c
                WHERE c.household_id = r.household_id AND c.key = 'deposit' ORDER BY c.id LIMIT 1) END) AS category_id
    FROM converted r
    JOIN receipt_line l ON l.household_id = r.household_id AND l.receipt_id = r.id
    LEFT JOIN product d ON d.household_id = l.household_id AND d.id = l.product_id
    LEFT JOIN receipt_line bl ON bl.household_id = l.household_id AND bl.id = l.bound_line_id AND l.kind = 'discount'
    LEFT JOIN product bd ON bd.household_id = bl.household_id AND bd.id = bl.product_id)
SELECT household_id, day,
    coalesce(category_id, receipt_category, '00000000-0000-0000-0000-000000000000') AS category_id,
    (round(through * num / den) - round((through - total_minor) * num / den))::bigint AS amount_minor
FROM line
UNION ALL
SELECT household_id, day, coalesce(category_id, '00000000-0000-0000-0000-000000000000'),
    (round(total_minor * num / den) - round(lines * num / den))::bigint
FROM converted WHERE total_minor <> lines;

DELETE FROM spending_day d USING changed_day t WHERE d.household_id = t.household_id AND d.day = t.day;
INSERT INTO spending_day (household_id, day, category_id, amount_minor)
SELECT household_id, day, category_id, sum(amount_minor) FROM counted GROUP BY 1, 2, 3;

CREATE TEMPORARY TABLE changed_month ON COMMIT DROP AS
SELECT DISTINCT household_id, date_trunc('month', day)::date AS month FROM changed_day;
DELETE FROM spending_month m USING changed_month t WHERE m.household_id = t.household_id AND m.month = t.month;
INSERT INTO spending_month (household_id, month, category_id, amount_minor)
SELECT d.household_id, t.month, d.category_id, sum(d.amount_minor)
FROM changed_month t
JOIN spending_day d ON d.household_id = t.household_id AND d.day >= t.month
    AND d.day < (t.month + interval '1 month')::date
GROUP BY 1, 2, 3;
