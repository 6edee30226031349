import { constantOf, pathsOf } from '../../facts/index.ts'
import type { CallValue, Value } from '../../facts/types.ts'
import { defineRule, type Rule } from '../rule.ts'

const ADDERS: ReadonlySet<string> = new Set([
  'module:sap/base/security/URLListValidator add',
  'module:sap/base/security/URLWhitelist add',
  'global:jQuery sap addUrlWhitelist',
  'global:$ sap addUrlWhitelist',
  'module:sap/ui/thirdparty/jquery sap addUrlWhitelist',
])
const ACTIVE = /^(?:javascript|data|blob|vbscript|filesystem):?$/iu
const WEB = /^(?:https?|ftp):?$/iu

/**
 * The list of addresses that UI5 takes for valid, opened so far that it decides nothing.
 * Facts: API of sap/base/security/URLListValidator: what is left out of protocol, host, port and path fits anything; without an entry any address
 * with a usual protocol is valid, with one only what an entry fits.
 */
export const urllistTooWide: Rule = defineRule({
  id: 'ui5/urllist-too-wide',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [183],
  since: '0.1.0',
  docs: 'https://github.com/SAP-docs/sapui5/blob/main/docs/05_Developing_Apps/url-list-validation-91f3768.md',
  keywords: ['URLListValidator', 'URLWhitelist', 'addUrlWhitelist'],
  on: 'script',

  *check(file) {
    for (const call of file.content.facts.calls) {
      if (call.kind !== 'call' || !pathsOf(call.callee).some((path) => ADDERS.has(path.join(' ')))) continue
      const width = widthOf(call)
      if (width === undefined) continue
      const { start, end } = call
      yield {
        at: { file: file.path, span: { start, end } },
        args: { entry: width.entry },
        variant: width.active ? 'active' : undefined,
      }
    }
  },

  text: {
    en: {
      title: 'The list of valid addresses lets any host through',
      message: 'This entry of the URL list fits every host ({entry}).',
      why: 'Links, images and markup that the list was to check are taken from anywhere: a foreign address in the data reaches your user.',
      fix: 'Name protocol and host: URLListValidator.add("https", "www.example.com").',
      variants: {
        active: {
          title: 'The list of valid addresses lets active content through',
          message: 'This entry of the URL list allows {entry} addresses.',
          why: 'Such an address carries its content itself: script in the data runs in the session of your user, where a control checks addresses by this list.',
          fix: 'Remove the entry; show a blob of your own by a control that does not check addresses, at the one place that needs it.',
        },
      },
    },
    fr: {
      title: 'La liste des adresses valides laisse passer n’importe quel hôte',
      message: 'Cette entrée de la liste d’URL convient à tout hôte ({entry}).',
      why: 'Les liens, images et balisages que la liste devait vérifier sont acceptés de partout : une adresse étrangère dans les données atteint votre utilisateur.',
      fix: 'Nommez protocole et hôte : URLListValidator.add("https", "www.example.com").',
      variants: {
        active: {
          title: 'La liste des adresses valides laisse passer du contenu actif',
          message: 'Cette entrée de la liste d’URL autorise les adresses {entry}.',
          why: 'Une telle adresse porte elle-même son contenu : un script dans les données s’exécute dans la session de votre utilisateur, partout où un contrôle vérifie les adresses par cette liste.',
          fix: 'Supprimez l’entrée ; affichez un blob à vous par un contrôle qui ne vérifie pas les adresses, au seul endroit qui en a besoin.',
        },
      },
    },
  },
})

function widthOf({ args }: CallValue): { entry: string; active: boolean } | undefined {
  const [protocol, host] = [textOf(args[0]), textOf(args[1])]
  // made at run time: nobody can tell
  if (protocol === undefined || host === undefined) return undefined
  if (ACTIVE.test(protocol.trim())) return { entry: protocol.trim(), active: true }
  const anyHost = host.trim() === '' || /^\*(?:\.[a-z]{2,10})?$/iu.test(host.trim())
  if (!anyHost || (protocol !== '' && !WEB.test(protocol.trim()))) return undefined
  return { entry: protocol === '' ? '*' : `${protocol.trim().replace(/:$/u, '')}://${host.trim() || '*'}`, active: false }
}

/** '' for what is left out: undefined, null, an empty text. */
function textOf(value: Value | undefined): string | undefined {
  if (value === undefined || (value.kind === 'reference' && value.name === 'undefined' && value.binding === undefined)) return ''
  const text = constantOf(value)
  return text === undefined ? undefined : text === null ? '' : String(text)
}
