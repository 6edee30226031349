import type { ImportFact, ScriptFacts } from '../../facts/index.ts'

/** `@scope/name/part` to `@scope/name`. */
export function packageOf(source: string): string {
  return source
    .split('/')
    .slice(0, source.startsWith('@') ? 2 : 1)
    .join('/')
}

/** Whether a script only gives a package a name, and never says that name again: what it offers is not called there. `code` has no comments. */
export function isIdleImport(code: string, { imports }: ScriptFacts, name: string): boolean {
  const own = imports.filter(({ source }) => packageOf(source) === name)
  if (own.length === 0 || own.some(({ kind, binding }) => binding === undefined || (kind !== 'import' && kind !== 'require')))
    return false
  return own.every(
    ({ binding }) =>
      binding !== undefined &&
      placesOf(binding.name, code).every((at) => at === binding.start || imports.some((one) => isInSource(at, code, one))),
  )
}

/** Whether a place is within the name of a module that is loaded: `axios` of `require('sap-cf-axios')`. */
function isInSource(at: number, code: string, { source, start, end }: ImportFact): boolean {
  if (at < start || at >= end) return false
  const from = code.indexOf(source, start)
  return from >= 0 && at > from && at < from + source.length
}

/** Where a name stands in code. */
export function placesOf(name: string, code: string): readonly number[] {
  const places: number[] = []
  for (let at = code.indexOf(name); at >= 0; at = code.indexOf(name, at + name.length)) {
    const before = code[at - 1] ?? ' '
    const after = code[at + name.length] ?? ' '
    // within quotes it is the name of the package
    if (!PART.test(before) && !PART.test(after) && !(QUOTE.test(before) && QUOTE.test(after))) places.push(at)
  }
  return places
}

const PART = /[\w$]/
const QUOTE = /["'`]/
