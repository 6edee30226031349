import type { CdsAnnotation, CdsDefinition, CdsValue } from '../../parse/cds/types.ts'
import type { Place } from '../../types.ts'
import { PSEUDO_ROLES, type CapRoot } from '../cap/index.ts'

/** What the models of CAP ask of a user: the first place of each. */
export interface CapSecurity {
  /** Roles of `@requires` and `@restrict`, pseudo roles left out. */
  readonly roles: ReadonlyMap<string, Place>
  /** Attributes that `where` of a `@restrict` compares with (`$user.country`). */
  readonly attributes: ReadonlyMap<string, Place>
  /** Those of them whose condition also holds without a value (`$user.country is null`). */
  readonly optional: ReadonlySet<string>
}

/** Attributes that every user has. */
const BUILT_IN: ReadonlySet<string> = new Set(['id', 'tenant', 'locale', 'roles', 'attr'])

/** Reads the annotations of all roots that are no tests. */
export function capSecurityOf(roots: readonly CapRoot[]): CapSecurity {
  const roles = new Map<string, Place>()
  const attributes = new Map<string, Place>()
  const optional = new Set<string>()
  for (const { files, test } of roots) {
    if (test) continue
    for (const { path, kind, content } of files) {
      if (content.as !== 'cds' || kind.test) continue
      const { definitions, annotates, extends: extensions } = content.document
      const annotations: readonly CdsAnnotation[] = [
        ...[...definitions, ...extensions.flatMap(({ definitions: inside }) => inside)].flatMap(ofDefinition),
        ...[...annotates, ...extensions].flatMap((one) => [
          ...one.annotations,
          ...one.actions.flatMap((action) => action.annotations),
        ]),
      ]
      for (const { name, value, start, end } of annotations) {
        const place: Place = { file: path, span: { start, end } }
        if (name === 'requires') for (const role of textsOf(value)) addRole(roles, role, place)
        if (name !== 'restrict') continue
        for (const role of membersNamed(value, 'to').flatMap(textsOf)) addRole(roles, role, place)
        for (const condition of membersNamed(value, 'where').flatMap(textsOf)) {
          for (const [, attribute = ''] of condition.matchAll(/\$user\.(?:attr\.)?([A-Za-z_]\w{0,99})/g))
            if (!BUILT_IN.has(attribute) && !attributes.has(attribute)) attributes.set(attribute, place)
          for (const [, attribute = ''] of condition.matchAll(/\$user\.(?:attr\.)?([A-Za-z_]\w{0,99})\s{1,20}is\s{1,20}null\b/gi))
            optional.add(attribute)
        }
      }
    }
  }
  return { roles, attributes, optional }
}

function ofDefinition({ annotations, actions }: CdsDefinition): CdsAnnotation[] {
  return [...annotations, ...actions.flatMap((action) => action.annotations)]
}

function addRole(roles: Map<string, Place>, role: string, place: Place): void {
  if (role !== '' && !PSEUDO_ROLES.has(role) && !roles.has(role)) roles.set(role, place)
}

/** Values of a member in a record, or in each record of a list. */
function membersNamed(value: CdsValue, key: string): CdsValue[] {
  const records = value.kind === 'array' ? value.items : [value]
  return records.flatMap((record) =>
    record.kind === 'object' ? record.members.filter((member) => member.key === key).map((member) => member.value) : [],
  )
}

/** The words of a value, or of each in a list. */
function textsOf(value: CdsValue): string[] {
  const values = value.kind === 'array' ? value.items : [value]
  return values.flatMap((item) => {
    if (item.kind === 'string') return [String(item.value)]
    if (item.kind === 'path' || item.kind === 'symbol') return [item.text]
    return item.kind === 'expression' ? [item.expression.text] : []
  })
}
