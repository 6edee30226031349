import { placeOf } from '../../model/approuter/index.ts'
import { joinPath, resolvePath } from '../../paths.ts'
import type { ProjectFile } from '../../files.ts'
import { at, itemsOf, membersOf, stringOf } from '../../parse/data.ts'
import { elementsOf } from '../../parse/markup.ts'
import { defineRule, type Rule } from '../rule.ts'

const SECRET_VARIABLE = /^VCAP_SERVICES$|secret|passw(?:or)?d|private_?key|credential|(?:^|_)token$/i
const SECRET_PROPERTY = /secret|passw(?:or)?d|^(?:key|certificate)$|private|token$/i
const PLACEHOLDER = /\{\{\{?\s?([\w-]{1,100})\.([\w.-]{1,100})\s?\}\}\}?/g

/** Placeholders in static files that the approuter fills with credentials of bound services or of its environment.
 *  Facts: @sap/approuter 23.0.0 README, "Replacements". */
export const replaceLeaksEnv: Rule = defineRule({
  id: 'approuter/replace-leaks-env',
  severity: 'HIGH',
  confidence: 'medium',
  cwe: [200],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#replacements',
  on: 'approuter',

  *check(approuter, project) {
    for (const route of approuter.routes) {
      for (const node of itemsOf(at(route.node, 'replace', 'vars'))) {
        const name = stringOf(node) ?? ''
        if (SECRET_VARIABLE.test(name))
          yield { at: placeOf(approuter.file, node), args: { name, placeholder: '' }, variant: 'variable' }
      }
      const services = new Set(membersOf(at(route.node, 'replace', 'services')).map(({ key }) => key))
      const folder = route.target.kind === 'local-dir' ? resolvePath(approuter.file, route.target.name) : undefined
      if (services.size === 0 || folder === undefined) continue
      for (const file of project.files.values()) {
        if (file.kind.language !== 'html' || !file.path.startsWith(joinPath(folder, ''))) continue
        for (const { text, start } of textsOf(file)) {
          for (const { 0: placeholder, 1: service = '', 2: name = '', index } of text.matchAll(PLACEHOLDER)) {
            if (!services.has(service) || !SECRET_PROPERTY.test(name)) continue
            const span = { start: start + index, end: start + index + placeholder.length }
            yield {
              at: { file: file.path, span },
              args: { name: `${service}.${name}`, placeholder: placeholder.replaceAll(/[{}]/g, '') },
            }
          }
        }
      }
    }
  },

  text: {
    en: {
      title: 'A credential is written into a page',
      message: '{placeholder} is filled with {name} before the page is sent.',
      why: 'Everybody who can load the page reads the credential in its source.',
      fix: 'Remove the placeholder and let the approuter or the backend make the call that needs {name}.',
      variants: {
        variable: {
          title: 'A credential may be written into pages',
          message: 'The variable {name} is offered to all files that the route serves.',
          fix: 'Remove {name} from "replace.vars"; list only what the browser may know.',
        },
      },
    },
    fr: {
      title: 'Un identifiant secret est écrit dans une page',
      message: '{placeholder} est rempli avec {name} avant l’envoi de la page.',
      why: 'Quiconque peut charger la page lit le secret dans son code source.',
      fix: 'Supprimez l’espace réservé et laissez l’approuter ou le backend faire l’appel qui a besoin de {name}.',
      variants: {
        variable: {
          title: 'Un identifiant secret peut être écrit dans des pages',
          message: 'La variable {name} est proposée à tous les fichiers que sert la route.',
          fix: 'Retirez {name} de « replace.vars » ; n’indiquez que ce que le navigateur peut connaître.',
        },
      },
    },
  },
})

/** Texts and attribute values of a page, each with where it starts. */
function* textsOf({ content }: ProjectFile): Generator<{ text: string; start: number }> {
  if (content.as !== 'markup') return
  for (const { texts, attributes } of elementsOf(content.document)) {
    for (const { text, start } of texts) yield { text, start }
    for (const { value, valueSpan } of attributes) yield { text: value, start: valueSpan.start }
  }
}
