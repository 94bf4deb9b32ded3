import Domain
import Postgres

@testable import App

extension TenantSeed {
    /// Inserts an upload of which no part has arrived.
    mutating func upload() throws {
        let upload = UploadID.new()
        try connection.query(
            """
            INSERT INTO upload (household_id, id, person_id, name, size)
            VALUES (\(household), \(upload), \(person), \("\(mark).jpg"), 4)
            """)
        record(upload, as: "upload")
    }

    /// Inserts an uploaded table that is not imported yet.
    mutating func waitingFile() throws {
        let file = FileID.new()
        try connection.query(
            """
            INSERT INTO import_file (household_id, id, person_id, name, content)
            VALUES (\(household), \(file), \(person), \("\(mark).csv"),
                E'Name;Price;Category;Shop;Datum\\nMilch;1,49;;Spar;04.03.2026\\n')
            """)
        record(file, as: "file")
    }
}
