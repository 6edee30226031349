import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { Scripts } from '../../extracts/scripts.ts'
import { isAround } from '../../facts/span-index.ts'
import { valuesOf } from '../../facts/index.ts'
import { namesAround } from '../../facts/function-table.ts'
import type { ProjectFile } from '../../files.ts'
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

/** Names that scripts of XS classic speak of outside of comments; `*` where one calls members by names that are put together, `eval` where it runs code that may name its own functions. */
export const xsNamed: Extract<string> = defineExtract({
  name: 'reach-xs-named',
  isFor: (path) => /\.xsjs(?:lib)?$/i.test(path),
  *collect({ facts, text, step }) {
    if (BY_NAME.test(text)) yield OWN
    if (facts.calls.some(({ callee }) => callee.kind === 'member' && callee.name === undefined)) yield ANY
    const names = new Set<string>()
    for (const { value } of valuesOf(facts)) {
      step()
      if ((value.kind === 'member' || value.kind === 'reference') && value.name !== undefined) names.add(value.name)
    }
    yield* names
  },
})

const ANY = '*'
const OWN = 'eval'

/**
 * Tells places in functions of libraries that no script or service of the project names: only where another file names a function of the library, so that the library is the project's own.
 */
export function createLibraryReader(files: ReadonlyMap<string, ProjectFile>, scripts: Scripts): (place: Place) => boolean {
  let named: ReadonlySet<string> | undefined
  let exits: string | undefined
  const used = new Map<string, boolean>()
  const isUsed = (file: string, own: readonly string[]): boolean => {
    const before = used.get(file)
    if (before !== undefined) return before
    const names = new Set(own)
    const answer = scripts.get(xsNamed).some((one) => one.file !== file && names.has(one.value))
    used.set(file, answer)
    return answer
  }
  return ({ file, span }) => {
    const functions = files.get(file)?.functions
    if (!file.endsWith('.xsjslib') || functions === undefined || span === undefined) return false
    const [name] = namesAround(functions, span.start)
    if (name === undefined || !/^\w+$/.test(name)) return false
    named ??= new Set(scripts.get(xsNamed).map(({ value }) => value))
    if (named.has(ANY) || named.has(name) || scripts.of(file, xsNamed).includes(OWN)) return false
    // the operations of a service name functions of libraries too
    exits ??= [...files.values()].flatMap(({ content }) => (content.as === 'text' ? (content.text ?? []) : [])).join('\n')
    return isUsed(file, functions.names) && !exits.includes(`::${name}`)
  }
}

/** What may call a function by a name that is put together. */
const BY_NAME = /\beval\s{0,10}\(|\b(?:this|globalThis)\s{0,10}\[|\bFunction\s{0,10}\(/

/** Whether a place stands in a function of a script that nothing calls. */
export function isInUncalled({ file, span }: Place, scripts: Scripts): boolean {
  return span !== undefined && scripts.of(file, xsUncalled).some((one) => isAround(one, span.start))
}
