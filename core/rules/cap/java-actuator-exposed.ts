import { javaSetting, scalarText, type CapRoot } from '../../model/cap/index.ts'
import { itemsOf, stringOf, type DataNode } from '../../parse/data.ts'
import type { Match } from '../../types.ts'
import { inEachLanguage, listNames } from '../../arguments.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * Actuator endpoints that expose more than the health of the application.
 * Facts: Spring Boot 3, production-ready features, exposing endpoints; CAP Java requires authentication for them by default.
 * Impact: a heap dump gives credentials and data of all tenants to any authenticated user, the other endpoints internals alone. Where nothing in the project
 * deploys the application, others than its developers may never reach it.
 */
export const javaActuatorExposed: Rule = defineRule({
  id: 'cap/java-actuator-exposed',
  impact: 'takeover',
  reach: 'user',
  grades: {
    env: { impact: 'bounded' },
    less: { impact: 'bounded' },
    loggers: { impact: 'bounded' },
    details: { impact: 'defence' },
  },
  confidence: 'high',
  cwe: [200],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/java/operating-applications/observability#spring-boot-actuators',
  on: 'cap-root',

  *check(root) {
    const setting = javaSetting(root, `${KEY}.include`)
    const excluded = new Set(namesIn(javaSetting(root, `${KEY}.exclude`)?.node))
    const exposed = namesIn(setting?.node).filter((name) => !excluded.has(name) && !excluded.has('*'))
    // everything but the most sensitive endpoints
    if (exposed.includes('*') && ['env', 'heapdump'].every((name) => excluded.has(name))) exposed.splice(0, Infinity, ...ALWAYS)
    const isDumpHidden = excluded.has('heapdump')
    const open = exposed.filter((name) => OPEN.has(name))
    const reported = open.length > 0 ? open : exposed.filter((name) => LESS.has(name))
    if (setting === undefined || reported.length === 0) return yield* fromDetails(root)
    const args = {
      key: setting.key,
      endpoints: reported.includes('*') ? ALL : listNames(reported, 10),
      file: setting.place.file,
    }
    if (open.length === 0) yield { at: setting.place, args, variant: reported.includes('loggers') ? 'loggers' : 'less' }
    else
      yield {
        at: setting.place,
        args,
        ...((isDumpHidden || open.every((name) => name === 'env')) && { variant: 'env' }),
        ...(!root.deployed && { evidence: 'assumed' as const }),
      }
  },

  text: () => ({
    en: {
      title: 'Sensitive actuator endpoints exposed',
      message: '{key} in {file} exposes actuator endpoints other than health, including {endpoints:and}.',
      why: 'Any user who can log in can read internals of the application and, if heapdump is accessible (the default before Spring Boot 3.5), a heap dump with tokens, passwords and data of all tenants.',
      fix: 'Set {key} to "health" in {file} (or to "health,info"). Expose others only for local runs, in a separate document (after ---) of application.yaml with spring.config.activate.on-profile: default.',
      variants: {
        env: {
          why: 'Any user who can log in can read the names of all configuration keys and other internals of the application.',
        },
        less: {
          title: 'Internal actuator endpoints exposed',
          why: 'Any user who can log in can read internals of the application.',
        },
        loggers: {
          title: 'Internal actuator endpoints exposed',
          why: 'Any user who can log in can read internals of the application and change its log levels.',
        },
        details: {
          title: 'Component details exposed by the health endpoint',
          message:
            '{key} is "always" in {file}: /actuator/health shows details such as the database in use and the free disk space.',
          why: 'Where this endpoint is public for health probes, an unauthenticated attacker sees what the application depends on and what is down.',
          fix: 'Set {key} to "when-authorized" in {file}, or remove it.',
        },
      },
    },
    fr: {
      title: 'Points de terminaison sensibles d’Actuator exposés',
      message: '{key} dans {file} expose d’autres points de terminaison d’Actuator que health, dont {endpoints:et}.',
      why: 'Tout utilisateur pouvant se connecter peut lire des informations internes de l’application et, si heapdump est accessible (par défaut avant Spring Boot 3.5), un vidage mémoire contenant les jetons, les mots de passe et les données de tous les locataires.',
      fix: 'Donnez à {key} la valeur "health" (ou "health,info") dans {file}. N’exposez les autres points de terminaison qu’en local, dans un document distinct (après ---) du fichier application.yaml, avec spring.config.activate.on-profile: default.',
      variants: {
        env: {
          why: 'Tout utilisateur pouvant se connecter peut lire les noms de toutes les clés de configuration et d’autres informations internes de l’application.',
        },
        less: {
          title: 'Points de terminaison internes d’Actuator exposés',
          why: 'Tout utilisateur pouvant se connecter peut lire des informations internes de l’application.',
        },
        loggers: {
          title: 'Points de terminaison internes d’Actuator exposés',
          why: 'Tout utilisateur pouvant se connecter peut lire des informations internes de l’application et modifier ses niveaux de journalisation.',
        },
        details: {
          title: 'Détails des composants exposés par le point de terminaison health',
          message:
            '{key} vaut "always" dans {file} : /actuator/health affiche des détails comme la base de données utilisée et l’espace disque libre.',
          why: 'Si ce point de terminaison est public pour les sondes, un attaquant non authentifié voit de quoi dépend l’application et ce qui est en panne.',
          fix: 'Donnez à {key} la valeur "when-authorized" dans {file}, ou supprimez-le.',
        },
      },
    },
  }),
})

const ALL = inEachLanguage({ en: '* (all endpoints)', fr: '* (tous les points de terminaison)' })

/** Health is exposed by default; its details are hidden unless this shows them. */
function* fromDetails(root: CapRoot): Generator<Match> {
  const setting = javaSetting(root, DETAILS)
  if (setting === undefined || scalarText(setting.node) !== 'always') return
  const args = { key: setting.key, endpoints: 'health', file: setting.place.file }
  yield { at: setting.place, args, variant: 'details' }
}

function namesIn(node: DataNode | undefined): string[] {
  if (node === undefined) return []
  const names = node.kind === 'array' ? itemsOf(node).flatMap((item) => stringOf(item) ?? []) : scalarText(node).split(',', 50)
  return names.map((name) => name.trim().toLowerCase()).filter((name) => name !== '')
}

const KEY = 'management.endpoints.web.exposure'
const DETAILS = 'management.endpoint.health.show-details'
const OPEN: ReadonlySet<string> = new Set(['*', 'env', 'heapdump'])
const ALWAYS = ['threaddump', 'configprops', 'loggers', 'beans', 'mappings']
/** The last two are there if the application keeps requests, and writes to a file. */
const LESS: ReadonlySet<string> = new Set([...ALWAYS, 'httpexchanges', 'logfile'])
