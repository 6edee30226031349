import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { accessesOf, constantOf, fieldOf, importedNames, resolveValue } from '../../../facts/index.ts'
import { withoutEnding } from '../../../model/cap/index.ts'
import type { Span } from '../../../types.ts'

/** A middleware that CAP runs behind its own authentication. */
export interface LateMiddleware extends Span {
  /** The file that it is in, without its ending. */
  readonly file: string
}

/** Fact: capire, "cds.middlewares" (add with `after` and `before`; without both it comes last). */
export const lateMiddlewares: Extract<LateMiddleware> = defineExtract({
  name: 'cap-late-middlewares',
  keywords: ['middlewares.add'],
  *collect({ path, facts }) {
    for (const { callee, args, start, end } of facts.calls) {
      const [middleware, options] = args
      if (middleware === undefined || !isAdd(accessesOf(callee))) continue
      const given = options && resolveValue(options)
      const [before, after] = ['before', 'after'].map((name) => fieldOf(given, name)?.value)
      const isLate = after === undefined ? before === undefined : constantOf(after) !== 'trace'
      if (!isLate) continue
      const [imported] = importedNames(middleware)
      yield { start, end, file: imported === undefined ? withoutEnding(path) : fileOf(path, imported.source) }
    }
  },
})

function isAdd(accesses: ReturnType<typeof accessesOf>): boolean {
  return accesses.some(
    ({ root, steps }) => /^(?:global:cds|module:@sap\/cds)$/.test(root) && steps.join(' ') === 'middlewares add',
  )
}

/** The file that a relative name means, without its ending. */
export function fileOf(from: string, source: string): string {
  const folder = from.split('/').slice(0, -1)
  for (const part of source.split('/')) {
    if (part === '..') folder.pop()
    else if (part !== '.') folder.push(part)
  }
  return withoutEnding(folder.join('/'))
}
