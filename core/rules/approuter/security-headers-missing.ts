import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { readResponseHeaders } from '../../model/approuter/index.ts'
import { folderOf } from '../../paths.ts'
import { at } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

const WANTED: readonly string[] = ['Content-Security-Policy', 'X-Content-Type-Options']

/** Such headers, in lower case, that handlers of the project's own send: `res.setHeader('Content-Security-Policy', …)`. */
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

/** Headers that an approuter of one's own does not send by itself and that stop whole classes of attacks in the browser: one finding for all of them.
 *  Facts: @sap/approuter 23.0.0 README: X-Frame-Options is sent by default, a content security policy and X-Content-Type-Options are not. */
export const securityHeadersMissing: Rule = defineRule({
  id: 'approuter/security-headers-missing',
  severity: 'LOW',
  confidence: 'high',
  cwe: [693],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#responseheaders-property',
  extracts: [sentHeaders],
  on: 'approuter',

  *check(approuter, { scripts }) {
    const { kind, deployed, file, routes, manifest } = approuter
    if (kind !== 'standalone' || !deployed || routes.length === 0) return
    // code of the project may send them
    if (['helmet', 'lusca'].some((name) => at(manifest?.root, 'dependencies', name) !== undefined)) return
    const sent = new Set(readResponseHeaders(approuter).map(({ name }) => name))
    const folder = folderOf(file)
    for (const { file: path, value } of scripts.get(sentHeaders))
      if (folder === '' || path.startsWith(`${folder}/`)) sent.add(value)
    const missing = WANTED.filter((name) => !sent.has(name.toLowerCase()))
    if (missing.length > 0) yield { at: { file }, args: { missing: missing.join(', ') } }
  },

  text: {
    en: {
      title: 'Protective response headers are missing',
      message: 'Neither "responseHeaders" nor httpHeaders sends {missing}.',
      why: 'A script that gets into a page runs unhindered, and files are taken for scripts that are none: nothing in the browser stands behind the first mistake.',
      fix: 'Add "responseHeaders" with Content-Security-Policy and "X-Content-Type-Options": "nosniff".',
    },
    fr: {
      title: 'Des en-têtes de protection manquent',
      message: 'Ni « responseHeaders » ni httpHeaders n’envoient {missing}.',
      why: 'Un script introduit dans une page s’exécute sans obstacle, et des fichiers sont pris pour des scripts qu’ils ne sont pas : rien dans le navigateur ne rattrape la première erreur.',
      fix: 'Ajoutez « responseHeaders » avec Content-Security-Policy et « "X-Content-Type-Options": "nosniff" ».',
    },
  },
})
