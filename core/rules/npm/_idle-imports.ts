import type { ScriptFacts } from '../../facts/index.ts'

/** `@scope/name/part` to `@scope/name`. */
export function packageOf(source: string): string {
  return source
    .split('/')
    .slice(0, source.startsWith('@') ? 2 : 1)
    .join('/')
}

/** Whether a script only gives a package a name, and never says that name again: what it offers is not called there. */
export function isIdleImport(text: string, { imports }: ScriptFacts, name: string): boolean {
  const own = imports.filter(({ source }) => packageOf(source) === name)
  if (own.length === 0 || own.some(({ kind, binding }) => binding === undefined || (kind !== 'import' && kind !== 'require')))
    return false
  const code = withoutComments(text)
  return own.every(({ binding }) => binding !== undefined && placesOf(binding.name, code).every((at) => at === binding.start))
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

/** Blanks in the place of lines and blocks that are nothing but comments, so that all else keeps its place. */
export function withoutComments(text: string): string {
  let isInside = false
  const lines = text.split('\n').map((line) => {
    const start = line.length - line.trimStart().length
    if (!isInside && line.startsWith('//', start)) return ' '.repeat(line.length)
    if (!isInside && !line.startsWith('/*', start)) return line
    const end = line.indexOf('*/', isInside ? 0 : start + 2)
    isInside = end < 0
    return isInside ? ' '.repeat(line.length) : ' '.repeat(end + 2) + line.slice(end + 2)
  })
  return lines.join('\n')
}
