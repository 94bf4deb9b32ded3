-- The hourly search for published gifts also finds gifts that are booked already. receipt_hidden_idx has only unbooked ones.
CREATE INDEX receipt_hidden_until_idx ON receipt (household_id, hidden_until) WHERE hidden_until IS NOT NULL;

-- The list of the server's wines shows the vintages of a wine as one row.
CREATE INDEX shared_wine_family_idx ON shared_wine (family_key);

-- The import of wines refreshes the statistics too.
CREATE OR REPLACE FUNCTION refresh_statistics() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
    ANALYZE store, category, product, product_package, product_alias, receipt, receipt_line, price, store_price,
        product_price, spending_day, spending_month, change_log, wine, wine_score, wine_alias;
END
$$;
REVOKE ALL ON FUNCTION refresh_statistics() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION refresh_statistics() TO allesteurer_app;
