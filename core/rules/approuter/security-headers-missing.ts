import type { ScriptFacts } from '../../facts/index.ts'
import { readResponseHeaders } from '../../model/approuter/index.ts'
import { scriptsKeptBy } from '../../model/kept-scripts.ts'
import { folderOf } from '../../paths.ts'
import { at } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

const WANTED: readonly string[] = ['Content-Security-Policy', 'X-Content-Type-Options']

/** Headers that an approuter of one's own does not send by itself and that stop whole classes of attacks in the browser: one finding for all of them.
 *  Facts: @sap/approuter 23.0.0 README: X-Frame-Options is sent by default, a content security policy and X-Content-Type-Options are not. */
export const securityHeadersMissing: Rule = defineRule({
  id: 'approuter/security-headers-missing',
  severity: 'LOW',
  confidence: 'high',
  cwe: [693],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#responseheaders-property',
  keywords: ['@sap/approuter', 'insertMiddleware'],
  keeps: setsHeaders,
  on: ['approuter'],
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

  *check(approuter, { files }) {
    const { kind, deployed, file, routes, manifest } = approuter
    if (kind !== 'standalone' || !deployed || routes.length === 0) return
    // code of the project may send them
    if (['helmet', 'lusca'].some((name) => at(manifest?.root, 'dependencies', name) !== undefined)) return
    const sent = new Set(readResponseHeaders(approuter).map(({ name }) => name))
    const folder = folderOf(file)
    for (const { path, content } of scriptsKeptBy(files.values(), setsHeaders))
      if (folder === '' || path.startsWith(`${folder}/`)) for (const name of headersSetBy(content.facts)) sent.add(name)
    const missing = WANTED.filter((name) => !sent.has(name.toLowerCase()))
    if (missing.length > 0) yield { at: { file }, args: { missing: missing.join(', ') } }
  },
})

/** Handlers of the project's own that send such a header: `res.setHeader('Content-Security-Policy', …)`. */
function setsHeaders(facts: ScriptFacts): boolean {
  return headersSetBy(facts).length > 0
}

function headersSetBy({ calls }: ScriptFacts): string[] {
  return calls.flatMap(({ callee, args: [name] }) => {
    if (callee.kind !== 'member' || !/^(?:setHeader|set|header|writeHead|append)$/.test(callee.name ?? '')) return []
    if (name?.kind !== 'literal' || !WANTED.some((wanted) => wanted.toLowerCase() === String(name.value).toLowerCase())) return []
    return [String(name.value).toLowerCase()]
  })
}
