import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { Scripts } from '../../extracts/scripts.ts'
import { isAround } from '../../facts/span-index.ts'
import type { Place, Span } from '../../types.ts'

/**
 * Functions of a script of XS classic that its text names where they are written alone: no other script can import it, and it is no job, since it answers a request.
 * Fact: SAP HANA Developer Guide for XS classic, "Import Server-Side JavaScript Libraries" (only .xsjslib files are imported).
 */
export const xsUncalled: Extract<Span> = defineExtract({
  name: 'reach-xs-uncalled',
  keywords: ['$.response'],
  isFor: (path) => /\.xsjs$/i.test(path),
  *collect({ facts, text, step }) {
    if (BY_NAME.test(text)) return
    const words = new Map<string, number>()
    for (const [word] of text.matchAll(/[\w$]{1,200}/g)) words.set(word, (words.get(word) ?? 0) + 1)
    step(facts.functions.length)
    for (const { name, owner, parent, start, end } of facts.functions)
      if (parent?.parent === undefined && parent !== undefined && owner === undefined && words.get(name) === 1)
        yield { start, end }
  },
})

/** What may call a function by a name that is put together. */
const BY_NAME = /\beval\s{0,10}\(|\b(?:this|globalThis)\s{0,10}\[|\bFunction\s{0,10}\(/

/** Whether a place stands in a function of a script that nothing calls. */
export function isInUncalled({ file, span }: Place, scripts: Scripts): boolean {
  return span !== undefined && scripts.of(file, xsUncalled).some((one) => isAround(one, span.start))
}
