import { ENCODED_KEYWORDS, limitMatches, matchUrls, URL_KEYWORDS } from '../../secrets/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/** With the driver that some libraries add: `postgresql+psycopg2`, `mongodb+srv`. */
const SCHEME =
  /^(?:mongodb|postgres|postgresql|cockroachdb|mysqlx?|mariadb|rediss?|valkeys?|memcached|amqps?|rabbitmq|nats|mqtts?|stomp|mssql|sqlserver|sap|hana|hdb|hdbsql|oracle|db2|couchdb|couchbases?|cassandra|clickhouse|influxdb|arangodb|neo4j|bolt|elasticsearch|opensearch|redshift|snowflake|vertica|trino|presto|iq|sybase)(?:\+[a-z0-9_]{1,20})?$/
const WORST = { severity: 'CRITICAL', confidence: 'high' } as const

/** The connection string of a database, cache or queue with its password. References, placeholders and the user's own name are none.
 *  Facts: connection strings of MongoDB ("Connection Strings"), PostgreSQL (libpq, 33.1.1), MySQL, Redis (redis-cli -u), RabbitMQ ("URI Specification"). */
export const dbUri: Rule = defineRule({
  id: 'secrets/db-uri',
  severity: 'CRITICAL',
  confidence: 'high',
  cwe: [798],
  since: '0.1.0',
  docs: 'https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS',
  keywords: [...URL_KEYWORDS, ...ENCODED_KEYWORDS],
  inTests: true,
  on: 'credentials',

  check: (credentials) => limitMatches(matchUrls(credentials, SCHEME, WORST)),

  text: {
    en: {
      title: 'Hard-coded database password in a connection string',
      message: '{name} contains the {scheme} password for {host} ({length} characters: {charset}).',
      why: 'Anyone who can read the project or its history can log in to the database and read, change or delete everything that this user can access.',
      fix: 'Change the password on {host}, and read the connection string from a service binding or the environment. Deleting the value here is not enough: it stays in the version history.',
      variants: {
        weak: {
          message: '{name} contains a {scheme} password for {host} that is a well-known default.',
          why: 'An attacker can guess this password: it is at the top of every password list. The connection string tells where to use it.',
        },
        local: {
          why: 'The password works on the local machine only, but the same password is often used elsewhere, and such a connection string is easily copied for production.',
          fix: 'Read the password from the environment on your own machine, too, for example from a file that version control ignores.',
        },
      },
    },
    fr: {
      title: 'Mot de passe de base de données en dur dans une chaîne de connexion',
      message: '{name} contient le mot de passe {scheme} pour {host} ({length} caractères : {caracteres}).',
      why: 'Toute personne pouvant lire le projet ou son historique peut se connecter à la base et lire, modifier ou supprimer tout ce à quoi cet utilisateur a accès.',
      fix: 'Changez le mot de passe sur {host} et lisez la chaîne de connexion dans une liaison de service ou dans l’environnement. Supprimer cette valeur ne suffit pas : elle reste dans l’historique des versions.',
      variants: {
        weak: {
          message: '{name} contient, pour {host}, un mot de passe {scheme} qui est une valeur par défaut connue.',
          why: 'Un attaquant peut deviner ce mot de passe : il est en tête de toutes les listes. La chaîne de connexion indique où l’utiliser.',
        },
        local: {
          why: 'Ce mot de passe ne sert que sur la machine locale, mais le même est souvent utilisé ailleurs, et une telle chaîne est facilement copiée pour la production.',
          fix: 'Lisez le mot de passe dans l’environnement aussi sur votre propre machine, par exemple dans un fichier que la gestion de versions ignore.',
        },
      },
    },
  },
})
