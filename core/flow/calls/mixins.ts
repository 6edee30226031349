import { resolveValue, type ScriptFacts, type Value } from '../../facts/index.ts'
import { moduleBehind } from './modules.ts'
import { extendedObject, isMerge } from './owners.ts'

/** Functions around the base of one class. */
const MAX_MIXINS = 8

/**
 * Objects whose methods a class has beside its own: `Base.extend(name, Object.assign({}, Mixin, { … }))`, `{ ...Mixin, onInit() {} }`,
 * `Object.assign(Page.prototype, Mixin)`, `class Page extends WithMessages(Base)`.
 */
export function createMixins({ calls, classes }: ScriptFacts): (owner: object) => readonly Value[] {
  const mixins = new Map<object, Value[]>()
  const add = (owner: object, mixed: readonly Value[]): void =>
    void (mixed.length > 0 && mixins.set(owner, [...(mixins.get(owner) ?? []), ...mixed]))
  for (const call of calls) {
    const own = extendedObject(call)
    if (own !== undefined) {
      const given = call.args[1] && resolveValue(call.args[1])
      if (given !== undefined && isMerge(given))
        add(
          own,
          given.args.filter((argument) => resolveValue(argument) !== own),
        )
      add(
        own,
        own.fields.flatMap(({ value }) => (value.kind === 'spread' ? value.value : [])),
      )
    } else if (isMerge(call)) {
      const [target, ...mixed] = call.args[0]?.kind === 'literal' ? call.args.slice(1) : call.args
      const extended = target?.kind === 'member' && target.name === 'prototype' ? resolveValue(target.object) : undefined
      const owner = extended && (extended.kind === 'class' ? extended.class : extendedObject(extended))
      if (owner !== undefined) add(owner, mixed)
    }
  }
  for (const fact of classes) {
    if (fact.parent?.kind !== 'call') continue
    const [made] = [resolveValue(fact.parent.callee)].flatMap((maker) =>
      maker.kind === 'function' ? maker.function.returns : [],
    )
    if (made !== undefined) add(fact, [made])
    // class Page extends WithLinks(WithMessages(Base)), where other files have these
    for (let here: Value | undefined = fact.parent, hops = 0; here?.kind === 'call' && hops < MAX_MIXINS; hops++) {
      if (moduleBehind(here) !== undefined) add(fact, [here])
      here = here.args[0] && resolveValue(here.args[0])
      if (here !== undefined && here.kind !== 'call' && moduleBehind(here) !== undefined) add(fact, [here])
    }
  }
  return (owner) => mixins.get(owner) ?? []
}
