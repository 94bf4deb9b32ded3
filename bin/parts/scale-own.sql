-- bin/bench scale: ten years of shopping in the demo household, 50,000 prices on 1,250 receipts of 40 lines.
-- Run as a superuser; foreign keys are not checked. The seed is fixed, so runs differ only in identifiers and days.
\set ON_ERROR_STOP on
SET session_replication_role = replica;
SELECT setseed(0.25) \g /dev/null
SELECT household_id AS household FROM membership m JOIN person p ON p.id = m.person_id
WHERE p.login = 'demo@example.org' \gset
SELECT person_id AS person FROM membership WHERE household_id = :'household' LIMIT 1 \gset

CREATE TEMP TABLE scale_store AS
SELECT gen_random_uuid() AS id, (ARRAY['billa','spar','hofer','lidl','penny','mpreis'])[i % 6 + 1] AS chain, i
FROM generate_series(0, 11) i;
INSERT INTO store (household_id, id, chain, name, town)
SELECT :'household', id, chain, upper(chain), 'Ort ' || i FROM scale_store;

-- 400 products, each sold by five of the six chains.
CREATE TEMP TABLE scale_group AS SELECT gen_random_uuid() AS id, i FROM generate_series(0, 399) i;
INSERT INTO comparison_group (household_id, id, name, base_unit)
SELECT :'household', id, 'Vergleichsware ' || i, CASE WHEN i % 2 = 0 THEN 'kg' ELSE 'l' END FROM scale_group;

CREATE TEMP TABLE scale_category AS
SELECT id, row_number() OVER (ORDER BY id) - 1 AS i, count(*) OVER () AS n FROM category WHERE household_id = :'household';
CREATE TEMP TABLE scale_product AS
SELECT gen_random_uuid() AS id, (ARRAY['billa','spar','hofer','lidl','penny','mpreis'])[i % 6 + 1] AS chain, i,
    i / 6 AS place, 79 + (i * 37) % 900 AS minor, CASE WHEN (i / 5) % 2 = 0 THEN 'kg' ELSE 'l' END AS base_unit
FROM generate_series(0, 1999) i;
INSERT INTO product (household_id, id, chain, name, category_id, comparison_group_id)
SELECT :'household', p.id, p.chain, 'Artikel Nummer ' || p.i, c.id, g.id
FROM scale_product p JOIN scale_category c ON c.i = p.i % c.n JOIN scale_group g ON g.i = p.i / 5;
INSERT INTO product_package (household_id, product_id, valid_from, amount_thousandths, unit)
SELECT :'household', id, '2000-01-01', 500, base_unit FROM scale_product;
INSERT INTO product_alias (household_id, id, chain, alias_key, printed_name, product_id)
SELECT :'household', gen_random_uuid(), chain, 'artikel nummer ' || i, 'ARTIKEL NUMMER ' || i, id FROM scale_product;

CREATE TEMP TABLE scale_receipt AS
SELECT gen_random_uuid() AS id, n AS i, current_date - (n * 3650 / 1250) AS day, s.id AS store_id, s.chain
FROM generate_series(0, 1249) n JOIN scale_store s ON s.i = (n * 7) % 12;
INSERT INTO receipt (household_id, id, stage, verdict, store_id, purchase_day, purchase_time, total_minor, person_id,
    booked_month, created_at, confirmed_at)
SELECT :'household', id, 'confirmed', 'proven', store_id, day, '10:30', 0, :'person',
    date_trunc('month', day)::date, day + time '11:00', day + time '11:05' FROM scale_receipt ORDER BY i DESC;

-- Some products are bought every week, most only occasionally.
CREATE TEMP TABLE scale_line AS
SELECT gen_random_uuid() AS id, r.id AS receipt_id, r.store_id, r.day, l.position, p.id AS product_id, p.i, p.base_unit,
    round(p.minor * (1 - (current_date - r.day) * 0.00007) * (1 + (p.i + r.i / 40) % 7 * 0.01))::bigint AS minor,
    (l.position + r.i) % 9 = 0 AS is_offer
FROM (SELECT s.id, n AS position, floor(333 * random() * random())::integer AS drawn
    FROM scale_receipt s, generate_series(0, 39) n) l
JOIN scale_receipt r ON r.id = l.id
JOIN scale_product p ON p.chain = r.chain AND p.place = l.drawn
ORDER BY r.i DESC, l.position;
INSERT INTO receipt_line (household_id, id, receipt_id, position, kind, printed_name, alias_key, total_minor,
    unit_price_thousandths, product_id)
SELECT :'household', id, receipt_id, position, 'item', 'ARTIKEL NUMMER ' || i, 'artikel nummer ' || i, minor, minor * 1000,
    product_id FROM scale_line;
UPDATE receipt r SET total_minor = l.total
FROM (SELECT receipt_id, sum(minor) AS total FROM scale_line GROUP BY 1) l
WHERE r.household_id = :'household' AND r.id = l.receipt_id;
INSERT INTO price (household_id, id, product_id, store_id, day, regular_thousandths, paid_thousandths, base_thousandths,
    base_unit, quantity_thousandths, unit, is_offer, receipt_id, line_id)
SELECT :'household', id, product_id, store_id, day, minor * 1000, CASE WHEN is_offer THEN minor * 800 ELSE minor * 1000 END,
    minor * 2000, base_unit, 1000, 'piece', is_offer, receipt_id, id FROM scale_line;

-- Twenty unmatched names on twenty receipts.
UPDATE receipt_line l SET alias_key = 'neu ' || r.i, printed_name = 'NEU ' || r.i, product_id = NULL
FROM scale_receipt r WHERE l.household_id = :'household' AND l.receipt_id = r.id AND l.position = 0 AND r.i < 20;
DELETE FROM price p USING receipt_line l WHERE p.household_id = :'household' AND l.household_id = p.household_id
    AND l.id = p.line_id AND l.product_id IS NULL;
SET session_replication_role = origin;
