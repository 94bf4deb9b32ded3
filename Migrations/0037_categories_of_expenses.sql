-- One tree of categories for goods and expenses: the categories of food move below "groceries", and the other things that a
-- household pays for get categories of their own. Every change is in the change log, so that sync clients learn of it.

CREATE TEMPORARY TABLE added (key text, parent text, name text, colour text, icon text, position integer) ON COMMIT DROP;
INSERT INTO added VALUES
    ('groceries', NULL, 'Lebensmittel', 'green', 'basket', 0),
    ('dining', NULL, 'Restaurant & Café', 'orange', 'fork', 40),
    ('transport', NULL, 'Verkehr', 'blue', 'car', 50),
    ('fuel', 'transport', 'Tanken', 'blue', 'car', 51),
    ('transit', 'transport', 'Bus & Bahn', 'blue', 'car', 52),
    ('parking', 'transport', 'Parken', 'blue', 'car', 53),
    ('housing', NULL, 'Wohnen', 'brown', 'home', 60),
    ('energy', NULL, 'Energie', 'amber', 'bolt', 70),
    ('telecom', NULL, 'Internet & Telefon', 'sky', 'phone', 80),
    ('health', NULL, 'Gesundheit', 'red', 'heart', 90),
    ('pharmacy', 'health', 'Apotheke', 'red', 'heart', 91),
    ('clothing', NULL, 'Kleidung & Schuhe', 'violet', 'shirt', 100),
    ('leisure', NULL, 'Freizeit & Kultur', 'pink', 'star', 110),
    ('subscriptions', 'leisure', 'Abos', 'pink', 'star', 111),
    ('travel', NULL, 'Reisen', 'teal', 'globe', 120),
    ('education', NULL, 'Bildung', 'indigo', 'table', 130),
    ('insurance', NULL, 'Versicherung', 'slate', 'shield', 140),
    ('fees', NULL, 'Gebühren & Steuern', 'slate', 'receipt', 150),
    ('gifts', NULL, 'Geschenke & Spenden', 'rose', 'gift', 160),
    ('diy', 'household', 'Baumarkt & Garten', 'teal', 'broom', 31),
    ('income', NULL, 'Einkommen', 'lime', 'coins', 170);

-- A household's own category of the same name becomes the built-in one.
INSERT INTO category (household_id, id, key, name, colour, icon, position)
SELECT h.id, gen_random_uuid(), a.key, a.name, a.colour, a.icon, a.position
FROM household h CROSS JOIN added a
WHERE NOT EXISTS (SELECT 1 FROM category c WHERE c.household_id = h.id AND c.key = a.key)
ON CONFLICT (household_id, name) DO UPDATE SET key = excluded.key, revision = category.revision + 1
WHERE category.key = '';

UPDATE category c SET parent_id = p.id, revision = c.revision + 1
FROM category p
WHERE p.household_id = c.household_id AND c.id <> p.id AND c.parent_id IS NULL AND p.parent_id IS NULL
    AND p.key = CASE WHEN c.key IN ('produce', 'dairy', 'bread', 'meat', 'pantry', 'drinks', 'sweets', 'frozen')
        THEN 'groceries' ELSE (SELECT a.parent FROM added a WHERE a.key = c.key) END;

WITH changed AS (
    SELECT c.household_id, c.id, c.revision, to_jsonb(c) AS body,
        row_number() OVER (PARTITION BY c.household_id ORDER BY c.id) AS n
    FROM category c
    WHERE NOT EXISTS (SELECT 1 FROM change_log l
        WHERE l.household_id = c.household_id AND l.document_id = c.id AND l.revision = c.revision)),
taken AS (
    UPDATE household h SET sync_seq = h.sync_seq + k.count
    FROM (SELECT household_id, count(*) AS count FROM changed GROUP BY 1) k
    WHERE h.id = k.household_id RETURNING h.id, h.sync_seq - k.count AS before)
INSERT INTO change_log (household_id, seq, document_type, document_id, revision, body)
SELECT c.household_id, t.before + c.n, 'category', c.id, c.revision, c.body
FROM changed c JOIN taken t ON t.id = c.household_id;
