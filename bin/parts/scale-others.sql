-- bin/bench scale: adds rows of other households until the table price has :prices rows. Run as a superuser.
-- Each household has 10,000 prices without receipts, and 248 receipts with one line each.
\set ON_ERROR_STOP on
SET session_replication_role = replica;
SET maintenance_work_mem = '1GB';
SET synchronous_commit = off;
SELECT setseed(0.5) \g /dev/null
SELECT greatest(0, (:prices - count(*)) / 10000) AS households FROM price \gset

CREATE TEMP TABLE other AS SELECT gen_random_uuid() AS id, i FROM generate_series(1, :households) i;
INSERT INTO household (id, name, digest_key) SELECT id, 'Haushalt ' || i, '\x00' FROM other;
CREATE TEMP TABLE other_store AS
SELECT o.id AS household_id, gen_random_uuid() AS id, (ARRAY['billa','spar','hofer','lidl'])[n + 1] AS chain, n
FROM other o, generate_series(0, 3) n;
INSERT INTO store (household_id, id, chain, name) SELECT household_id, id, chain, upper(chain) FROM other_store;
CREATE TEMP TABLE other_product AS
SELECT s.household_id, gen_random_uuid() AS id, s.id AS store_id, s.chain, i AS n, 79 + (i * 37) % 900 AS minor
FROM other_store s, generate_series(0, 99) i;
INSERT INTO product (household_id, id, chain, name) SELECT household_id, id, chain, 'Ware ' || n FROM other_product;
CREATE TEMP TABLE other_receipt AS
SELECT s.household_id, gen_random_uuid() AS id, s.id AS store_id, current_date - i * 40 - s.n * 7 AS day
FROM other_store s, generate_series(0, 61) i;
INSERT INTO receipt (household_id, id, stage, store_id, purchase_day, booked_month, total_minor)
SELECT household_id, id, 'confirmed', store_id, day, date_trunc('month', day)::date, 4000 FROM other_receipt;
INSERT INTO receipt_line (household_id, id, receipt_id, position, kind, printed_name, alias_key, total_minor)
SELECT household_id, gen_random_uuid(), id, 0, 'deposit', 'PFAND', '', 25 FROM other_receipt;

-- Drops the indexes and creates them again afterwards. With indexes, adding the rows would take three times as long.
CREATE TEMP TABLE price_index AS
SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition
FROM pg_index i WHERE i.indrelid = 'price'::regclass
    AND NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conindid = i.indexrelid);
SELECT format('DROP INDEX %I', name) FROM price_index \gexec
INSERT INTO price (household_id, id, product_id, store_id, day, regular_thousandths, paid_thousandths, base_thousandths,
    base_unit, quantity_thousandths, unit, source)
SELECT p.household_id, gen_random_uuid(), p.id, p.store_id, current_date - visit * 100 - p.n, p.minor * 1000,
    p.minor * 1000, p.minor * 2000, 'kg', 1000, 'piece', 'manual'
FROM generate_series(0, 24) visit, other_product p;
SELECT definition FROM price_index \gexec
SET session_replication_role = origin;
