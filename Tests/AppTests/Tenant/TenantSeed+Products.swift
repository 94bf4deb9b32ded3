import Domain
import Postgres

@testable import App

extension TenantSeed {
    mutating func storesAndProducts() throws {
        try connection.query(
            """
            INSERT INTO store (household_id, id, chain, name) VALUES (\(household), \(store), 'spar', \("\(mark)markt"))
            """)
        let unused = StoreID.new()
        try connection.query(
            """
            INSERT INTO store (household_id, id, chain, name) VALUES (\(household), \(unused), 'spar', \("\(mark)laden"))
            """)
        record(store, as: "store", "other-store")
        record(unused, as: "store", "other-store")
        let ignored = IgnoredNameID.new()
        try connection.query(
            """
            INSERT INTO ignored_name (household_id, id, chain, alias_key)
            VALUES (\(household), \(ignored), 'spar', \("\(mark.lowercased()) tasche"))
            """)
        record(ignored, as: "ignored")
        let batch = MatchingBatchID.new()
        try connection.query("INSERT INTO matching_batch (household_id, id) VALUES (\(household), \(batch))")
        record(batch, as: "batch")
        let group = ComparisonGroupID.new()
        try connection.query(
            """
            INSERT INTO comparison_group (household_id, id, name, base_unit)
            VALUES (\(household), \(group), \("\(mark)milch"), 'l')
            """)
        record(group, as: "group")
        let category = CategoryID.new()
        try connection.query(
            """
            INSERT INTO category (household_id, id, name) VALUES (\(household), \(category), \("\(mark)ware"))
            """)
        let empty = CategoryID.new()
        try connection.query(
            """
            INSERT INTO category (household_id, id, name) VALUES (\(household), \(empty), \("\(mark)leeres"))
            """)
        record(category, as: "category", "other-category")
        record(empty, as: "category", "other-category")
        for (index, product) in products.enumerated() {
            let alias = AliasID.new()
            try connection.query(
                """
                INSERT INTO product (household_id, id, chain, name, category_id, comparison_group_id)
                VALUES (\(household), \(product), 'spar', \("\(mark)produkt \(index)"), \(category), \(group))
                """)
            try connection.query(
                """
                INSERT INTO product_alias (household_id, id, chain, alias_key, printed_name, product_id)
                VALUES (\(household), \(alias), 'spar', \("\(mark.lowercased()) \(index)"), \("\(mark) \(index)"), \(product))
                """)
            try connection.query(
                """
                INSERT INTO product_package (household_id, product_id, valid_from, amount_thousandths, unit)
                VALUES (\(household), \(product), '2026-02-01', 1000, 'l')
                """)
            record(product, as: "product")
            record(alias, as: "alias")
        }
    }
}
