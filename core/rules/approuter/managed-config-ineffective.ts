import { placeOf } from '../../model/approuter/index.ts'
import { membersOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

const CENTRAL: ReadonlySet<string> = new Set(['sessionTimeout', 'whitelistService', 'pluginMetadataEndpoint', 'compression'])

/** Settings in the descriptor of an HTML5 app that only a central approuter reads.
 *  Facts: @sap/approuter 23.0.0, lib/bootstrap.js and lib/configuration/memstore-config.js: these are read once, at the start, from the central descriptor.
 *  Impact: none, the setting of the managed approuter counts. */
export const managedConfigIneffective: Rule = defineRule({
  id: 'approuter/managed-config-ineffective',
  impact: 'hygiene',
  confidence: 'medium',
  cwe: [1188],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#integration-with-html5-application-repository',
  on: 'approuter',

  *check(approuter) {
    if (approuter.kind !== 'html5-app') return
    for (const { key, keySpan } of membersOf(approuter.root)) {
      if (CENTRAL.has(key)) yield { at: placeOf(approuter.file, keySpan), args: { setting: key }, groupKey: key }
    }
  },

  text: () => ({
    en: {
      title: 'Setting without effect in an HTML5 app',
      message: '"{setting}" is read from the xs-app.json of the central approuter only, not from that of an HTML5 app.',
      why: 'The "{setting}" value of the central or managed approuter, or the default, applies to this app instead, and may be less strict.',
      fix: 'Remove "{setting}" from this xs-app.json, and set it in the xs-app.json of the central approuter if your project contains one.',
    },
    fr: {
      title: 'Réglage sans effet dans une application HTML5',
      message: '"{setting}" n’est lu que dans le xs-app.json de l’approuter central, pas dans celui d’une application HTML5.',
      why: 'La valeur que l’approuter central ou managé donne à "{setting}", ou la valeur par défaut, s’applique à cette application ; elle peut être moins stricte.',
      fix: 'Supprimez "{setting}" de ce xs-app.json et définissez-le dans le xs-app.json de l’approuter central si votre projet en contient un.',
    },
  }),
})
