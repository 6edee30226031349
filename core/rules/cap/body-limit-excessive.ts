import { numberOf, stringOf, type DataNode } from '../../parse/data.ts'
import { annotatedValue, keyIn, productionSettings, servedServices } from '../../model/cap/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/** The body of a request may be so large that a few of them fill the memory.
 *  Facts: capire, "cds.server", configuration (`server.body_parser.limit`); body-parser reads 100kb by default, and units as `bytes` does. */
export const bodyLimitExcessive: Rule = defineRule({
  id: 'cap/body-limit-excessive',
  severity: 'LOW',
  confidence: 'high',
  cwe: [770],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/node.js/cds-server#configuration',
  on: 'cap-root',

  *check(root) {
    for (const setting of productionSettings(root, 'server', 'body_parser', 'limit')) {
      const size = bytesOf(setting.node)
      if (size === undefined || size <= MAX_SIZE) continue
      const value = stringOf(setting.node) ?? String(size)
      yield {
        at: setting.place,
        args: { key: keyIn(setting, 'server', 'body_parser', 'limit'), value, file: setting.place.file },
      }
    }
    if (root.runtime === 'java') return
    for (const { annotations } of servedServices(root)) {
      const found = annotatedValue(annotations, ANNOTATION)
      const value = found?.value.kind === 'string' || found?.value.kind === 'number' ? found.value.value : undefined
      const size = sizeOf(value)
      if (found === undefined || size === undefined || size <= MAX_SIZE) continue
      yield { at: found.place, args: { key: `@${ANNOTATION}`, value: String(value), file: found.place.file } }
    }
  },

  text: {
    en: {
      title: 'The body of a request may be huge',
      message: '{key} is {value} in {file}; the default is 100kb.',
      why: 'CAP parses the body in memory before it looks at roles: a few large requests at once bring the application down.',
      fix: 'Write the size that the largest real request needs; send files as streams (media types), which this limit does not concern.',
    },
    fr: {
      title: 'Le corps d’une requête peut être énorme',
      message: '{key} vaut {value} dans {file} ; la valeur par défaut est 100kb.',
      why: 'CAP analyse le corps en mémoire avant de regarder les rôles : quelques grosses requêtes simultanées font tomber l’application.',
      fix: 'Écrivez la taille de la plus grande requête réelle ; envoyez les fichiers en flux (types média), que cette limite ne concerne pas.',
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
