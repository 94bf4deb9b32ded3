-- A size that a person typed stays, whatever names come to the product or leave it; one that came with a name may leave with
-- it.
ALTER TABLE product_package ADD COLUMN by_hand boolean NOT NULL DEFAULT false;

-- Typed so far: a size that the product did not begin with, and that came when none of its names did.
UPDATE product_package k SET by_hand = true
FROM (SELECT DISTINCT ON (c.household_id, c.document_id, p.body ->> 'valid_from', p.body ->> 'amount_thousandths',
            p.body ->> 'unit')
        c.household_id, c.document_id, c.revision, c.changed_at, p.body
    FROM change_log c, jsonb_array_elements(c.body -> 'packages') p (body)
    WHERE c.document_type = 'product' AND NOT c.deleted
    ORDER BY c.household_id, c.document_id, p.body ->> 'valid_from', p.body ->> 'amount_thousandths',
        p.body ->> 'unit', c.revision) came
WHERE came.household_id = k.household_id AND came.document_id = k.product_id AND came.revision > 1
    AND (came.body ->> 'valid_from')::date = k.valid_from AND came.body ->> 'unit' = k.unit
    AND (came.body ->> 'amount_thousandths')::bigint = k.amount_thousandths
    AND NOT EXISTS (SELECT 1 FROM change_log a WHERE a.household_id = came.household_id
        AND a.document_type = 'alias' AND a.changed_at = came.changed_at);
