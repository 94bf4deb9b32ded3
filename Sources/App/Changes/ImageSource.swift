import Postgres

/// The contents of an image document: the uploaded file until it is read, then the pictures of its pages.
enum ImageSource {
    /// MD5 of everything that determines the document of file `d` of receipt `r`, computed without reading the
    /// contents.
    static let digest: SQL = """
        md5(concat_ws(' ', d.receipt_id, d.blob_id, r.hidden_until, r.person_id, (
            SELECT string_agg(g.n || ' ' || g.display_blob_id, ',' ORDER BY g.n) FROM receipt_page g
            WHERE g.household_id = d.household_id AND g.receipt_id = d.receipt_id AND g.file_id = d.id)))
        """

    /// The person who receives file `d` of receipt `r` while the file is private. This is the uploader of the receipt,
    /// or the sender of a file that is not read yet. Null if the sender may not see the receipt.
    static var person: SQL {
        """
        CASE WHEN d.blob_id IS NULL OR d.person_id IS NULL OR d.person_id = r.person_id
                THEN coalesce(r.person_id, d.person_id)
            WHEN r.hidden_until > \(WallClock.today()) THEN NULL ELSE d.person_id END
        """
    }

    /// The attachment name of file `d`. If the file is a single picture, its attachment keeps the name after reading.
    private static let name: SQL = "coalesce(nullif(replace(d.name, '/', '_'), ''), 'original')"

    /// Selects the attachments of file `d` as one JSON object, by name.
    static func attachments(_ household: PostgresUUID) -> SQL {
        """
        SELECT jsonb_object_agg(p.name, jsonb_build_object('content_type', b.media_type, 'length', b.size, 'blob', b.id,
            'digest', 'md5-' || encode(decode(md5(k.bytes), 'hex'), 'base64'))) AS attachments
        FROM (SELECT \(name) AS name, d.blob_id AS id WHERE d.blob_id IS NOT NULL
            UNION ALL SELECT CASE WHEN d.media_type LIKE 'image/%' AND count(*) OVER () = 1 THEN \(name)
                ELSE 'page-' || (g.n + 1) END, g.display_blob_id FROM receipt_page g
            WHERE g.household_id = \(household) AND g.receipt_id = d.receipt_id AND g.file_id = d.id
                AND d.blob_id IS NULL AND g.display_blob_id IS NOT NULL) p
        JOIN blob b ON b.household_id = \(household) AND b.id = p.id
        CROSS JOIN LATERAL (SELECT string_agg(c.bytes, '' ORDER BY c.n) AS bytes FROM blob_chunk c
            WHERE c.household_id = \(household) AND c.blob_id = b.id) k
        """
    }
}
