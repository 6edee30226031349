/** The one of some words that was most likely meant: it begins with what was typed, or two letters make the difference. */
export function findNearMiss(typed: string, words: readonly string[]): string | undefined {
  const text = typed.toLowerCase().slice(0, 50)
  const rated = words.map((word) => [word, text.length > 2 && word.startsWith(text) ? 1 : countEdits(text, word)] as const)
  const [best] = rated.toSorted(([, one], [, other]) => one - other)
  return best !== undefined && best[1] <= 2 ? best[0] : undefined
}

/** Whether a long name was meant by what was typed: one letter in five may be wrong. */
export function isNearMiss(typed: string, name: string): boolean {
  const most = Math.floor(name.length / 5)
  return Math.abs(typed.length - name.length) <= most && countEdits(typed, name) <= most
}

/** Letters to put in, take out or change (Levenshtein). */
function countEdits(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let at = 1; at <= one.length; at++) {
    const next = [at]
    for (let to = 1; to <= other.length; to++) {
      const same = one[at - 1] === other[to - 1] ? 0 : 1
      next.push(Math.min((row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1, (row[to - 1] ?? 0) + same))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
