-- Servers that run meanwhile wait before they write prices. Otherwise they could insert a row of a roll-up that this
-- migration inserts, too, or change a price that it has already read. Servers write the tables in this order.
LOCK TABLE price, store_price, product_price IN SHARE ROW EXCLUSIVE MODE;

-- Lines of a receipt with the same product at the same regular price have the same paid price, because a discount on
-- several packages is printed below one of them. Earlier versions stored the discount with that line only.
UPDATE price p SET paid_thousandths = n.paid, is_offer = n.paid < p.regular_thousandths
FROM (
    SELECT q.household_id, q.receipt_id, q.product_id, q.unit, q.regular_thousandths,
        CASE WHEN sum(l.total_minor + coalesce(d.total, 0)) < 0 THEN q.regular_thousandths
            ELSE div(2000000::numeric * sum(l.total_minor + coalesce(d.total, 0)) + sum(l.quantity_thousandths),
                2::numeric * sum(l.quantity_thousandths)) END AS paid
    FROM price q
    JOIN receipt_line l ON l.household_id = q.household_id AND l.id = q.line_id
    LEFT JOIN (
        SELECT household_id, receipt_id, bound_line_id, sum(total_minor) AS total FROM receipt_line
        WHERE kind = 'discount' AND bound_line_id IS NOT NULL GROUP BY 1, 2, 3) d
        ON d.household_id = l.household_id AND d.receipt_id = l.receipt_id AND d.bound_line_id = l.id
    WHERE q.receipt_id IS NOT NULL
    GROUP BY 1, 2, 3, 4, 5 HAVING count(*) > 1 AND count(d.total) > 0) n
WHERE p.household_id = n.household_id AND p.receipt_id = n.receipt_id AND p.product_id = n.product_id
    AND p.unit = n.unit AND p.regular_thousandths = n.regular_thousandths
    AND p.paid_thousandths <> n.paid AND n.paid <= 100000000000;

-- The roll-ups are computed again. Earlier versions also kept the prices of lines that a person had deleted from a
-- confirmed receipt.
DELETE FROM store_price;
DELETE FROM product_price;

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
            AND q.currency = n.currency AND q.day <= n.day - 90 AND q.day >= n.day - 365
         ORDER BY q.day DESC, q.regular_thousandths DESC, q.id DESC LIMIT 1)
        UNION ALL
        (SELECT q.* FROM price q JOIN store s ON s.household_id = q.household_id AND s.id = q.store_id
         WHERE q.household_id = n.household_id AND q.product_id = n.product_id AND s.chain = n.chain
            AND q.currency = n.currency AND q.day > n.day - 90 AND q.day < n.day
         ORDER BY q.day, q.regular_thousandths DESC, q.id DESC LIMIT 1)) c
    ORDER BY c.day LIMIT 1) e ON true;
