import { placeOf } from '../../model/approuter/index.ts'
import { membersOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

const CENTRAL: ReadonlySet<string> = new Set(['sessionTimeout', 'whitelistService', 'pluginMetadataEndpoint', 'compression'])

/** Settings in the descriptor of an HTML5 app that only an approuter of one's own reads; the managed approuter has its own.
 *  Facts: @sap/approuter 23.0.0, lib/bootstrap.js and lib/configuration/memstore-config.js: these are read once, at the start, from the central descriptor. */
export const managedConfigIneffective: Rule = defineRule({
  id: 'approuter/managed-config-ineffective',
  severity: 'INFO',
  confidence: 'medium',
  cwe: [1188],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#integration-with-html5-application-repository',
  on: 'approuter',

  *check(approuter) {
    if (approuter.kind !== 'html5-app') return
    for (const { key, keySpan } of membersOf(approuter.root)) {
      if (CENTRAL.has(key)) yield { at: placeOf(approuter.file, keySpan), args: { setting: key }, sameAs: key }
    }
  },

  text: {
    en: {
      title: 'A setting has no effect in this app',
      message: '"{setting}" is read from the central descriptor, not from that of an HTML5 app.',
      why: 'Who relies on it believes in a limit that is not there.',
      fix: 'Remove "{setting}" here; set it where the central approuter is configured.',
    },
    fr: {
      title: 'Un réglage n’a pas d’effet dans cette application',
      message: '« {setting} » est lu dans le descripteur central, pas dans celui d’une application HTML5.',
      why: 'Qui s’y fie croit à une limite qui n’existe pas.',
      fix: 'Supprimez « {setting} » ici ; définissez-le là où l’approuter central est configuré.',
    },
  },
})
