-- Receipts in another currency than the household's count in the sums, at the rate of their day or with the amount that
-- their expense states. Adds those that are booked already. The conversion is that of HomeAmount: the sum of the first
-- lines is converted, and each line gets the difference to the sum before it.

CREATE TEMPORARY TABLE converted ON COMMIT DROP AS
WITH foreign_receipt AS (
    SELECT r.household_id, r.id, r.purchase_day AS day, r.currency, h.currency AS home, r.total_minor, e.stated_minor,
        e.stated_currency, e.category_id, l.sum AS lines, coalesce(r.total_minor, l.sum) AS total,
        coalesce(e.paid_by, r.person_id, '00000000-0000-0000-0000-000000000000') AS paid_by,
        coalesce(s.chain, '') AS payee_key
    FROM receipt r
    JOIN household h ON h.id = r.household_id AND h.currency <> r.currency
    LEFT JOIN expense e ON e.household_id = r.household_id AND e.receipt_id = r.id
    LEFT JOIN store s ON s.household_id = r.household_id AND s.id = r.store_id
    CROSS JOIN LATERAL (SELECT coalesce(sum(a.total_minor), 0)::bigint AS sum FROM receipt_line a
        WHERE a.household_id = r.household_id AND a.receipt_id = r.id) l
    WHERE r.booked_month IS NOT NULL AND r.discarded_at IS NULL),
rate AS (
    SELECT f.household_id, f.id, own.rate AS own_rate, own.digits, home.rate AS home_rate FROM foreign_receipt f
    CROSS JOIN LATERAL (SELECT 1000000::numeric AS rate, 2::smallint AS digits WHERE f.currency = 'EUR'
        UNION ALL (SELECT x.per_euro_millionths, x.digits FROM exchange_rate x
            WHERE x.household_id = f.household_id AND x.currency = f.currency AND x.day <= f.day AND x.day >= f.day - 7
            ORDER BY x.day DESC LIMIT 1)) own
    CROSS JOIN LATERAL (SELECT 1000000::numeric AS rate WHERE f.home = 'EUR'
        UNION ALL (SELECT x.per_euro_millionths FROM exchange_rate x
            WHERE x.household_id = f.household_id AND x.currency = f.home AND x.day <= f.day AND x.day >= f.day - 7
            ORDER BY x.day DESC LIMIT 1)) home),
factor AS (
    SELECT f.*, CASE WHEN f.stated_currency = f.home AND f.total <> 0 THEN f.stated_minor::numeric
            ELSE q.home_rate * 100 END AS num,
        CASE WHEN f.stated_currency = f.home AND f.total <> 0 THEN abs(f.total)::numeric
            ELSE q.own_rate * power(10::numeric, q.digits) END AS den
    FROM foreign_receipt f LEFT JOIN rate q ON q.household_id = f.household_id AND q.id = f.id
    WHERE q.id IS NOT NULL OR (f.stated_currency = f.home AND f.total <> 0)),
line AS (
    SELECT f.household_id, f.day, f.category_id AS rest_category, f.paid_by, f.payee_key, f.num, f.den, l.total_minor,
        sum(l.total_minor) OVER (PARTITION BY f.household_id, f.id ORDER BY l.position, l.id) AS through,
        coalesce(l.category_id, d.category_id, bl.category_id, bd.category_id,
            CASE WHEN l.kind IN ('deposit', 'deposit_return') THEN (SELECT c.id FROM category c
                WHERE c.household_id = f.household_id AND c.key = 'deposit' ORDER BY c.id LIMIT 1) END) AS category_id
    FROM factor f
    JOIN receipt_line l ON l.household_id = f.household_id AND l.receipt_id = f.id
    LEFT JOIN product d ON d.household_id = l.household_id AND d.id = l.product_id
    LEFT JOIN receipt_line bl ON bl.household_id = l.household_id AND bl.id = l.bound_line_id AND l.kind = 'discount'
    LEFT JOIN product bd ON bd.household_id = bl.household_id AND bd.id = bl.product_id)
SELECT household_id, day, category_id, coalesce(category_id, rest_category) AS expense_category, paid_by, payee_key,
    (round(through * num / den) - round((through - total_minor) * num / den))::bigint AS amount_minor
FROM line
UNION ALL
SELECT household_id, day, NULL, category_id, paid_by, payee_key,
    (round(total_minor * num / den) - round(lines * num / den))::bigint
FROM factor WHERE total_minor <> lines;

UPDATE converted SET category_id = coalesce(category_id, '00000000-0000-0000-0000-000000000000'),
    expense_category = coalesce(expense_category, '00000000-0000-0000-0000-000000000000');

INSERT INTO spending_day AS d (household_id, day, category_id, amount_minor)
SELECT household_id, day, category_id, sum(amount_minor) FROM converted GROUP BY 1, 2, 3
ON CONFLICT (household_id, day, category_id) DO UPDATE SET amount_minor = d.amount_minor + excluded.amount_minor;

INSERT INTO spending_month AS m (household_id, month, category_id, amount_minor)
SELECT household_id, date_trunc('month', day)::date, category_id, sum(amount_minor) FROM converted GROUP BY 1, 2, 3
ON CONFLICT (household_id, month, category_id) DO UPDATE SET amount_minor = m.amount_minor + excluded.amount_minor;

INSERT INTO expense_day AS d (household_id, day, seen_by, flow, category_id, paid_by, payee_key, amount_minor)
SELECT household_id, day, '00000000-0000-0000-0000-000000000000', 'spending', expense_category, paid_by, payee_key,
    sum(amount_minor)
FROM converted GROUP BY 1, 2, 5, 6, 7
ON CONFLICT (household_id, day, seen_by, flow, category_id, paid_by, payee_key)
    DO UPDATE SET amount_minor = d.amount_minor + excluded.amount_minor;

INSERT INTO expense_month AS m (household_id, month, seen_by, flow, category_id, paid_by, amount_minor)
SELECT household_id, date_trunc('month', day)::date, '00000000-0000-0000-0000-000000000000', 'spending',
    expense_category, paid_by, sum(amount_minor)
FROM converted GROUP BY 1, 2, 5, 6
ON CONFLICT (household_id, flow, category_id, month, seen_by, paid_by)
    DO UPDATE SET amount_minor = m.amount_minor + excluded.amount_minor;
