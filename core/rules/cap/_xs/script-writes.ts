import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import type { Scripts } from '../../../extracts/scripts.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { excerptOf, pathOf, type CallValue, type FunctionFact, type ScriptFacts } from '../../../facts/index.ts'
import { spanOf } from '../../../facts/span-index.ts'
import type { ProjectFile } from '../../../files.ts'
import { append } from '../../../lists.ts'
import { fileNameOf } from '../../../paths.ts'
import type { Place, Span } from '../../../types.ts'
import { onlyKeepsUser } from './kept-users.ts'
import { lastPart } from './services.ts'
import { isWrite } from './writes.ts'

/** Calls of functions of a file followed back from a write. */
const MAX_CALLERS = 6

/**
 * What a script of XS classic does to rows: `write` by itself, `use` a function of a library, `offer` one that writes (of a library); `knows`, that it looks at who calls; `signs`, that it only writes down who that is; `imports`, a library.
 * Facts: SAP HANA XS JavaScript API Reference, $.db.PreparedStatement (executeUpdate, executeBatch, execute), $.import, $.session.
 */
type XsWrite =
  | { readonly kind: 'write'; readonly at: Span; readonly effect: string }
  | { readonly kind: 'use'; readonly at: Span; readonly effect: string; readonly library: string; readonly name: string }
  | { readonly kind: 'offer'; readonly name: string }
  | { readonly kind: 'imports'; readonly name: string }
  | { readonly kind: 'knows' | 'signs' }

export const xsWrites: Extract<XsWrite> = defineExtract({
  name: 'cap-xs-writes',
  keywords: [
    'executeUpdate',
    'executeBatch',
    '.execute(',
    'executeQuery',
    'loadProcedure',
    'prepareCall',
    '$.import',
    '$.session',
  ],
  isFor: (path) => /\.xsjs(?:lib)?$/i.test(path),
  *collect({ facts, path, text, step }) {
    const isAsked = text.includes('$.session.getUsername')
    if (KNOWS.test(text) || (isAsked && !onlyKeepsUser(facts, step))) yield { kind: 'knows' }
    else if (isAsked) yield { kind: 'signs' }
    const writes = facts.calls.filter((call) => {
      step()
      return isWrite(call, facts, step)
    })
    if (/\.xsjslib$/i.test(path)) for (const name of writingFunctions(writes, facts, step)) yield { kind: 'offer', name }
    else {
      const write = writes.find(({ function: around }) => around.kind === 'file') ?? writes[0]
      if (write !== undefined) yield { kind: 'write', at: spanOf(write), effect: excerptOf(text, write) }
    }
    yield* uses(facts, text, step)
  },
})

/** A privilege, a scope, or a secret of the caller: `$.session.assertAppPrivilege()`, `checkLocalScope`, `$.request.headers.get('x-api-key')`. What only protects against forged requests tells nobody. */
const KNOWS =
  /\$\.session\.(?!getSecurityToken\b|getTimeout\b|getUsername\b|language\b)|\bcheck(?:Local)?Scope\b|\bheaders\.get\(\s{0,4}["'`][^"'`\n]{0,40}(?:auth|key|token|secret|signature)|\breq(?:uest)?\.cookies\b/i

/** Names of the functions around writes, and of those that call them. */
function writingFunctions(
  writes: readonly CallValue[],
  { calls }: ScriptFacts,
  step: (count?: number) => void,
): ReadonlySet<string> {
  const callers = new Map<FunctionFact, Set<FunctionFact>>()
  step(calls.length)
  for (const call of calls) {
    const called = functionOf(call.callee)
    if (called !== undefined) callers.set(called, (callers.get(called) ?? new Set()).add(call.function))
  }
  const found = new Set<FunctionFact>()
  let next: ReadonlySet<FunctionFact> = new Set(writes.map((write) => write.function))
  for (let depth = 0; depth < MAX_CALLERS && next.size > 0; depth++) {
    step(next.size)
    const around: FunctionFact[] = []
    for (const one of next)
      // what stands around one that is found, is found as well
      for (let here: FunctionFact | undefined = one; here !== undefined && !found.has(here); here = here.parent) {
        found.add(here)
        around.push(here)
      }
    next = new Set(around.flatMap((one) => [...(callers.get(one) ?? [])]))
  }
  return new Set([...found].flatMap(({ name }) => (name === '' ? [] : [name])))
}

/** `$.import('club.lib', 'db')`, `$.club.lib.db.store(…)`, `$.import('/club/lib/db.xsjslib').store(…)`. */
function* uses({ calls }: ScriptFacts, text: string, step: (count?: number) => void): Generator<XsWrite> {
  for (const call of calls) {
    step()
    const [root, ...steps] = pathOf(call.callee) ?? []
    if (root !== 'global:$') continue
    const [first = ''] = steps
    const [path, name] = call.args
    if (steps.length === 1 && first === 'import') yield { kind: 'imports', name: lastPart(path, name) }
    else if (steps.length > 1 && !OF_SYSTEM.has(first)) {
      const [library = '', own = ''] = steps.slice(-2)
      yield { kind: 'use', at: spanOf(call), effect: excerptOf(text, call), library: library === '()' ? '' : library, name: own }
    }
  }
}

const OF_SYSTEM: ReadonlySet<string> = new Set(
  'db hdb net web request response session trace util security jobs require application text async'.split(' '),
)

/** A script that writes rows and does not look at who calls, neither itself nor in a library that it imports. */
export interface UncheckedWrite {
  readonly at: Place
  readonly effect: string
  /** It writes down who changed the row, so users may change some. */
  readonly isSigned: boolean
}

/** The scripts of a project that write whoever calls them, at their first write. Needs the extract `xsWrites`. */
export function* uncheckedScripts(
  files: ReadonlyMap<string, ProjectFile>,
  scripts: Scripts,
  step: (count?: number) => void,
): Generator<UncheckedWrite> {
  const found = scripts.get(xsWrites)
  step(found.length)
  const byFile = new Map<string, XsWrite[]>()
  for (const { file, value } of found) append(byFile, file, value)
  const knowing = new Set<string>()
  const signing = new Set<string>()
  const offered = new Map<string, Set<string>>()
  for (const { file, value } of found) {
    const library = /\.xsjslib$/i.test(file) ? fileNameOf(file).replace(/\.xsjslib$/i, '') : undefined
    if (library === undefined) continue
    if (value.kind === 'knows') knowing.add(library)
    if (value.kind === 'signs') signing.add(library)
    if (value.kind === 'offer') offered.set(library, (offered.get(library) ?? new Set()).add(value.name))
  }
  for (const [file, values] of byFile) {
    step(values.length)
    if (!/\.xsjs$/i.test(file) || files.get(file)?.kind.test !== false) continue
    const imported = new Set(values.flatMap((one) => (one.kind === 'imports' ? [one.name] : [])))
    if (values.some(({ kind }) => kind === 'knows') || [...imported].some((name) => knowing.has(name))) continue
    const write = values.find((one) => one.kind === 'write') ?? usedWrite(values, imported, offered, step)
    if (write?.kind === 'write' || write?.kind === 'use')
      yield {
        at: { file, span: write.at },
        effect: write.effect,
        isSigned: values.some(({ kind }) => kind === 'signs') || [...imported].some((name) => signing.has(name)),
      }
  }
}

/** The first function of an imported library that a script uses to write. */
function usedWrite(
  values: readonly XsWrite[],
  imported: ReadonlySet<string>,
  offered: ReadonlyMap<string, ReadonlySet<string>>,
  step: (count?: number) => void,
): XsWrite | undefined {
  let ofAny: Set<string> | undefined
  const isOfAny = (name: string): boolean => {
    if (ofAny === undefined) {
      ofAny = new Set()
      for (const library of imported) {
        const names = offered.get(library)
        step(1 + (names?.size ?? 0))
        for (const one of names ?? []) ofAny.add(one)
      }
    }
    return ofAny.has(name)
  }
  return values.find((one) => {
    if (one.kind !== 'use') return false
    if (one.library === '') return isOfAny(one.name)
    return imported.has(one.library) && offered.get(one.library)?.has(one.name) === true
  })
}
