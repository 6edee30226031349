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

/** Fact: the documentations of hdb, @sap/hana-client and @sap/hdbext; of XS classic: SAP HANA XS JavaScript API, $.db and $.hdb. */
export const DRIVERS: RegExp =
  /^(?:hdb|hdb-pool|hdb-promise|@sap\/hana-client|@sap\/hdbext|@sap\/hdbext-promisfied|sap-hdb(?:ext)?-promisi?fied)(?:\/|$)/
/** Drivers of the other databases of CAP, and what of them takes SQL. Facts: documentations of pg 8, sqlite3 5, better-sqlite3 12, mysql2 3, mssql 11, oracledb 6, sequelize 6, knex 3, drizzle-orm 0 ("Magical sql operator"), @libsql/client 0.17 (`Client`). */
export const OTHER_DRIVERS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['module:pg', new Set(['query'])],
  ['module:sqlite3', new Set(['run', 'all', 'get', 'each', 'exec', 'prepare'])],
  ['module:better-sqlite3', new Set(['prepare', 'exec'])],
  ['module:mysql', new Set(['query'])],
  ['module:mysql2', new Set(['query', 'execute'])],
  ['module:mysql2/promise', new Set(['query', 'execute'])],
  ['module:mssql', new Set(['query', 'batch'])],
  ['module:oracledb', new Set(['execute', 'executeMany', 'queryStream'])],
  ['module:mariadb', new Set(['query', 'execute', 'batch'])],
  ['module:sqlite', new Set(['run', 'all', 'get', 'each', 'exec', 'prepare'])],
  ['module:node:sqlite', new Set(['prepare', 'exec'])],
  ['module:pg-promise', new Set(['query', 'any', 'one', 'many', 'none', 'oneOrNone', 'manyOrNone', 'result'])],
  ['module:postgres', new Set(['unsafe'])],
  ['module:typeorm', new Set(['query'])],
  ['module:@prisma/client', new Set(['$queryRawUnsafe', '$executeRawUnsafe'])],
  ['module:sequelize', new Set(['query', 'literal'])],
  ['module:@libsql/client', new Set(['execute', 'executeMultiple'])],
  ['module:drizzle-orm', new Set(['raw'])],
  [
    'module:knex',
    new Set([
      'raw',
      'whereRaw',
      'andWhereRaw',
      'orWhereRaw',
      'havingRaw',
      'orderByRaw',
      'joinRaw',
      'fromRaw',
      'groupByRaw',
      'orHavingRaw',
    ]),
  ],
])
export const OTHER_METHODS: ReadonlySet<string> = new Set([...OTHER_DRIVERS.values()].flatMap((methods) => [...methods]))
