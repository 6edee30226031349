import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { Scripts } from '../../extracts/scripts.ts'
import { constantOf, pathOf, type Value } from '../../facts/index.ts'
import { isAround } from '../../facts/span-index.ts'
import { membersOf, stringOf, type DataNode } from '../../parse/data.ts'
import type { Place, Span } from '../../types.ts'
import type { CapRoot, Configuration } from '../cap/index.ts'
import { isOfUi5App } from '../script/index.ts'

/** What runs only with a setting of CAP, or with a variable of the environment. */
interface SwitchedBranch extends Span {
  /** `requires`, `search`, `fuzzy`; of a variable its name alone. */
  readonly setting: readonly string[]
  readonly isVariable?: true
}

/** Fact: capire, "Configuring CAP Applications" (`cds.env`). */
const ENVIRONMENT = /^(?:global:cds|module:@sap\/cds)(?: default)? env$/

/** One item for each branch that a setting of CAP alone decides about, `if (cds.env.search.fuzzy) { … }`, or a variable: `if (process.env.FUZZY_SEARCH === 'true') { … }`. */
export const switchedBranches: Extract<SwitchedBranch> = defineExtract({
  name: 'reach-switched-branches',
  keywords: ['env'],
  isFor: (path) => !isOfUi5App(path),
  collect({ facts, step }) {
    step(facts.guards.length)
    return facts.guards.flatMap(({ test, inside: { start, end } }) => {
      const setting = settingOf(pathOf(test) ?? [])
      if (setting !== undefined) return { start, end, setting }
      const variable = variableOf(test)
      return variable === undefined ? [] : { start, end, setting: [variable], isVariable: true as const }
    })
  },
})

function settingOf(path: readonly string[]): readonly string[] | undefined {
  const first = path.indexOf('env') + 1
  return first > 0 && first < path.length && ENVIRONMENT.test(path.slice(0, first).join(' ')) ? path.slice(first) : undefined
}

/** `process.env.FUZZY_SEARCH === 'true'`. */
function variableOf(test: Value): string | undefined {
  if (test.kind !== 'operation' || !/^={2,3}$/.test(test.operator)) return undefined
  const [first, second] = test.operands
  if (first === undefined || second === undefined || constantOf(second) !== 'true') return undefined
  const [root, env, name, ...others] = pathOf(first) ?? []
  return root === 'global:process' && env === 'env' && others.length === 0 ? name : undefined
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
    const root = roots.get(file)
    const configurations = root?.productive() ?? []
    return around.some(({ setting, isVariable }) =>
      isVariable === true
        ? root !== undefined && isSetFalse(root, setting[0] ?? '')
        : configurations.length > 0 && configurations.every((one) => isFalse(one, setting)),
    )
  }
}

function isFalse(configuration: Configuration, setting: readonly string[]): boolean {
  const node = configuration.value(...setting)?.node
  return node?.kind === 'boolean' && node.value === false
}

/** Descriptors and a committed `.env`, which CAP reads wherever it runs, say nothing but `false`. Fact: capire, "Configuring CAP Applications" (`.env`). */
function isSetFalse(root: CapRoot, name: string): boolean {
  const values: (DataNode | undefined)[] = root.deployments.flatMap(({ variables }) =>
    variables.flatMap((one) => (one.name === name ? one.value : [])),
  )
  for (const { path, kind, content } of root.files)
    if (/(?:^|\/)\.env$/.test(path) && !kind.test && content.as === 'data')
      for (const { key, value } of content.roots.flatMap((one) => [...membersOf(one)])) if (key === name) values.push(value)
  return values.length > 0 && values.every((value) => value !== undefined && isFalseValue(value))
}

function isFalseValue(value: DataNode): boolean {
  return value.kind === 'boolean' ? !value.value : stringOf(value) === 'false'
}
