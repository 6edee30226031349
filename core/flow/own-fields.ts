import type { ClassFact, FunctionFact, ScriptFacts, Value } from '../facts/index.ts'

/** What the fields of the classes of one file are given: where they are declared, and by `this.field = …` in the class. */
export type OwnFields = (value: Value) => readonly Value[]

export function findOwnFields(facts: ScriptFacts): OwnFields {
  const fields = new Map<ClassFact, Map<string, Value[]>>()
  const add = (owner: ClassFact, name: string, value: Value): void => {
    let names = fields.get(owner)
    if (names === undefined) fields.set(owner, (names = new Map()))
    const values = names.get(name)
    if (values === undefined) names.set(name, [value])
    else values.push(value)
  }
  for (const owner of facts.classes)
    for (const { name, value } of owner.members)
      if (name !== undefined && value !== undefined && value.kind !== 'function') add(owner, name, value)
  for (const { target, value } of facts.assignments) {
    const owner = classOf(target)
    if (owner !== undefined && target.name !== undefined) add(owner, target.name, value)
  }
  return (value) => {
    const owner = classOf(value)
    return (value.kind === 'member' && value.name !== undefined && owner && fields.get(owner)?.get(value.name)) || []
  }
}

/** What a field of the file's classes always is, else the value itself. */
export function resolveField(value: Value, fields: OwnFields): Value {
  const [only, ...more] = fields(value)
  return only === undefined || more.length > 0 ? value : only
}

/** The class of `this.field`, and of `Name.field`. */
function classOf(value: Value): ClassFact | undefined {
  if (value.kind !== 'member') return undefined
  const { object } = value
  if (object.kind === 'this') return classAround(object.function)
  const [definition] = object.kind === 'reference' ? (object.binding?.definitions ?? []) : []
  return definition?.value?.kind === 'class' ? definition.value.class : undefined
}

function classAround(from: FunctionFact): ClassFact | undefined {
  let here = from
  while (here.kind === 'arrow' && here.parent !== undefined) here = here.parent
  return here.owner !== undefined && 'members' in here.owner ? here.owner : undefined
}
