import { quoteValue } from '../../quote.ts'
import { numberOf, stringOf, type DataNode } from '../../parse/data.ts'
import { annotatedValue, keyIn, productionSettings, servedServices } from '../../model/cap/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * A limit for request bodies so high that a few of them exhaust the memory.
 * Facts: capire, "cds.server", configuration (`server.body_parser.limit`); body-parser reads 100kb by default, and units as `bytes` does.
 * Severity: LOW, hardening against denial of service.
 */
export const bodyLimitExcessive: Rule = defineRule({
  id: 'cap/body-limit-excessive',
  severity: 'LOW',
  confidence: 'high',
  cwe: [770],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/node.js/cds-server#maximum-request-body-size',
  on: 'cap-root',

  *check(root) {
    for (const setting of productionSettings(root, 'server', 'body_parser', 'limit')) {
      const size = bytesOf(setting.node)
      if (size === undefined || size <= MAX_SIZE) continue
      const value = stringOf(setting.node) ?? String(size)
      yield {
        at: setting.place,
        args: { key: keyIn(setting, 'server', 'body_parser', 'limit'), value: quoteValue(value), file: setting.place.file },
      }
    }
    if (root.runtime === 'java') return
    for (const { annotations } of servedServices(root)) {
      const found = annotatedValue(annotations, ANNOTATION)
      const value = found?.value.kind === 'string' || found?.value.kind === 'number' ? found.value.value : undefined
      const size = sizeOf(value)
      if (found === undefined || size === undefined || size <= MAX_SIZE) continue
      yield { at: found.place, args: { key: `@${ANNOTATION}`, value: quoteValue(String(value)), file: found.place.file } }
    }
  },

  text: {
    en: {
      title: 'Excessive size limit for request bodies',
      message: '{key} is {value} in {file}; the default is 100kb.',
      why: 'CAP parses the body in memory before it checks roles: an attacker can exhaust the application’s memory with a few large concurrent requests.',
      fix: 'Set {key} in {file} to the size of the largest JSON body that a client actually sends, for example 1mb. Upload files as media streams (@Core.MediaType), to which the limit does not apply.',
    },
    fr: {
      title: 'Taille maximale excessive pour le corps des requêtes',
      message: '{key} vaut {value} dans {file} ; la valeur par défaut est 100kb.',
      why: 'CAP analyse le corps en mémoire avant de vérifier les rôles : un attaquant peut épuiser la mémoire de l’application avec quelques requêtes volumineuses simultanées.',
      fix: 'Donnez à {key} dans {file} la taille du plus grand corps JSON qu’un client envoie réellement, par exemple 1mb. Transmettez les fichiers en flux (@Core.MediaType), que la limite ne concerne pas.',
    },
  },
})

const ANNOTATION = 'cds.server.body_parser.limit'
const MAX_SIZE = 50 * 1024 * 1024

const UNITS: ReadonlyMap<string, number> = new Map([
  ['b', 1],
  ['kb', 1024],
  ['mb', 1024 ** 2],
  ['gb', 1024 ** 3],
  ['tb', 1024 ** 4],
])

function bytesOf(node: DataNode): number | undefined {
  return sizeOf(stringOf(node) ?? numberOf(node))
}

function sizeOf(text: unknown): number | undefined {
  if (typeof text !== 'string') return typeof text === 'number' ? text : undefined
  if (text === 'Infinity') return Number.POSITIVE_INFINITY
  const [, digits, unit = 'b'] = /^(\d{1,15}(?:\.\d{1,5})?) ?([kmgt]?b)?$/i.exec(text.trim()) ?? []
  return digits === undefined ? undefined : Number(digits) * (UNITS.get(unit.toLowerCase()) ?? 1)
}
