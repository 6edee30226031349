import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { accessesOf, chainBack, type Binding, type CallValue, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { groupBy } from '../../../lists.ts'
import { isContextRoot, isDeveloperFile, isOfUi5App } from '../../../model/script/index.ts'

/** A name of what tells who sent a request, where a file uses it. */
interface IdentityUse {
  /** The name of the function. */
  readonly name: string
  /** Everywhere in the file it is called, and what it gives is only sent back to whoever asked. */
  readonly isShown: boolean
}

const NAMED = /identity|user|caller|principal/i

/**
 * `const identity = resolveIdentity(req); res.json({ id: identity.user })`: of the caller's own name, the caller alone learns. Whatever else is done with the function, an alias or an argument
 * included, may do more.
 */
export const identityUses: Extract<IdentityUse> = defineExtract({
  name: 'cap-identity-uses',
  keywords: ['identity', 'Identity', 'user', 'User', 'caller', 'Caller', 'principal', 'Principal'],
  isFor: (path) => !isDeveloperFile(path) && !isOfUi5App(path),
  *collect({ facts, step }) {
    step(facts.values.length + facts.bindings.length)
    const uses = createUseReader(facts)
    const exported = exportedValues(facts)
    const shown = new Map<string, boolean>()
    for (const { value, parent } of facts.values) {
      const name = sourceNameOf(value)
      if (name === undefined || !NAMED.test(name) || exported.has(value)) continue
      const isCalled = parent?.kind === 'call' && parent.callee === value
      shown.set(name, shown.get(name) !== false && isCalled && uses.areShown(parent))
    }
    for (const [name, isShown] of shown) yield { name, isShown }
  },
})

/** `resolveIdentity` also of `import { resolveIdentity as who }` and `const { resolveIdentity: who } = require(…)`. */
function sourceNameOf(value: Value): string | undefined {
  if (value.kind !== 'reference') return value.kind === 'member' ? value.name : undefined
  const { binding, name } = value
  return binding?.module?.name ?? binding?.definitions[0]?.path.at(-1) ?? name
}

/** What a file gives to others is judged there: `module.exports = { resolveIdentity }`. */
function exportedValues({ exports }: ScriptFacts): ReadonlySet<Value> {
  return new Set(
    exports.flatMap(({ value }) => {
      if (value?.kind === 'object') return [value, ...value.fields.map((field) => field.value)]
      return value === undefined ? [] : [value]
    }),
  )
}

/** `req` itself. */
export function isRequest(value: Value): boolean {
  return accessesOf(value).some(({ root, steps }) => isContextRoot(root) && steps.length === 0)
}

/** Judges what becomes of results of calls. */
function createUseReader({ values, bindings }: ScriptFacts): { areShown: (call: CallValue) => boolean } {
  const parents = new Map(values.map(({ value, parent }) => [value, parent]))
  const references = groupBy(
    values.flatMap(({ value }) => (value.kind === 'reference' ? value : [])),
    ({ binding }) => binding,
  )
  const named = new Map<Value, Binding[]>()
  for (const binding of bindings)
    for (const { value } of binding.definitions) {
      const given = value?.kind === 'await' ? value.value : value
      if (given !== undefined) named.set(given, [...(named.get(given) ?? []), binding])
    }
  return {
    areShown(call) {
      const names = named.get(call)
      const uses: readonly Value[] = names?.flatMap((binding) => references.get(binding) ?? []) ?? [call]
      return uses.every((use) => isPlainlySent(use, parents))
    },
  }
}

const MAX_PARENTS = 40

/** As a value in an answer: no index, no condition and no argument of anything that is called on the way. */
function isPlainlySent(use: Value, parents: ReadonlyMap<Value, Value | undefined>): boolean {
  let here = use
  for (let hops = 0; hops < MAX_PARENTS; hops++) {
    const parent = parents.get(here)
    if (parent === undefined) return false
    if (parent.kind === 'call') return parent.args.includes(here) && isAnswer(parent)
    const isPart =
      parent.kind === 'object' ||
      parent.kind === 'array' ||
      parent.kind === 'await' ||
      parent.kind === 'spread' ||
      parent.kind === 'template' ||
      (parent.kind === 'member' && parent.object === here) ||
      (parent.kind === 'choice' && parent.test === undefined && parent.isAnd !== true)
    if (!isPart) return false
    here = parent
  }
  return false
}

/** `res.json(…)`, `res.status(200).send(…)`, of the response that a handler gets. */
function isAnswer({ callee }: CallValue): boolean {
  if (callee.kind !== 'member' || !/^(?:json|send|render)$/.test(callee.name ?? '')) return false
  const root = [...chainBack(callee.object)].at(-1)
  if (root?.kind !== 'reference' || root.binding?.kind !== 'parameter') return false
  const { binding } = root
  return /^(?:res|resp|response|reply)$/.test(binding.name) || binding.function.parameters[1] === binding
}
