import { constantOf, pathsOf } from '../../facts/index.ts'
import type { CallValue, ScriptFacts, Value } from '../../facts/types.ts'
import { possibleConstants } from '../../model/script/index.ts'
import type { Locale, Localized, RuleText } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

const ADDERS: ReadonlySet<string> = new Set([
  'module:sap/base/security/URLListValidator add',
  'module:sap/base/security/URLWhitelist add',
  'global:jQuery sap addUrlWhitelist',
  'global:$ sap addUrlWhitelist',
  'module:sap/ui/thirdparty/jquery sap addUrlWhitelist',
])
// with a colon, `add("data:")`, an entry matches nothing
const ACTIVE = /^(?:javascript|data|blob|vbscript|filesystem)$/iu
/** Their content is of the app's origin, or of none: they run no script of an attacker by themselves. */
const CONTENT: readonly (readonly [variant: string, protocol: RegExp])[] = [
  ['data', /^data:$/iu],
  ['blob', /^(?:blob|filesystem):$/iu],
]
const WEB = /^(?:https?|ftp)$/iu

/** Of an entry for several protocols, of which the last stands by itself. */
const SEVERAL: Localized<string> = {
  en: 'This entry of the URLListValidator allows {entry} and {last} URLs.',
  fr: 'Cette entrée de l’URLListValidator autorise les URL {entry} et {last}.',
}

/** Of one that allows `data:` and `blob:`. */
const BOTH: Localized<Pick<RuleText, 'why' | 'fix'>> = {
  en: {
    why: 'A data: URL carries its own content, such as a forged login form, and a document behind a blob: URL has the origin of the app: an attacker who can write such a URL or the content of such a blob can mislead users or run a script in their session.',
    fix: 'Remove both protocols: sap.m.Image shows such images without an entry. If sap.m.PDFViewer needs blob:, allow blob: alone, create the blob with { type: "application/pdf" }, and suppress the finding that remains.',
  },
  fr: {
    why: 'Une URL data: contient elle-même la page à afficher, par exemple une fausse page de connexion, et le document d’une URL blob: a la même origine que l’application : un attaquant qui peut écrire l’URL data: ou le contenu du blob peut tromper les utilisateurs ou exécuter un script dans leur session.',
    fix: 'Supprimez les deux protocoles : sap.m.Image affiche ces images sans entrée. Si sap.m.PDFViewer a besoin de blob:, n’autorisez que blob:, créez le blob avec { type: "application/pdf" } et masquez le constat qui reste.',
  },
}

/**
 * The list of valid URLs, opened so far that it decides nothing.
 * Facts: API of sap/base/security/URLListValidator: what is left out of protocol, host, port and path matches anything; without an entry any URL
 * with a usual protocol is valid, with one only what an entry matches. OpenUI5 1.146: PDFViewerRenderer validates its source, Image does not.
 * Impact: an entry for any host is equal to the default; a script address that the list allows runs code in the session of the user, and content behind
 * data: and blob: runs none of the attacker by itself.
 */
export const urllistTooWide: Rule = defineRule({
  id: 'ui5/urllist-too-wide',
  impact: 'defence',
  // which data reaches a link is not shown
  grades: {
    active: { impact: 'session', evidence: 'assumed' },
    'active-several': { impact: 'session', evidence: 'assumed' },
  },
  confidence: 'high',
  cwe: [183],
  since: '0.1.0',
  docs: 'https://ui5.sap.com/#/api/module:sap/base/security/URLListValidator',
  keywords: ['URLListValidator', 'URLWhitelist', 'addUrlWhitelist'],
  on: 'script',

  *check(file) {
    for (const call of file.content.facts.calls) {
      if (call.kind !== 'call' || !pathsOf(call.callee).some((path) => ADDERS.has(path.join(' ')))) continue
      const width = widthOf(call) ?? activeAmong(call, file.content.facts, file.budget.step)
      if (width === undefined) continue
      const { start, end } = call
      yield {
        at: { file: file.path, span: { start, end } },
        args: argsOf(width),
        ...(width.active.length > 0 && {
          variant: variantOf(width.active) + (width.active.length > 1 ? '-several' : ''),
        }),
      }
    }
  },

  text: () => ({
    en: {
      title: 'UI5 URL allowlist open to any host',
      message: 'This entry of the URLListValidator allows any host.',
      why: 'Controls that validate URLs against this list then accept any host: an attacker who can change such a URL can lead users to a malicious site.',
      fix: 'Replace the entry with protocol and host: URLListValidator.add("https", "www.example.com"), one entry for each host.',
      variants: withSeveral('en', {
        active: {
          title: 'UI5 URL allowlist open to active content',
          message: 'This entry of the URLListValidator allows {entry} URLs.',
          why: 'An attacker who can write such a URL into the data can run a script in the session of the user who opens it, wherever a control validates URLs against this list.',
          fix: 'Remove the entry. To run code when a link is pressed, use a handler for its press event.',
        },
        data: {
          title: 'UI5 URL allowlist open to active content',
          message: 'This entry of the URLListValidator allows {entry} URLs.',
          why: 'Such a URL carries its own content: an attacker who can write it into the data can show a page of their own, such as a forged login form, in frames whose URL is validated against this list.',
          fix: 'Remove the entry: sap.m.Image shows data: images without it. If sap.m.PDFViewer needs it for documents that the app creates itself, suppress this finding.',
        },
        blob: {
          title: 'UI5 URL allowlist open to active content',
          message: 'This entry of the URLListValidator allows {entry} URLs.',
          why: 'A document behind such a URL has the origin of the app: if the app creates it from data that an attacker can write, a script in it runs in the session of the user who opens it.',
          fix: 'Remove the entry: sap.m.Image shows images without it. If sap.m.PDFViewer needs it, create the blob with { type: "application/pdf" }, never with a type taken from the data, and suppress this finding.',
        },
      }),
    },
    fr: {
      title: 'Liste d’URL autorisées d’UI5 ouverte à tout hôte',
      message: 'Cette entrée de l’URLListValidator autorise tout hôte.',
      why: 'Les contrôles qui valident des URL avec cette liste acceptent alors tout hôte : un attaquant qui peut modifier l’une de ces URL peut conduire les utilisateurs vers un site malveillant.',
      fix: 'Remplacez cette entrée par une entrée par hôte, avec son protocole : URLListValidator.add("https", "www.example.com").',
      variants: withSeveral('fr', {
        active: {
          title: 'Liste d’URL autorisées d’UI5 ouverte au contenu actif',
          message: 'Cette entrée de l’URLListValidator autorise les URL {entry}.',
          why: 'Un attaquant qui peut écrire une URL de ce type dans les données peut exécuter un script dans la session de l’utilisateur qui l’ouvre, partout où un contrôle valide les URL avec cette liste.',
          fix: 'Supprimez l’entrée. Pour exécuter du code au clic sur un lien, utilisez un gestionnaire de son événement press.',
        },
        data: {
          title: 'Liste d’URL autorisées d’UI5 ouverte au contenu actif',
          message: 'Cette entrée de l’URLListValidator autorise les URL {entry}.',
          why: 'Une URL data: contient elle-même la page à afficher : dans les iframes dont l’URL est validée avec cette liste, un attaquant qui peut écrire cette URL dans les données peut afficher, par exemple, une fausse page de connexion.',
          fix: 'Supprimez l’entrée : sap.m.Image affiche les images data: sans elle. Si sap.m.PDFViewer en a besoin pour des documents que l’application crée elle-même, masquez ce constat.',
        },
        blob: {
          title: 'Liste d’URL autorisées d’UI5 ouverte au contenu actif',
          message: 'Cette entrée de l’URLListValidator autorise les URL {entry}.',
          why: 'Le document d’une URL de ce type a la même origine que l’application : si l’application crée ce document à partir de données qu’un attaquant peut écrire, un script du document s’exécute dans la session de l’utilisateur qui l’ouvre.',
          fix: 'Supprimez l’entrée : sap.m.Image affiche les images sans elle. Si sap.m.PDFViewer en a besoin, créez le blob avec { type: "application/pdf" }, jamais avec un type tiré des données, et masquez ce constat.',
        },
      }),
    },
  }),
})

function withSeveral(
  locale: Locale,
  variants: Readonly<Record<string, Partial<RuleText>>>,
): Readonly<Record<string, Partial<RuleText>>> {
  const several = Object.entries(variants).map(([name, text]) => [
    `${name}-several`,
    { ...text, message: SEVERAL[locale], ...(name === 'data' && BOTH[locale]) },
  ])
  return { ...variants, ...Object.fromEntries(several) }
}

interface Width {
  /** Protocols of active content; none where any host is allowed. */
  readonly active: readonly string[]
}

/** `data:` and `blob:`, as addresses begin. */
function argsOf({ active: [first, ...further] }: Width): Readonly<Record<string, string>> {
  if (first === undefined) return {}
  const last = further.pop()
  return last === undefined ? { entry: first } : { entry: [first, ...further].join(', '), last }
}

function variantOf(active: readonly string[]): string {
  const worst = ['active', 'data'].find((variant) => active.some((protocol) => kindOf(protocol) === variant))
  return worst ?? 'blob'
}

function kindOf(protocol: string): string {
  return CONTENT.find(([, known]) => known.test(protocol))?.[0] ?? 'active'
}

function widthOf({ args }: CallValue): Width | undefined {
  const [protocol, host] = [textOf(args[0]), textOf(args[1])]
  // made at run time: not known
  if (protocol === undefined || host === undefined) return undefined
  if (ACTIVE.test(protocol)) return { active: [toScheme(protocol)] }
  const anyHost = host.trim() === '' || /^\*(?:\.[a-z]{2,10})?$/iu.test(host.trim())
  if (!anyHost || (protocol !== '' && !WEB.test(protocol))) return undefined
  return { active: [] }
}

/** `["data", "blob"].forEach((protocol) => URLListValidator.add(protocol))`. */
function activeAmong({ args: [protocol] }: CallValue, facts: ScriptFacts, step: (count?: number) => void): Width | undefined {
  const found = protocol === undefined ? [] : possibleConstants(protocol, facts, step)
  const active = found.flatMap((one) => (typeof one === 'string' && ACTIVE.test(one) ? [toScheme(one)] : []))
  return active.length === 0 ? undefined : { active: [...new Set(active)] }
}

function toScheme(protocol: string): string {
  return `${protocol}:`
}

/** '' for what is left out: undefined, null, an empty string. */
function textOf(value: Value | undefined): string | undefined {
  if (value === undefined || (value.kind === 'reference' && value.name === 'undefined' && value.binding === undefined)) return ''
  const text = constantOf(value)
  return text === undefined ? undefined : text === null ? '' : String(text)
}
