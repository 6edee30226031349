import { javaSetting, scalarText, type CapRoot } from '../../model/cap/index.ts'
import { itemsOf, stringOf, type DataNode } from '../../parse/data.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Endpoints of the actuator that tell more than that the application lives.
 *  Facts: Spring Boot 3, production-ready features, exposing endpoints; CAP Java wants a login for them by default. */
export const javaActuatorExposed: Rule = defineRule({
  id: 'cap/java-actuator-exposed',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [200],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/java/operating-applications/observability',
  on: 'cap-root',

  *check(root) {
    const setting = javaSetting(root, `${KEY}.include`)
    const excluded = new Set(namesIn(javaSetting(root, `${KEY}.exclude`)?.node))
    const exposed = namesIn(setting?.node).filter((name) => !excluded.has(name) && !excluded.has('*'))
    // everything but what tells the most
    if (exposed.includes('*') && ['env', 'heapdump'].every((name) => excluded.has(name))) exposed.splice(0, Infinity, ...LESS)
    const open = exposed.filter((name) => OPEN.has(name))
    const told = open.length > 0 ? open : exposed.filter((name) => LESS.has(name))
    if (setting === undefined || told.length === 0) return yield* fromDetails(root)
    const args = { key: `${KEY}.include`, endpoints: told.join(', '), file: setting.place.file }
    yield { at: setting.place, args, ...(open.length === 0 && { severity: 'LOW' as const, variant: 'less' }) }
  },

  text: {
    en: {
      title: 'The actuator hands out the inside of the application',
      message: '{key} exposes {endpoints} in {file}.',
      why: 'A heap dump holds tokens, passwords and rows of every tenant; env names the bindings. Any login that the application accepts is enough.',
      fix: 'Expose "health" alone (and "info"), and what is needed for operation on a port of its own.',
      variants: {
        less: {
          title: 'The actuator exposes more than health',
          why: 'These endpoints tell how the application is built and let its loggers be changed. Any login that the application accepts is enough.',
        },
        details: {
          title: 'The health endpoint tells its details to everybody',
          message: '{key} is always in {file}: /actuator/health names the database, disks and bound services.',
          why: 'Probes ask it without a login as a rule: it tells anybody what the application depends on, and what is down right now.',
          fix: 'Write "when-authorized", or remove {key}.',
        },
      },
    },
    fr: {
      title: 'L’actuator livre l’intérieur de l’application',
      message: '{key} expose {endpoints} dans {file}.',
      why: 'Une copie de la mémoire contient jetons, mots de passe et lignes de chaque client ; env nomme les liaisons. Toute connexion acceptée par l’application suffit.',
      fix: 'N’exposez que « health » (et « info »), et ce qui sert à l’exploitation sur un port à part.',
      variants: {
        less: {
          title: 'L’actuator expose plus que health',
          why: 'Ces points d’accès disent comment l’application est construite et permettent de modifier ses journaux. Toute connexion acceptée par l’application suffit.',
        },
        details: {
          title: 'L’état de santé donne ses détails à tous',
          message: '{key} vaut always dans {file} : /actuator/health nomme la base de données, les disques et les services liés.',
          why: 'Le point d’accès des sondes répond souvent sans connexion : il dit à chacun ce dont l’application dépend, et ce qui vient de tomber.',
          fix: 'Écrivez « when-authorized », ou supprimez {key}.',
        },
      },
    },
  },
})

/** Health is exposed by default; its details are told to nobody unless this says so. */
function* fromDetails(root: CapRoot): Generator<Match> {
  const setting = javaSetting(root, DETAILS)
  if (setting === undefined || scalarText(setting.node) !== 'always') return
  const args = { key: DETAILS, endpoints: 'health', file: setting.place.file }
  yield { at: setting.place, args, severity: 'LOW', variant: 'details' }
}

function namesIn(node: DataNode | undefined): string[] {
  if (node === undefined) return []
  const names = node.kind === 'array' ? itemsOf(node).flatMap((item) => stringOf(item) ?? []) : scalarText(node).split(',', 50)
  return names.map((name) => name.trim().toLowerCase()).filter((name) => name !== '')
}

const KEY = 'management.endpoints.web.exposure'
const DETAILS = 'management.endpoint.health.show-details'
const OPEN: ReadonlySet<string> = new Set(['*', 'env', 'heapdump'])
const LESS: ReadonlySet<string> = new Set([
  'threaddump',
  'configprops',
  'loggers',
  'beans',
  'mappings',
  'httpexchanges',
  'logfile',
])
