/** Drivers of databases whose connections are followed through files. Facts: their documentation at npm. */
export const FOLLOWED_DRIVERS: readonly string[] = [
  '@sap/hana-client',
  'hdb',
  'pg',
  'mysql2',
  'mysql2/promise',
  'mssql',
  'sqlite3',
  'better-sqlite3',
]

/** What makes a connection, or a pool of them. */
export const CONNECTIONS: readonly string[] = [
  'module:@sap/hana-client createConnection ()',
  'module:@sap/hana-client createPool ()',
  'module:hdb createClient ()',
  'module:pg Pool new',
  'module:pg Client new',
  'module:pg default Pool new',
  'module:mysql2 createConnection ()',
  'module:mysql2 createPool ()',
  'module:mysql2/promise createConnection ()',
  'module:mysql2/promise createPool ()',
  'module:mssql ConnectionPool new',
  'module:sqlite3 Database new',
  'module:better-sqlite3 new',
]

/** Methods that send a text of SQL. */
export const SENDING: ReadonlySet<string> = new Set(['exec', 'execute', 'query', 'prepare', 'all'])
