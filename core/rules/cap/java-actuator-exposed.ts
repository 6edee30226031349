import { itemsOf, stringOf } from '../../parse/data.ts'
import { javaSetting, scalarText } from './_java.ts'
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
  on: ['cap-root'],
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
      },
    },
  },

  *check(root) {
    const setting = javaSetting(root, KEY)
    if (setting === undefined) return
    const { node } = setting
    const names = node.kind === 'array' ? itemsOf(node).flatMap((item) => stringOf(item) ?? []) : scalarText(node).split(',', 50)
    const exposed = names.map((name) => name.trim().toLowerCase())
    const open = exposed.filter((name) => OPEN.has(name))
    const told = open.length > 0 ? open : exposed.filter((name) => LESS.has(name))
    if (told.length === 0) return
    const args = { key: KEY, endpoints: told.join(', '), file: setting.place.file }
    yield { at: setting.place, args, ...(open.length === 0 && { severity: 'LOW' as const, variant: 'less' }) }
  },
})

const KEY = 'management.endpoints.web.exposure.include'
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
