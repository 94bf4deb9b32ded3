-- The category of a product, looked up for each line that is booked. Newer than the other indexes of the table: without
-- statistics all of them cost the same, and the planner takes the newest.
CREATE UNIQUE INDEX product_category_idx ON product (household_id, id) INCLUDE (category_id);
