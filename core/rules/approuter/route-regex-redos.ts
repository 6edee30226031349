import { placeOf } from '../../model/approuter/index.ts'
import { at, itemsOf, stringOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** A regular expression of the descriptor or its environment with exponential backtracking (ReDoS).
 *  Repeated parts are read as automata: ambiguous ones are reported, not nested ones as such. Facts: @sap/approuter 23.0.0 warns about such sources at its
 *  start.
 *  Impact: requests are slowed down, no data is read or changed. */
export const routeRegexRedos: Rule = defineRule({
  id: 'approuter/route-regex-redos',
  impact: 'defence',
  reach: 'anyone',
  confidence: 'medium',
  cwe: [1333],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#routes',
  docsByVariant: { host: 'https://www.npmjs.com/package/@sap/approuter#configurations' },
  on: 'approuter',

  *check(approuter) {
    for (const { source, sourcePlace } of approuter.routes) {
      if (approuter.languages.isExponential(source) === true)
        yield { at: sourcePlace, args: { pattern: source, name: '' }, groupKey: source }
    }
    for (const entry of itemsOf(at(approuter.root, 'cors'))) {
      for (const key of ['uriPattern', 'hostPattern']) {
        const node = stringOf(at(entry, key)) === undefined ? at(entry, key, 'path') : at(entry, key)
        const pattern = stringOf(node)
        if (node !== undefined && pattern !== undefined && approuter.languages.isExponential(pattern) === true)
          yield { at: placeOf(approuter.file, node), args: { pattern, name: '' }, groupKey: pattern }
      }
    }
    for (const name of ['TENANT_HOST_PATTERN', 'DESTINATION_HOST_PATTERN']) {
      for (const setting of approuter.environment.settings(name)) {
        const pattern = stringOf(setting.value)
        if (pattern !== undefined && approuter.languages.isExponential(pattern) === true)
          yield { at: setting.place, args: { pattern, name }, variant: 'host' }
      }
    }
  },

  text: () => ({
    en: {
      title: 'Regular expression denial of service (ReDoS)',
      message:
        'The pattern "{pattern}" repeats a group that matches the same string in several ways: the matching time grows exponentially with the length of the URL.',
      why: 'An attacker can block the approuter for all users with a single request whose URL is about fifty characters long.',
      fix: 'Rewrite "{pattern}" in xs-app.json so that a string can match in one way only: a+ instead of (a+)+, [a-z0-9]* instead of ([a-z]|[a-z0-9])*.',
      variants: {
        host: {
          message:
            '{name} is "{pattern}", which repeats a group that matches the same string in several ways: the matching time grows exponentially with the length of the host name.',
          why: 'An attacker can block the approuter for all users with a single request whose host name is about fifty characters long.',
          fix: 'Rewrite {name} so that a host name can match in one way only, and keep a capturing group: (.*) instead of (.*-?)*, (a+) instead of (a+)+.',
        },
      },
    },
    fr: {
      title: 'Déni de service par expression régulière (ReDoS)',
      message:
        'Le motif "{pattern}" répète un groupe qui peut correspondre de plusieurs façons à la même chaîne : la durée de la recherche croît de façon exponentielle avec la longueur de l’URL.',
      why: 'Un attaquant peut bloquer l’approuter pour tous les utilisateurs avec une seule requête dont l’URL compte une cinquantaine de caractères.',
      fix: 'Réécrivez "{pattern}" dans xs-app.json pour que chaque chaîne ne puisse correspondre que d’une seule façon : a+ au lieu de (a+)+, [a-z0-9]* au lieu de ([a-z]|[a-z0-9])*.',
      variants: {
        host: {
          message:
            '{name} vaut "{pattern}", qui répète un groupe qui peut correspondre de plusieurs façons à la même chaîne : la durée de la recherche croît de façon exponentielle avec la longueur du nom d’hôte.',
          why: 'Un attaquant peut bloquer l’approuter pour tous les utilisateurs avec une seule requête dont le nom d’hôte compte une cinquantaine de caractères.',
          fix: 'Réécrivez {name} pour que chaque nom d’hôte ne puisse correspondre que d’une seule façon, en conservant un groupe de capture : (.*) au lieu de (.*-?)*, (a+) au lieu de (a+)+.',
        },
      },
    },
  }),
})
