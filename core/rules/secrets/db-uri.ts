import { ENCODED_KEYWORDS, limitMatches, matchUrls, URL_KEYWORDS } from '../../secrets/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, variantOfCases, type Rule } from '../rule.ts'
import { textOf, variantsFor } from './_connection-texts.ts'

/** With the driver that some libraries add: `postgresql+psycopg2`, `mongodb+srv`. */
const SCHEME =
  /^(?:mongodb|postgres|postgresql|cockroachdb|mysqlx?|mariadb|rediss?|valkeys?|memcached|amqps?|rabbitmq|nats|mqtts?|stomp|mssql|sqlserver|sap|hana|hdb|hdbsql|oracle|db2|couchdb|couchbases?|cassandra|clickhouse|influxdb|arangodb|neo4j|bolt|elasticsearch|opensearch|redshift|snowflake|vertica|trino|presto|iq|sybase)(?:\+[a-z0-9_]{1,20})?$/
/** What a scheme belongs to, as its provider writes it. */
const PRODUCTS: ReadonlyMap<string, string> = new Map([
  ['mongodb', 'MongoDB'],
  ['postgres', 'PostgreSQL'],
  ['postgresql', 'PostgreSQL'],
  ['cockroachdb', 'CockroachDB'],
  ['mysql', 'MySQL'],
  ['mysqlx', 'MySQL'],
  ['mariadb', 'MariaDB'],
  ['redis', 'Redis'],
  ['rediss', 'Redis'],
  ['valkey', 'Valkey'],
  ['valkeys', 'Valkey'],
  ['memcached', 'Memcached'],
  ['amqp', 'AMQP'],
  ['amqps', 'AMQP'],
  ['rabbitmq', 'RabbitMQ'],
  ['nats', 'NATS'],
  ['mqtt', 'MQTT'],
  ['mqtts', 'MQTT'],
  ['stomp', 'STOMP'],
  ['mssql', 'SQL Server'],
  ['sqlserver', 'SQL Server'],
  ['sap', 'SAP HANA'],
  ['hana', 'SAP HANA'],
  ['hdb', 'SAP HANA'],
  ['hdbsql', 'SAP HANA'],
  ['oracle', 'Oracle Database'],
  ['db2', 'Db2'],
  ['couchdb', 'CouchDB'],
  ['couchbase', 'Couchbase'],
  ['couchbases', 'Couchbase'],
  ['cassandra', 'Cassandra'],
  ['clickhouse', 'ClickHouse'],
  ['influxdb', 'InfluxDB'],
  ['arangodb', 'ArangoDB'],
  ['neo4j', 'Neo4j'],
  ['bolt', 'Neo4j'],
  ['elasticsearch', 'Elasticsearch'],
  ['opensearch', 'OpenSearch'],
  ['redshift', 'Amazon Redshift'],
  ['snowflake', 'Snowflake'],
  ['vertica', 'Vertica'],
  ['trino', 'Trino'],
  ['presto', 'Presto'],
  ['iq', 'SAP IQ'],
  ['sybase', 'SAP ASE'],
])
/** They pass messages on and keep no data. */
const BROKERS: ReadonlySet<string> = new Set(['amqp', 'amqps', 'rabbitmq', 'nats', 'mqtt', 'mqtts', 'stomp'])

/** The connection string of a database, cache or queue with its password. References, placeholders and the user's own name are none.
 *  Impact: who reads the project logs in to the database, where its host is reached from outside.
 *  Facts: connection strings of MongoDB ("Connection Strings"), PostgreSQL (libpq, 33.1.1), MySQL, Redis (redis-cli -u), RabbitMQ ("URI Specification"). */
export const dbUri: Rule = defineRule({
  id: 'secrets/db-uri',
  impact: 'takeover',
  reach: 'anyone',
  usage: 'deployed',
  confidence: 'high',
  cwe: [798],
  since: '0.1.0',
  docs: 'https://owasp.org/www-community/vulnerabilities/Use_of_hard-coded_password',
  keywords: [...URL_KEYWORDS, ...ENCODED_KEYWORDS],
  inTests: true,
  on: 'credentials',

  check: (credentials) => limitMatches(nameProducts(matchUrls(credentials, SCHEME))),

  text: () => ({
    en: { ...textOf('en', 'database'), variants: variantsFor('en') },
    fr: { ...textOf('fr', 'database'), variants: variantsFor('fr') },
  }),
})

/** Adds what the password is for: the product, and whether it is a database or a broker of messages. */
function* nameProducts(matches: Iterable<Match>): Generator<Match> {
  for (const match of matches) {
    const scheme = match.args?.scheme ?? ''
    const [driver = ''] = scheme.split('+')
    const isBroker = BROKERS.has(driver)
    const product = PRODUCTS.get(driver) ?? scheme
    yield { ...match, args: { ...match.args, product }, ...variantOfCases(isBroker && 'broker', match.variant) }
  }
}
