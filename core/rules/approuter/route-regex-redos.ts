import { placeOf } from '../../model/approuter/index.ts'
import { at, itemsOf, stringOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** A regular expression of the descriptor or its environment that one text fits in very many ways, so that a long URL keeps the approuter busy.
 *  Repeated parts are read as automata: ambiguous ones are reported, not nested ones as such. Facts: @sap/approuter 23.0.0 warns about such sources at its
 *  start. */
export const routeRegexRedos: Rule = defineRule({
  id: 'approuter/route-regex-redos',
  severity: 'LOW',
  confidence: 'medium',
  cwe: [1333],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#routes',
  on: 'approuter',

  *check(approuter) {
    for (const { source, sourcePlace } of approuter.routes) {
      if (approuter.languages.isExponential(source) === true) yield { at: sourcePlace, args: { pattern: source }, sameAs: source }
    }
    for (const entry of itemsOf(at(approuter.root, 'cors'))) {
      for (const key of ['uriPattern', 'hostPattern']) {
        const node = stringOf(at(entry, key)) === undefined ? at(entry, key, 'path') : at(entry, key)
        const pattern = stringOf(node)
        if (node !== undefined && pattern !== undefined && approuter.languages.isExponential(pattern) === true)
          yield { at: placeOf(approuter.file, node), args: { pattern }, sameAs: pattern }
      }
    }
    for (const name of ['TENANT_HOST_PATTERN', 'DESTINATION_HOST_PATTERN']) {
      for (const setting of approuter.environment.settings(name)) {
        const pattern = stringOf(setting.value)
        if (pattern !== undefined && approuter.languages.isExponential(pattern) === true)
          yield { at: setting.place, args: { pattern } }
      }
    }
  },

  text: {
    en: {
      title: 'A long URL can keep the approuter busy',
      message: '{pattern} repeats a part that one text can be cut into in many ways: the time doubles with each character.',
      why: 'One request with a URL of fifty characters stops the approuter for all users.',
      fix: 'Write the repeated part so that it can be read in one way only: (a+)+ is a+.',
    },
    fr: {
      title: 'Une longue URL peut occuper l’approuter',
      message:
        '{pattern} répète une partie qu’un même texte peut découper de multiples façons : la durée double avec chaque caractère.',
      why: 'Une seule requête avec une URL de cinquante caractères bloque l’approuter pour tous les utilisateurs.',
      fix: 'Écrivez la partie répétée de façon à n’être lisible que d’une manière : (a+)+ est a+.',
    },
  },
})
