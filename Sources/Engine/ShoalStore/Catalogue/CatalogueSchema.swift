import ShoalSQLite

/// The tables of `DIR/shoal.sqlite` and how they came to be.
enum CatalogueSchema {
    /// "Shol", so that file(1) and we can tell the database from a stranger's.
    static let applicationID: Int64 = 0x5368_6F6C

    /// Each step brings a database from the version of its index to the next; a step that was released never changes.
    static let migrations = [
        """
        CREATE TABLE meta(name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TABLE buckets(
            id INTEGER PRIMARY KEY,
            scope INTEGER NOT NULL,
            name TEXT NOT NULL,
            created INTEGER NOT NULL,
            region TEXT NOT NULL,
            settings BLOB NOT NULL,
            UNIQUE(scope, name)
        );
        CREATE TABLE objects(
            bucket INTEGER NOT NULL,
            key BLOB NOT NULL,
            etag NOT NULL,
            size INTEGER NOT NULL,
            modified INTEGER NOT NULL,
            attributes BLOB,
            checksum BLOB,
            segment INTEGER,
            position INTEGER,
            blob BLOB,
            PRIMARY KEY(bucket, key)
        ) WITHOUT ROWID;
        CREATE INDEX objects_blob ON objects(blob) WHERE blob IS NOT NULL;
        CREATE TABLE segments(
            number INTEGER PRIMARY KEY,
            live INTEGER NOT NULL,
            end INTEGER NOT NULL
        );
        """,
        """
        CREATE TABLE uploads(
            number INTEGER PRIMARY KEY,
            bucket INTEGER NOT NULL,
            key BLOB NOT NULL,
            initiated INTEGER NOT NULL,
            attributes BLOB NOT NULL,
            result BLOB
        );
        CREATE INDEX uploads_open ON uploads(bucket, key, number) WHERE result IS NULL;
        CREATE INDEX uploads_completed ON uploads(number) WHERE result IS NOT NULL;
        CREATE TABLE parts(
            upload INTEGER NOT NULL,
            number INTEGER NOT NULL,
            etag NOT NULL,
            size INTEGER NOT NULL,
            modified INTEGER NOT NULL,
            checksum BLOB,
            segment INTEGER,
            position INTEGER,
            blob BLOB,
            PRIMARY KEY(upload, number)
        ) WITHOUT ROWID;
        CREATE INDEX parts_blob ON parts(blob) WHERE blob IS NOT NULL;
        ALTER TABLE objects ADD COLUMN upload INTEGER;
        """,
        """
        ALTER TABLE objects ADD COLUMN ordinal INTEGER;
        ALTER TABLE objects ADD COLUMN kind INTEGER;
        CREATE TABLE versions(
            bucket INTEGER NOT NULL,
            key BLOB NOT NULL,
            ordinal INTEGER NOT NULL,
            etag NOT NULL,
            size INTEGER NOT NULL,
            modified INTEGER NOT NULL,
            attributes BLOB,
            checksum BLOB,
            segment INTEGER,
            position INTEGER,
            blob BLOB,
            upload INTEGER,
            kind INTEGER,
            PRIMARY KEY(bucket, key, ordinal DESC)
        ) WITHOUT ROWID;
        CREATE INDEX versions_blob ON versions(blob) WHERE blob IS NOT NULL;
        ALTER TABLE buckets ADD COLUMN versioning INTEGER NOT NULL DEFAULT 0;
        """,
        """
        CREATE TABLE outbox(
            destination TEXT NOT NULL,
            sequence INTEGER NOT NULL,
            place INTEGER NOT NULL,
            subject BLOB NOT NULL,
            body BLOB NOT NULL,
            created INTEGER NOT NULL,
            PRIMARY KEY(destination, sequence, place)
        ) WITHOUT ROWID;
        """,
    ]

    static var version: Int64 { Int64(migrations.count) }

    /// Brings the database up to date; true if it was new. Throws `newerFormat` and `unusable`.
    static func migrate(
        _ connection: Connection, path: String, durability: Durability
    ) throws(StoreError) -> Bool {
        do {
            let found = try connection.integer("PRAGMA user_version") ?? 0
            guard found <= version else { throw StoreError.newerFormat(path: path, found: found, supported: version) }
            let isNew = found == 0
            let application = try connection.integer("PRAGMA application_id") ?? 0
            let tables = try connection.integer("SELECT count(*) FROM sqlite_schema") ?? 0
            guard application == applicationID || (isNew && tables == 0) else {
                throw StoreError.unusable(path: path, reason: "the database in it is not Shoal's")
            }
            if isNew { try prepareNew(connection, durability) }
            for step in found..<version {
                try connection.transaction { () throws(SQLiteError) in
                    try connection.execute(migrations[Int(step)])
                    try connection.execute("PRAGMA user_version = \(step + 1)")
                }
            }
            return isNew
        } catch let error as SQLiteError {
            throw .catalogue(error)
        } catch let error as StoreError {
            throw error
        } catch {
            preconditionFailure("only these two are thrown above: \(error)")
        }
    }

    /// A new database has nothing to lose, so in `process` mode it is made without waiting for the device; the first
    /// checkpoint in the background makes up for it.
    private static func prepareNew(_ connection: Connection, _ durability: Durability) throws(SQLiteError) {
        try connection.execute(
            """
            PRAGMA synchronous = \(durability == .power ? "FULL" : "OFF");
            PRAGMA page_size = 4096;
            PRAGMA application_id = \(applicationID);
            PRAGMA journal_mode = WAL;
            """)
    }
}
