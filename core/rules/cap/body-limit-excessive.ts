import { quoteValue } from '../../quote.ts'
import { numberOf, stringOf, type DataNode } from '../../parse/data.ts'
import { annotatedValue, keyIn, productionSettings, servedServices } from '../../model/cap/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * A limit for request bodies so high that a few of them exhaust the memory.
 * Facts: capire, "cds.server", configuration (`server.body_parser.limit`); body-parser reads 100kb by default, and units as `bytes` does;
 * @sap/cds 9.9.3, lib/srv/protocols/http.js: a router checks the service’s @requires, then parses the body.
 * Impact: a missing limit against denial of service.
 */
export const bodyLimitExcessive: Rule = defineRule({
  id: 'cap/body-limit-excessive',
  impact: 'defence',
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
        args: {
          key: keyIn(setting, 'server', 'body_parser', 'limit'),
          value: quoteValue(value),
          file: setting.place.file,
          size: '"1mb"',
        },
        ...variantOf(value),
      }
    }
    if (root.runtime === 'java') return
    for (const { annotations } of servedServices(root)) {
      const found = annotatedValue(annotations, ANNOTATION)
      const value = found?.value.kind === 'string' || found?.value.kind === 'number' ? found.value.value : undefined
      const size = sizeOf(value)
      if (found === undefined || size === undefined || size <= MAX_SIZE) continue
      const args = { key: `@${ANNOTATION}`, value: quoteValue(String(value)), file: found.place.file, size: "'1mb'" }
      yield { at: found.place, args, ...variantOf(String(value)) }
    }
  },

  text: {
    en: {
      title: 'Excessive size limit for request bodies',
      message: '{key} is {value} in {file}; the default is 100kb.',
      why: 'CAP Node.js checks only the roles required for the service before it reads the whole body into memory: an attacker who passes that check can exhaust the memory with a few large concurrent requests.',
      fix: 'Set {key} in {file} to the size of the largest body (JSON or $batch) that a client actually sends, for example {size}. Upload files as media streams (@Core.MediaType), to which the limit does not apply.',
      variants: { bytes: { message: '{key} is {value} bytes in {file}; the default is 100kb.' } },
    },
    fr: {
      title: 'Taille maximale excessive pour le corps des requêtes',
      message: '{key} vaut {value} dans {file} ; la valeur par défaut est 100kb.',
      why: 'CAP Node.js ne vérifie que les rôles exigés pour le service avant de lire tout le corps en mémoire : un attaquant qui passe ce contrôle peut épuiser la mémoire avec quelques requêtes volumineuses simultanées.',
      fix: 'Limitez {key} dans {file} à la taille du plus grand corps (JSON ou $batch) qu’un client envoie réellement, par exemple {size}. Téléversez les fichiers sous forme de flux (@Core.MediaType), auxquels la limite ne s’applique pas.',
      variants: { bytes: { message: '{key} vaut {value} octets dans {file} ; la valeur par défaut est 100kb.' } },
    },
  },
})

const ANNOTATION = 'cds.server.body_parser.limit'
/** A number without a unit counts bytes. */
function variantOf(value: string): { readonly variant?: string } {
  return /^[\d.]+$/.test(value.trim()) ? { variant: 'bytes' } : {}
}

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
