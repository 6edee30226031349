import { accessOf, stringConstantOf, resolveValue, type Value } from '../../../facts/index.ts'

/** An entity as an object of a namespace: `cds.entities('shop').Orders`, `Orders` of `#cds-models/shop`. */
export interface EntityObject {
  readonly name: string
  /** What the script asks for; undefined: `cds.entities` as it is, which is the namespace of the model. */
  readonly namespace: string | undefined
}

const OF_CDS = /^(?:global:cds|module:@sap\/cds)$/
const TYPES = 'module:#cds-models/'

/**
 * The entity that a value is, by the namespace that a script takes it from; that of a service is one, too.
 * Facts: @sap/cds 5.9.8, 7.9.5 and 9.4.4: `cds.entities` is `cds.db.entities`, those of the namespace of the model; called, those of the namespace that is named.
 * cds-typer: a folder for each namespace and service.
 */
export function entityObjectOf(value: Value): EntityObject | undefined {
  const access = accessOf(value)
  if (access === undefined) return undefined
  const { root, steps } = access
  const [first, ...others] = steps
  if (root.startsWith(TYPES))
    return first === undefined || others.length > 0
      ? undefined
      : { name: first, namespace: root.slice(TYPES.length).replaceAll('/', '.') }
  if (!OF_CDS.test(root)) return undefined
  const [owner, ...inner] = first === 'db' ? others : steps
  if (owner !== 'entities') return undefined
  const [called, named] = inner
  if (inner.length === 1 && called !== undefined && called !== '()') return { name: called, namespace: undefined }
  if (inner.length !== 2 || called !== '()' || named === undefined) return undefined
  const namespace = namespaceOf(value)
  return namespace === undefined ? undefined : { name: named, namespace }
}

/** The text in `cds.entities('shop')`, which a name is taken from. */
function namespaceOf(value: Value): string | undefined {
  let here = value
  if (here.kind === 'reference') {
    const { definitions = [] } = here.binding ?? {}
    const [only] = definitions
    if (only?.value === undefined || definitions.length > 1) return undefined
    here = only.path.length === 0 ? resolveValue(here) : only.value
  }
  const call = resolveValue(here.kind === 'member' ? here.object : here)
  const [argument] = call.kind === 'call' ? call.args : []
  return stringConstantOf(argument)
}
