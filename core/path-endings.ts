import { compareTexts, findFirst } from './lists.ts'

/** Finds paths by what they end with, where no file says in which folder a name begins. */
export interface PathEndings {
  /**
   * The paths that share most folders with the end of this one: for `acme/shop/db.xsjslib` those that end with `/shop/db.xsjslib`, where there are none each
   * `db.xsjslib`. The same list for the same ending, so that callers with many paths need not look through it again.
   */
  closest(path: string): readonly string[]
}

const NONE: readonly string[] = []

export function createPathEndings(paths: Iterable<string>): PathEndings {
  const sorted = Array.from(paths, (path) => ({ path, key: keyOf(path.split('/')) })).sort((a, b) => compareTexts(a.key, b.key))
  // hundreds of imports that lead nowhere end with the same name
  const known = new Map<string, readonly string[]>()
  const startingWith = (key: string): readonly string[] => {
    const before = known.get(key)
    if (before !== undefined) return before
    const first = findFirst(sorted.length, (index) => (sorted[index]?.key ?? '') >= key)
    let end = first
    while (sorted[end]?.key.startsWith(key) === true) end++
    const found = first === end ? NONE : sorted.slice(first, end).map(({ path }) => path)
    known.set(key, found)
    return found
  }
  return {
    closest(path) {
      const parts = path.split('/').filter((part) => part !== '' && part !== '.' && part !== '..')
      for (; parts.length > 0; parts.shift()) {
        const found = startingWith(keyOf(parts))
        if (found.length > 0) return found
      }
      return NONE
    },
  }
}

/** The name first and the outermost folder last: paths with the same ending stand beside each other. */
function keyOf(parts: readonly string[]): string {
  return `${parts.toReversed().join('/')}/`
}
