-- Indexes that bound what a page reads.

-- Lines without a product: their names are counted on every page of prices.
CREATE INDEX receipt_line_unmatched_idx ON receipt_line (household_id, receipt_id)
    WHERE product_id IS NULL AND kind = 'item' AND alias_key <> '';
-- The list of products by name.
CREATE INDEX product_name_idx ON product (household_id, name, id);

CREATE OR REPLACE FUNCTION refresh_statistics() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
    ANALYZE store, category, product, product_package, product_alias, receipt, receipt_line, price, store_price,
        product_price, spending_day, spending_month, change_log;
END
$$;
REVOKE ALL ON FUNCTION refresh_statistics() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION refresh_statistics() TO allesteurer_app;
