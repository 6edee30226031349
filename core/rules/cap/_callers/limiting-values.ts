import {
  AUTHENTICATED_ROLES,
  conditionOf,
  exposedMembers,
  isAdministrative,
  isGuarded,
  privilegesOf,
  restrictionsOf,
  type CapRoot,
} from '../../../model/cap/index.ts'
import { followed, unlimitedWriters, type WrittenTie } from './caller-rows.ts'

/** An element of another entity that limits the rows of roles. */
interface Limit {
  /** The entity that is restricted, as a message names it. */
  readonly name: string
  readonly target: string
  readonly element: string
  readonly roles: readonly string[]
}

/** `project.department_ID = $user.departmentId`: what is compared with an attribute of the token, behind an association. */
const IS_ATTRIBUTE = /(?<![\w.])([A-Za-z_]\w{0,60}(?:\.\w{1,60}){1,5})\s{0,4}=\s{0,4}\$user\.\w{1,60}(?![\w.])/g

/** Elements that limit the rows of a role, which that very role changes in any row. */
export function* limitingValues(root: CapRoot): Generator<WrittenTie> {
  const limits = limitsOf(root)
  if (limits.length === 0) return
  for (const exposed of exposedMembers(root)) {
    const { entity, member, source, isWritten, isDirect } = exposed
    root.step(limits.length)
    if (!isWritten || !isDirect || member.key || isGuarded(member)) continue
    const named = limits.filter(({ element }) => element === member.name || isKeyOf(element, member.name))
    if (named.length === 0) continue
    const names = new Set([entity.qualified, source.name, ...root.projected(entity.qualified)])
    const writers = unlimitedWriters(exposed)
    for (const { name, target, roles } of named) {
      if (!names.has(target)) continue
      const limited = writers.filter(
        (role) => roles.includes(role) && !isAdministrative(role) && role !== 'any' && !AUTHENTICATED_ROLES.has(role),
      )
      if (limited.length === 0) continue
      yield { exposed, writers: limited, asking: { kind: 'limit', by: name } }
      break
    }
  }
}

/** `department_ID` is the key of the association `department`. */
function isKeyOf(element: string, association: string): boolean {
  return element.startsWith(`${association}_`) && !element.slice(association.length + 1).includes('_')
}

function limitsOf(root: CapRoot): readonly Limit[] {
  const found: Limit[] = []
  for (const { name, annotation, element, service } of restrictionsOf(root)) {
    if (name !== 'restrict' || element === undefined) continue
    for (const { where, to = [] } of privilegesOf(annotation.value)) {
      const condition = where && conditionOf(where)
      const text = condition === undefined || typeof condition === 'string' ? '' : condition.text
      for (const [, path = ''] of text.matchAll(IS_ATTRIBUTE)) {
        const parts = path.split('.')
        root.step(parts.length)
        const column = parts.pop()
        const target = followed(element.qualified, parts, root)
        if (column !== undefined && target !== undefined)
          found.push({ name: `${service.name}.${element.name}`, target, element: column, roles: to })
      }
    }
  }
  return found
}
