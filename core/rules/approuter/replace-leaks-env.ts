import { placeOf } from '../../model/approuter/index.ts'
import { joinPath, resolvePath } from '../../paths.ts'
import type { ProjectFile } from '../../files.ts'
import { at, itemsOf, membersOf, stringOf } from '../../parse/data.ts'
import { elementsOf } from '../../parse/markup.ts'
import { defineRule, type Rule } from '../rule.ts'

const SECRET_VARIABLE = /^VCAP_SERVICES$|secret|passw(?:or)?d|private_?key|credential|(?:^|_)token$/i
const SECRET_PROPERTY = /secret|passw(?:or)?d|^(?:key|certificate)$|private|token$/i
const PLACEHOLDER = /\{\{\{?\s?([\w-]{1,100})\.([\w.-]{1,100})\s?\}\}\}?/g

/** Placeholders in static files that the approuter replaces by credentials of bound services or of its environment.
 *  Facts: @sap/approuter 23.0.0 README, "Replacements".
 *  Impact: whoever reaches the page reads a credential of the app. */
export const replaceLeaksEnv: Rule = defineRule({
  id: 'approuter/replace-leaks-env',
  impact: 'takeover',
  // that a page contains it
  grades: { variable: { evidence: 'assumed' } },
  confidence: 'medium',
  cwe: [200],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#replacements',
  on: 'approuter',

  *check(approuter, project) {
    for (const route of approuter.routes) {
      const exposure = project.reach.ofRoute(approuter, route)
      for (const node of itemsOf(at(route.node, 'replace', 'vars'))) {
        const name = stringOf(node) ?? ''
        if (SECRET_VARIABLE.test(name))
          yield { at: placeOf(approuter.file, node), args: { name, placeholder: '' }, exposure, variant: 'variable' }
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
              exposure,
            }
          }
        }
      }
    }
  },

  text: () => ({
    en: {
      title: 'Credential disclosed in a static page',
      message:
        'The approuter replaces the placeholder "{placeholder}" in this page with the credential of that name from the bound service.',
      why: 'Anyone who can load the page can read the credential in its source and call the service with it.',
      fix: 'Remove the placeholder "{placeholder}" from the page, and rotate the credential if the page was ever deployed. Send the requests that need it through a route with a destination, or from the backend.',
      variants: {
        variable: {
          title: 'Credential available to static files',
          message:
            '"replace.vars" contains {name}: matching placeholders in the files of this route are replaced with its value.',
          why: 'Anyone who can load a file with such a placeholder can read this value and the credentials in it.',
          fix: 'Remove {name} from "replace.vars" in xs-app.json. List only values that clients may read.',
        },
      },
    },
    fr: {
      title: 'Secret divulgué dans une page statique',
      message:
        'L’approuter remplace le marqueur "{placeholder}" de cette page par la valeur correspondante, un secret issu des identifiants du service lié.',
      why: 'Toute personne qui peut charger la page peut lire le secret dans son code source et s’en servir pour appeler le service.',
      fix: 'Supprimez le marqueur "{placeholder}" de la page, et renouvelez le secret si la page a été déployée. Faites passer par une route avec une destination, ou par le backend, les requêtes qui ont besoin de ce secret.',
      variants: {
        variable: {
          title: 'Secret mis à disposition des fichiers statiques',
          message:
            '"replace.vars" contient {name} : les marqueurs correspondants dans les fichiers de cette route sont remplacés par sa valeur.',
          why: 'Toute personne qui peut charger un fichier contenant un tel marqueur peut lire cette valeur et les secrets qu’elle contient.',
          fix: 'Supprimez {name} de "replace.vars" dans xs-app.json. N’y indiquez que des valeurs que les clients ont le droit de lire.',
        },
      },
    },
  }),
})

/** Texts and attribute values of a page, each with where it starts. */
function* textsOf({ content }: ProjectFile): Generator<{ text: string; start: number }> {
  if (content.as !== 'markup') return
  for (const { texts, attributes } of elementsOf(content.document)) {
    for (const { text, start } of texts) yield { text, start }
    for (const { value, valueSpan } of attributes) yield { text: value, start: valueSpan.start }
  }
}
