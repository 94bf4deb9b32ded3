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

UPDATE store_price m SET paid_thousandths = p.paid_thousandths, is_offer = p.is_offer
FROM price p
WHERE p.household_id = m.household_id AND p.id = m.price_id
    AND (m.paid_thousandths, m.is_offer) IS DISTINCT FROM (p.paid_thousandths, p.is_offer);

-- Of several prices of a day, the order by price and identifier is that of `PriceOrder.newestFirst`.
UPDATE product_price m SET paid_thousandths = n.paid_thousandths, is_offer = n.is_offer
FROM store_price n
WHERE n.household_id = m.household_id AND n.product_id = m.product_id AND n.store_id = m.store_id AND n.day = m.day
    AND (m.paid_thousandths, m.is_offer) IS DISTINCT FROM (n.paid_thousandths, n.is_offer);

UPDATE product_price m SET earlier_paid_thousandths = e.paid_thousandths, earlier_is_offer = e.is_offer
FROM (
    SELECT DISTINCT ON (o.household_id, o.product_id) o.household_id, o.product_id, p.paid_thousandths, p.is_offer
    FROM product_price o
    JOIN price p ON p.household_id = o.household_id AND p.product_id = o.product_id
        AND p.store_id = o.earlier_store_id AND p.day = o.earlier_day
        AND p.regular_thousandths = o.earlier_regular_thousandths AND p.unit = o.earlier_unit
        AND p.currency = o.earlier_currency
    ORDER BY o.household_id, o.product_id, p.id DESC) e
WHERE e.household_id = m.household_id AND e.product_id = m.product_id
    AND (m.earlier_paid_thousandths, m.earlier_is_offer) IS DISTINCT FROM (e.paid_thousandths, e.is_offer);
