import { valuesOf, type CallValue, type ScriptFacts, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { lastName } from '../../paths.ts'

/** A value that the code stores or gives back under a name that says what it is. */
export interface NamedUse {
  readonly name: string
  readonly value: Value
}

/** What is stored under names that fit: variables, members, fields of objects and classes, what functions give back, arguments of setters. */
export function* findNamedUses(facts: ScriptFacts, fits: (name: string) => boolean): Generator<NamedUse> {
  // what a function of such a name gives back is asked below
  for (const use of findAllUses(facts, fits)) if (use.value.kind !== 'function' && use.value.kind !== 'class') yield use
}

function* findAllUses(facts: ScriptFacts, fits: (name: string) => boolean): Generator<NamedUse> {
  for (const { name, definitions } of facts.bindings) {
    if (!fits(name)) continue
    for (const { kind, value, path } of definitions)
      if (value !== undefined && path.length === 0 && (kind === 'init' || kind === 'assign')) yield { name, value }
  }
  for (const { target, value } of facts.assignments)
    if (target.name !== undefined && fits(target.name)) yield { name: target.name, value }
  for (const { members } of facts.classes)
    for (const { name, value } of members) if (name !== undefined && value !== undefined && fits(name)) yield { name, value }
  for (const { name, returns } of facts.functions) {
    const last = lastName(name)
    if (last !== '' && fits(last)) for (const value of returns) yield { name: last, value }
  }
  for (const { value } of valuesOf(facts)) {
    if (value.kind === 'object') {
      for (const { key, value: given } of value.fields) if (key !== undefined && fits(key)) yield { name: key, value: given }
    } else if (value.kind === 'call') yield* argumentsOf(value, fits)
  }
}

/** `setToken(x)`, `storage.setItem('token', x)`, `request.headers.set('x-csrf-token', x)`. */
function* argumentsOf({ callee, args }: CallValue, fits: (name: string) => boolean): Generator<NamedUse> {
  const method = lastNameOf(callee)
  const [first, second] = args
  if (first === undefined || method === undefined || !method.startsWith('set')) return
  if (method.length > 3 && fits(method.slice(3))) yield { name: method.slice(3), value: first }
  if (second !== undefined && first.kind === 'literal' && typeof first.value === 'string' && fits(first.value))
    yield { name: first.value, value: second }
}
