import type { StepCounter } from '../../budget.ts'
import { append } from '../../lists.ts'
import type { CdsAnnotatedMember, CdsAnnotation, CdsMember } from '../../parse/cds/types.ts'
import type { CapDocument } from './documents.ts'

/** An operation as the definitions know it. */
export interface DeclaredOperation {
  readonly params: readonly CdsMember[] | undefined
  /** Names of the same operation in what its entity includes, the weakest first. */
  readonly inherited: readonly string[]
}

type Step = StepCounter['step']
type Said = Map<string, CdsAnnotation>

/** Nobody writes longer chains of aspects; a hostile one is cut there. */
const MAX_CHAIN = 30

/**
 * Parameters of operations by qualified name, `Shop.submit` or `Shop.Books/review`, with what every `annotate` says of them, and of them in an aspect; undefined
 * where there is none of that name. Each is made once.
 * Fact: capire, "CDL" (`annotate`): the last one of a name counts, and `null` takes an annotation away.
 */
export function createParameters(
  documents: readonly CapDocument[],
  declaredOf: (name: string) => DeclaredOperation,
  step: Step,
): (name: string) => readonly CdsMember[] | undefined {
  const parameters = collectAnnotated(documents, step)
  const saidOf = (name: string, depth: number): ReadonlyMap<string, Said> => {
    const said = new Map<string, Said>()
    const say = (param: string, annotations: Iterable<CdsAnnotation>): void => {
      const known: Said = said.get(param) ?? new Map<string, CdsAnnotation>()
      said.set(param, known)
      for (const annotation of annotations) {
        step(1)
        known.set(annotation.name, annotation)
      }
    }
    if (depth < MAX_CHAIN)
      for (const base of declaredOf(name).inherited)
        for (const [param, inherited] of saidOf(base, depth + 1)) say(param, inherited.values())
    for (const param of parameters.get(name) ?? []) say(param.name, param.annotations)
    return said
  }
  const known = new Map<string, readonly CdsMember[] | undefined>()
  return (name) => {
    if (known.has(name)) return known.get(name)
    const { params } = declaredOf(name)
    step(1 + (params?.length ?? 0))
    const said = params === undefined ? undefined : saidOf(name, 0)
    const found = params?.map((param) => withAnnotations(param, said?.get(param.name)))
    known.set(name, found)
    return found
  }
}

function collectAnnotated(documents: readonly CapDocument[], step: Step): ReadonlyMap<string, readonly CdsAnnotatedMember[]> {
  const found = new Map<string, CdsAnnotatedMember[]>()
  for (const { document, names } of documents) {
    for (const { target, scope, actions, params } of document.annotates) {
      step(1 + actions.length + params.length)
      if (actions.length + params.length === 0) continue
      const name = names.resolve(target.path, scope)
      for (const param of params) append(found, name, param)
      for (const member of actions) for (const param of member.params) append(found, `${name}/${member.name}`, param)
    }
  }
  return found
}

/** A parameter with its own words and those of others, which replace them. */
function withAnnotations(param: CdsMember, said: ReadonlyMap<string, CdsAnnotation> = new Map()): CdsMember {
  if (param.annotations.length + said.size === 0) return param
  const own = param.annotations.filter(({ name }) => !said.has(name))
  return { ...param, annotations: [...own, ...said.values()].filter(({ value }) => value.kind !== 'null') }
}
