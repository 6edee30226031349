/** Matches paths against the globs of a `parapet.config.json`. Both come from the scanned project, so what they may cost is counted. */
export interface GlobMatcher {
  /**
   * Whether a path matches: `*` and `?` within a segment, `**` for any number of segments; a pattern that names a folder covers what is below it.
   * Nothing matches any more once the steps are used up.
   */
  matches(pattern: string, path: string): boolean
  /** The steps are used up: answers since then mean nothing. */
  readonly isSpent: boolean
}

/** A matcher with so many steps; a step is about one character compared. Our own, because a library would make regular expressions of the patterns. */
export function createGlobMatcher(steps: number): GlobMatcher {
  const parsed = new Map<string, readonly string[]>()
  let left = steps

  const matchesSegment = (pattern: string, text: string): boolean => {
    left--
    if (pattern === text) return true
    let at = 0
    let patternAt = 0
    let starAt = -1
    let resumeAt = 0
    while (at < text.length) {
      if (--left < 0) return false
      const wanted = pattern[patternAt]
      if (wanted === '*') {
        starAt = patternAt++
        resumeAt = at
      } else if (wanted === '?' || wanted === text[at]) {
        patternAt++
        at++
      } else if (starAt >= 0) {
        // only the last star has to give way
        patternAt = starAt + 1
        at = ++resumeAt
      } else return false
    }
    while (pattern[patternAt] === '*') patternAt++
    return patternAt === pattern.length
  }

  const matchesSegments = (wanted: readonly string[], given: readonly string[]): boolean => {
    let at = 0
    let wantedAt = 0
    let starAt = -1
    let resumeAt = 0
    while (at < given.length) {
      const segment = wanted[wantedAt]
      if (segment === '**') {
        starAt = wantedAt++
        resumeAt = at
      } else if (segment !== undefined && matchesSegment(segment, given[at] ?? '')) {
        wantedAt++
        at++
      } else if (starAt >= 0 && left >= 0) {
        wantedAt = starAt + 1
        at = ++resumeAt
      } else return false
    }
    while (wanted[wantedAt] === '**') wantedAt++
    return wantedAt === wanted.length
  }

  return {
    matches(pattern, path) {
      // taking the path apart costs something, even where the first segment differs
      left -= 4
      if (left < 0) return false
      const wanted = parsed.get(pattern) ?? parse(pattern)
      parsed.set(pattern, wanted)
      return matchesSegments(wanted, path.split('/')) && left >= 0
    },
    get isSpent() {
      return left < 0
    },
  }
}

/** A pattern's segments, and all that is below what it names. */
function parse(pattern: string): readonly string[] {
  return [
    ...pattern
      .replace(/^\.?\//, '')
      .replace(/\/$/, '')
      .split('/'),
    '**',
  ]
}
