-- bin/bench money: in the demo household, ten years with 3,000 expenses per year, eight budgets that roll over and ten
-- recurring expenses; in addition, 20,000 households with five expenses each. Run as a superuser.
\set ON_ERROR_STOP on
SET session_replication_role = replica;
SELECT household_id AS household, person_id AS person FROM membership m JOIN person p ON p.id = m.person_id
WHERE p.login = 'demo@example.org' \gset
\set none '''00000000-0000-0000-0000-000000000000''::uuid'

CREATE TEMP TABLE money_household AS SELECT gen_random_uuid() AS id, i FROM generate_series(1, 20000) i;
INSERT INTO household (id, name, digest_key) SELECT id, 'Haushalt ' || i, '\x00' FROM money_household;
INSERT INTO expense (household_id, id, what, amount_minor, currency, day, payee, payee_key)
SELECT h.id, gen_random_uuid(), 'Laden ' || n, 100 * n, 'EUR', current_date - n * 40, 'Laden ' || n, 'laden ' || n
FROM money_household h, generate_series(1, 5) n;

CREATE TEMP TABLE money_category AS
SELECT id, row_number() OVER (ORDER BY id) - 1 AS i, count(*) OVER () AS size FROM category WHERE household_id = :'household';
INSERT INTO expense (household_id, id, what, amount_minor, currency, day, payee, payee_key, person_id, paid_by, category_id,
    category_source)
SELECT :'household', gen_random_uuid(), 'Laden ' || n % 400, 100 + n % 5000, 'EUR', current_date - n * 3650 / 30000,
    'Laden ' || n % 400, 'laden ' || n % 400, :'person', :'person', c.id, 'suggested'
FROM generate_series(0, 29999) n JOIN money_category c ON c.i = n % least(c.size, 20);

INSERT INTO expense_day AS d (household_id, day, seen_by, flow, category_id, paid_by, payee_key, amount_minor)
SELECT e.household_id, e.day, :none, 'spending', coalesce(e.category_id, :none), coalesce(e.paid_by, :none), e.payee_key,
    sum(e.amount_minor)
FROM expense e WHERE e.receipt_id IS NULL AND e.what LIKE 'Laden %' GROUP BY 1, 2, 5, 6, 7
ON CONFLICT (household_id, day, seen_by, flow, category_id, paid_by, payee_key) DO UPDATE
SET amount_minor = d.amount_minor + excluded.amount_minor;
DELETE FROM expense_month;
INSERT INTO expense_month (household_id, month, seen_by, flow, category_id, paid_by, amount_minor)
SELECT d.household_id, date_trunc('month', d.day)::date, d.seen_by, d.flow, d.category_id, d.paid_by, sum(d.amount_minor)
FROM expense_day d GROUP BY 1, 2, 3, 4, 5, 6;

CREATE TEMP TABLE money_budget AS
SELECT gen_random_uuid() AS id, i, (ARRAY['month', 'month', 'month', 'month', 'week', 'week', 'year', 'year'])[i + 1] AS period,
    CASE WHEN i IN (2, 3) THEN 25 ELSE 1 END AS start_day, CASE WHEN i % 2 = 0 THEN i END AS category
FROM generate_series(0, 7) i;
INSERT INTO budget (household_id, id, name, category_id, period, start_day, rolls_over, starts_on)
SELECT :'household', b.id, 'Topf ' || b.i, c.id, b.period, b.start_day, true, date_trunc('year', current_date - 3650)
FROM money_budget b LEFT JOIN money_category c ON c.i = b.category;
INSERT INTO budget_limit (household_id, budget_id, valid_from, limit_minor)
SELECT :'household', id, date_trunc('year', current_date - 3650), 50000 FROM money_budget;
INSERT INTO recurring_expense (household_id, id, name, payee_key, repeats, month_day, amount_minor, starts_on, person_id)
SELECT :'household', gen_random_uuid(), 'Dauer ' || i, 'laden ' || i, 'month', 1 + i, 2000, current_date, :'person'
FROM generate_series(0, 9) i;
SET session_replication_role = origin;
