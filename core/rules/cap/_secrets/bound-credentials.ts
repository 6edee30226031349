import { accessesOf, constantOf, type Value } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { GIVING_SECRETS, SECRET_FIELDS } from '../../../flow/tables/secrets.ts'

/** What a value is read from: where the credentials of bound services and destinations stand, and the names behind it. */
interface Origin {
  readonly kind: 'bindings' | 'services' | 'credentials' | 'environment'
  /** Names of the members that are read from it, in order; undefined: one that is computed. */
  readonly steps: readonly (string | undefined)[]
}

const MAX_HOPS = 30
/** What a binding says beside its credentials. Fact: Cloud Foundry, "VCAP_SERVICES". */
const LABELS = /^(?:name|label|plan|tags|instance_name|instance_guid|binding_name|binding_guid|provider|length)$/
/** Variables that hold bindings as JSON. Facts: Cloud Foundry, "VCAP_SERVICES"; @sap/xsenv 5 (README). */
const BINDINGS: ReadonlySet<string> = new Set(['VCAP_SERVICES', 'DEFAULT_ENV'])

/**
 * Whether a value holds credentials of a bound service or a destination: the binding as a whole, its `credentials`, or one of their secrets; not the address or the
 * client ID beside them. Facts: Cloud Foundry, "VCAP_SERVICES"; @sap/xsenv 5, SAP Cloud SDK 4 (README); capire, "cds.env".
 */
export function holdsCredentials(value: Value): boolean {
  const origin = originOf(value)
  if (origin === undefined) return false
  const { kind, steps } = origin
  if (kind === 'environment') return steps.length === 0
  const at = AT[kind](steps)
  // a service or a list of services as a whole
  if (at === undefined) return steps.length <= SERVICE_STEPS && !steps.some((step) => step !== undefined && LABELS.test(step))
  const [field] = steps.slice(at)
  return steps.length <= at || (field !== undefined && SECRET_FIELDS.has(field))
}

/** `VCAP_SERVICES.xsuaa[0]`. */
const SERVICE_STEPS = 2

/** Where the fields of credentials begin among the names that are read; undefined: they stand deeper. */
const AT: Readonly<Record<'bindings' | 'services' | 'credentials', (steps: Origin['steps']) => number | undefined>> = {
  bindings: (steps) => (steps.includes('credentials') ? steps.indexOf('credentials') + 1 : undefined),
  // by the names that the call gave them
  services: () => 1,
  credentials: () => 0,
}

function originOf(value: Value): Origin | undefined {
  const steps: (string | undefined)[] = []
  let here: Value | undefined = value
  for (let hops = 0; here !== undefined && hops < MAX_HOPS; hops++) {
    const found = baseOf(here)
    if (found !== undefined) return { kind: found, steps: steps.toReversed() }
    if (here.kind === 'member') {
      steps.push(here.name ?? (here.property === undefined ? undefined : indexOf(here.property)))
      here = here.object
    } else if (here.kind === 'await' || here.kind === 'spread') here = here.value
    else if (here.kind === 'choice') here = here.options[0]
    else if (here.kind === 'call') here = lastNameOf(here.callee) === 'parse' ? here.args[0] : undefined
    else if (here.kind === 'reference') {
      const [only, other] = here.binding?.definitions ?? []
      if (only?.value === undefined || other !== undefined) return undefined
      steps.push(...only.path.toReversed())
      here = only.value
    } else return undefined
  }
  return undefined
}

function indexOf(property: Value): string | undefined {
  const constant = constantOf(property)
  return constant === undefined || constant === null ? undefined : String(constant)
}

/** Where credentials stand. */
function baseOf(value: Value): Origin['kind'] | undefined {
  if (value.kind === 'call') {
    const giving = accessesOf(value.callee)
      .map(({ root, steps }) => [root, ...steps].join(' '))
      .find((path) => GIVING_SECRETS.has(path))
    if (giving === undefined) return undefined
    if (giving.endsWith(' getServices')) return 'services'
    return /(?:read|filter)Services$/.test(giving) ? 'bindings' : 'credentials'
  }
  if (value.kind !== 'member' || value.name === undefined) return undefined
  const owner = lastNameOf(value.object)
  if (BINDINGS.has(value.name) && owner === 'env') return 'bindings'
  if (value.name === 'env' && value.object.kind === 'reference' && value.object.name === 'process') return 'environment'
  const isOfCds =
    value.name === 'credentials' &&
    accessesOf(value).some(
      ({ root, steps }) => /^(?:global:cds|module:@sap\/cds)$/.test(root) && steps.join('.').startsWith('env.requires'),
    )
  return isOfCds ? 'credentials' : undefined
}
