import type { ReportPackage } from '../types.ts'

const LINK = ' > '

/** Who needs whom, as far as the chains of the packages tell: each package below the one that brings it in, the project at the top. */
export function drawDependencies(
  packages: readonly ReportPackage[],
  referTo: (item: ReportPackage) => string,
  root: string,
): ReadonlyMap<string, readonly string[]> {
  const byPath = new Map<string, ReportPackage>()
  const byName = new Map<string, ReportPackage>()
  for (const item of packages) {
    if (item.path !== undefined && !byPath.has(item.path)) byPath.set(item.path, item)
    if (!byName.has(item.name)) byName.set(item.name, item)
  }
  const children = new Map<string, Set<string>>([[root, new Set()]])
  for (const item of packages) if (!children.has(referTo(item))) children.set(referTo(item), new Set())
  for (const item of packages) {
    const chain = (item.path ?? item.name).split(LINK).slice(0, -1)
    // the chain names packages without versions; a package's own chain tells which one is meant
    const parent = byPath.get(chain.join(LINK)) ?? byName.get(chain.at(-1) ?? '')
    const from = chain.length === 0 || parent === undefined ? root : referTo(parent)
    if (from !== referTo(item)) children.get(from)?.add(referTo(item))
  }
  return new Map([...children].map(([from, to]) => [from, [...to].sort()]))
}
