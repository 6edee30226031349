import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { Scripts } from '../../extracts/scripts.ts'
import { pathOf } from '../../facts/index.ts'
import { isAround } from '../../facts/span-index.ts'
import type { Place, Span } from '../../types.ts'
import type { CapRoot, Configuration } from '../cap/index.ts'
import { isOfUi5App } from '../script/index.ts'

/** What runs only with a setting of CAP. */
interface SwitchedBranch extends Span {
  /** `requires`, `search`, `fuzzy` */
  readonly setting: readonly string[]
}

/** Fact: capire, "Configuring CAP Applications" (`cds.env`). */
const ENVIRONMENT = /^(?:global:cds|module:@sap\/cds)(?: default)? env$/

/** One item for each branch that a setting of CAP alone decides about: `if (cds.env.search.fuzzy) { … }`. */
export const switchedBranches: Extract<SwitchedBranch> = defineExtract({
  name: 'reach-switched-branches',
  keywords: ['env'],
  isFor: (path) => !isOfUi5App(path),
  collect({ facts, step }) {
    step(facts.guards.length)
    return facts.guards.flatMap(({ test, inside: { start, end } }) => {
      const setting = settingOf(pathOf(test) ?? [])
      return setting === undefined ? [] : { start, end, setting }
    })
  },
})

function settingOf(path: readonly string[]): readonly string[] | undefined {
  const first = path.indexOf('env') + 1
  return first > 0 && first < path.length && ENVIRONMENT.test(path.slice(0, first).join(' ')) ? path.slice(first) : undefined
}

/** Tells what the project itself switches off: its configuration says `false` wherever it is deployed. Who sets something else there, it doesn't tell. */
export function createSwitchReader({
  scripts,
  capRoots,
}: {
  readonly scripts: Scripts
  readonly capRoots: readonly CapRoot[]
}): (place: Place) => boolean {
  let roots: ReadonlyMap<string, CapRoot> | undefined
  return ({ file, span }) => {
    const around = span === undefined ? [] : scripts.of(file, switchedBranches).filter((one) => isAround(one, span.start))
    if (around.length === 0) return false
    roots ??= new Map(capRoots.flatMap((root) => root.files.map(({ path }) => [path, root] as const)))
    const configurations = roots.get(file)?.productive() ?? []
    return configurations.length > 0 && around.some(({ setting }) => configurations.every((one) => isFalse(one, setting)))
  }
}

function isFalse(configuration: Configuration, setting: readonly string[]): boolean {
  const node = configuration.value(...setting)?.node
  return node?.kind === 'boolean' && node.value === false
}
