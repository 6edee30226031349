import { findComposeServices, textOf } from '../../model/deployment/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/** What makes an image of a database accept everybody. Facts: Docker Hub, official images of PostgreSQL, MySQL and MariaDB, "Environment Variables". */
const SETTINGS: ReadonlyMap<string, RegExp> = new Map([
  ['POSTGRES_HOST_AUTH_METHOD', /^trust$/i],
  ['MYSQL_ALLOW_EMPTY_PASSWORD', /^(?:yes|true|1)$/i],
  ['MARIADB_ALLOW_EMPTY_ROOT_PASSWORD', /^(?:yes|true|1)$/i],
])

/**
 * A database of a compose file that asks nobody for a password.
 * Facts: Docker Hub, "postgres": with POSTGRES_HOST_AUTH_METHOD=trust anyone can connect without a password, "even if a password is set"; PostgreSQL 18, "Trust Authentication".
 * Impact: whoever reaches its port, as other containers do, reads and changes all data.
 */
export const databaseWithoutPassword: Rule = defineRule({
  id: 'btp/database-without-password',
  impact: 'data',
  // other containers and machines of its network
  reach: 'privileged',
  confidence: 'high',
  cwe: [306],
  since: '0.3.0',
  docs: 'https://www.postgresql.org/docs/current/auth-trust.html',
  on: 'project',

  *check({ files }) {
    for (const { name: service, variables } of findComposeServices(files))
      for (const { name, value: node, place } of variables) {
        const value = textOf(node)
        if (value !== undefined && SETTINGS.get(name)?.test(value) === true) yield { at: place, args: { name, value, service } }
      }
  },

  text: () => ({
    en: {
      title: 'Database accepts connections without a password',
      message:
        'The service {service} sets {name} to "{value}": its database lets anyone log in without a password, also as administrator.',
      why: 'An attacker who reaches the port, from another container or, where it is published, from another machine, reads and changes all data. A password that is set beside it is not asked for.',
      fix: 'Remove {name} and set the password of the administrator from a secret: POSTGRES_PASSWORD_FILE for PostgreSQL, MYSQL_ROOT_PASSWORD_FILE for MySQL, MARIADB_ROOT_PASSWORD_FILE for MariaDB.',
    },
    fr: {
      title: 'Base de données accessible sans mot de passe',
      message:
        'Le service {service} affecte "{value}" à {name} : sa base de données accepte toute connexion sans mot de passe, y compris en tant qu’administrateur.',
      why: 'Un attaquant qui atteint le port, depuis un autre conteneur ou, s’il est publié, depuis une autre machine, lit et modifie toutes les données. Un mot de passe défini à côté n’est pas demandé.',
      fix: 'Retirez {name} et définissez le mot de passe de l’administrateur par un secret : POSTGRES_PASSWORD_FILE pour PostgreSQL, MYSQL_ROOT_PASSWORD_FILE pour MySQL, MARIADB_ROOT_PASSWORD_FILE pour MariaDB.',
    },
  }),
})
