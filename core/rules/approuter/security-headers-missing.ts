import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { readResponseHeaders } from '../../model/approuter/index.ts'
import { readRemote, type Ui5App } from '../../model/ui5/index.ts'
import { folderOf, isBelow } from '../../paths.ts'
import { at } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

const POLICY = 'Content-Security-Policy'
const WANTED: readonly string[] = [POLICY, 'X-Content-Type-Options']

/** Such headers, in lower case, that handlers of the project send: `res.setHeader('Content-Security-Policy', …)`. */
const sentHeaders: Extract<string> = defineExtract({
  name: 'approuter-sent-headers',
  keywords: ['@sap/approuter', 'insertMiddleware'],
  *collect({ facts }) {
    for (const { callee, args } of facts.calls) {
      if (callee.kind !== 'member' || !/^(?:setHeader|set|header|writeHead|append)$/.test(callee.name ?? '')) continue
      const [first] = args
      const name = first?.kind === 'literal' ? String(first.value).toLowerCase() : ''
      if (WANTED.some((wanted) => wanted.toLowerCase() === name)) yield name
    }
  },
})

/** Security headers that a standalone approuter does not send by default: one finding for all of them.
 *  Facts: @sap/approuter 23.0.0 README: X-Frame-Options is sent by default, a content security policy and X-Content-Type-Options are not.
 *  Impact: nothing by itself, an injection must come first. */
export const securityHeadersMissing: Rule = defineRule({
  id: 'approuter/security-headers-missing',
  impact: 'defence',
  reach: 'anyone',
  confidence: 'high',
  cwe: [693],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#responseheaders-property',
  extracts: [sentHeaders],
  on: 'approuter',

  *check(approuter, { scripts, ui5Apps }) {
    const { kind, deployed, file, routes, manifest } = approuter
    if (kind !== 'standalone' || !deployed || routes.length === 0) return
    // code of the project may send them
    if (['helmet', 'lusca'].some((name) => at(manifest?.root, 'dependencies', name) !== undefined)) return
    const sent = new Set(readResponseHeaders(approuter).map(({ name }) => name))
    const folder = folderOf(file)
    for (const { file: path, value } of scripts.get(sentHeaders)) if (isBelow(path, folder)) sent.add(value)
    const missing = WANTED.filter((name) => !sent.has(name.toLowerCase()))
    if (missing.length === 0) return
    const entries = missing.map((name) => `{ "name": "${name}", "value": "${valueOf(name, ui5Apps)}" }`)
    const [only, ...others] = missing
    const variant = others.length > 0 ? undefined : only === POLICY ? 'policy' : 'sniffing'
    const args = { missing: missing.join(', '), entries: entries.join(', ') }
    yield { at: { file }, args, ...(variant !== undefined && { variant }) }
  },

  text: () => ({
    en: {
      title: 'Missing security headers in approuter responses',
      message:
        'The approuter sends its responses without {missing:and}: neither "responseHeaders" in xs-app.json nor the httpHeaders environment variable adds such a header.',
      why: 'Without these headers, the browser runs a script in markup that an attacker injects (XSS), and may run an uploaded file as a script.',
      fix: 'Add to the "responseHeaders" array in xs-app.json: {entries}.',
      variants: {
        policy: {
          why: 'Without this header, the browser runs a script in markup that an attacker injects (XSS).',
        },
        sniffing: {
          why: 'If an attacker can upload a file, the browser may guess another type from its content and run it as a script or as HTML.',
        },
      },
    },
    fr: {
      title: 'En-têtes de sécurité manquants dans les réponses de l’approuter',
      message:
        'L’approuter envoie ses réponses sans {missing:ni} : ni "responseHeaders" dans xs-app.json ni la variable d’environnement httpHeaders n’ajoute un tel en-tête.',
      why: 'Sans ces en-têtes, le navigateur exécute un script contenu dans du balisage injecté par un attaquant (XSS), et peut exécuter comme un script un fichier téléversé.',
      fix: 'Ajoutez au tableau "responseHeaders" dans xs-app.json : {entries}.',
      variants: {
        policy: {
          why: 'Sans cet en-tête, le navigateur exécute un script contenu dans du balisage injecté par un attaquant (XSS).',
        },
        sniffing: {
          why: 'Si un attaquant peut téléverser un fichier, le navigateur peut lui attribuer un autre type d’après son contenu, et l’exécuter comme un script ou l’afficher comme du HTML.',
        },
      },
    },
  }),
})

/** The value to send; UI5 needs inline styles, fonts and images as data, and the host that its pages load it from. */
function valueOf(name: string, apps: readonly Ui5App[]): string {
  if (name !== POLICY) return 'nosniff'
  const sources = apps.flatMap(({ pages }) => pages.map(({ bootstrap }) => readRemote(bootstrap.src?.value ?? '')?.host))
  const own = ["'self'", ...new Set(sources.flatMap((host) => (host === undefined ? [] : [`https://${host}`])))].join(' ')
  return `default-src ${own}; style-src ${own} 'unsafe-inline'; img-src ${own} data:; font-src ${own} data:`
}
