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
      title: 'A connection string holds the password of a database',
      message: '{name} holds the {scheme} password for {host} ({length} characters: {charset}).',
      why: 'Anyone who can read the project or its history can log in to the database and read, change or delete all that this user may.',
      fix: 'Change the password on {host}, and take the connection string from a service binding or the environment. To delete it here is not enough, since the history keeps it.',
      variants: {
        weak: {
          message: '{name} holds the {scheme} password for {host}, and it is one that everybody tries first.',
          why: 'Nobody needs this project to log in there: this password stands at the top of every list. The connection string tells where to use it.',
        },
        local: {
          why: 'It works on the machine itself alone, but the same password is often used elsewhere, and such a connection string is what the one of production will be copied from.',
          fix: 'Take the password from the environment on your own machine too, for example from a file that version control ignores.',
        },
      },
    },
    fr: {
      title: 'Une chaîne de connexion contient le mot de passe d’une base de données',
      message: '{name} contient le mot de passe {scheme} pour {host} ({length} caractères : {charset}).',
      why: 'Toute personne pouvant lire le projet ou son historique peut se connecter à la base et lire, modifier ou supprimer tout ce que peut cet utilisateur.',
      fix: 'Changez le mot de passe sur {host} et lisez la chaîne de connexion dans une liaison de service ou dans l’environnement. Supprimer cette valeur ne suffit pas, car l’historique la conserve.',
      variants: {
        weak: {
          message: '{name} contient le mot de passe {scheme} pour {host}, l’un de ceux que tout le monde essaie en premier.',
          why: 'Personne n’a besoin de ce projet pour s’y connecter : ce mot de passe est en tête de toutes les listes. La chaîne de connexion dit où l’utiliser.',
        },
        local: {
          why: 'Il ne sert que sur la machine elle-même, mais le même mot de passe est souvent utilisé ailleurs, et la chaîne de connexion de production sera copiée sur celle-ci.',
          fix: 'Lisez le mot de passe dans l’environnement aussi sur votre propre machine, par exemple dans un fichier que la gestion de versions ignore.',
        },
      },
    },
  },
})
