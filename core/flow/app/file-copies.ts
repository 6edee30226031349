import type { LinkedFile } from './links.ts'

/** Tells which copy of a file stands for a class of it: for one file, or for all. */
export function createCopies(
  files: readonly LinkedFile[],
): (from: number, link: { source: string; name: string }, target: number | undefined, made?: number) => number | undefined {
  const own = new Map<string, number>()
  for (const [index, { copy }] of files.entries()) {
    if (copy === undefined) continue
    for (const name of copy.classes) own.set(`${copy.of} ${name}`, index)
    for (const { source, name } of copy.for?.links ?? []) own.set(`${copy.for?.file} ${source} ${name}`, index)
    if (copy.made !== undefined) own.set(`${copy.made.file} @${copy.made.node}`, index)
  }
  if (own.size === 0) return (_from, _link, target) => target
  return (from, { source, name }, target, made) =>
    (made === undefined ? undefined : own.get(`${from} @${made}`)) ??
    own.get(`${from} ${source} ${name}`) ??
    own.get(`${target} ${name}`) ??
    target
}
