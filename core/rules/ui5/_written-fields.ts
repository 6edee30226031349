import type { FlowHit } from '../../flow/index.ts'
import { isGuarded, isOrdinary, writersOf, type CapElement, type CapMember } from '../../model/cap/index.ts'
import type { Project } from '../subjects.ts'

/** A field of a row as a page reads it: `{notes}`, `{shop>notes}`, `context.getProperty("notes")`. */
const FIELD = /^\{(?:[\w$]{1,60}>)?([\w$/]{1,100})\}$|\.(?:getProperty|requestProperty)\(["']([\w$/]{1,100})["']\)$/
/** The whole row. */
const ROW = /\.(?:getObject|requestObject)\(\)$/
const TEXTS = /String|Binary/

/**
 * Whether the model of the project shows who wrote the data: every signed-in user may write each entity that has the field, or of a whole row every
 * entity that has texts. Then no link of a stored attack is missing.
 */
export function isWrittenByUsers(
  { origin, part }: Pick<FlowHit, 'origin' | 'part'>,
  { capRoots, reach, step }: Pick<Project, 'capRoots' | 'reach' | 'step'>,
): boolean {
  const read = origin === 'backend' ? FIELD.exec(part) : null
  const path = read?.[1] ?? read?.[2]
  if (path === undefined && !(origin === 'backend' && ROW.test(part))) return false
  const name = path?.slice(path.lastIndexOf('/') + 1)
  let isWritten = false
  for (const root of capRoots)
    for (const service of root.test ? [] : root.services) {
      if (service.exposure !== 'served') continue
      for (const element of service.elements) {
        step()
        if (element.kind !== 'entity' || !element.members().some((member) => isRead(member, name))) continue
        if (!takesField(element, name) || !writersOf(element, service).some(isEverybody)) return false
        const { reach: writer, isDemo } = reach.ofElement(service, element)
        if (isDemo === true || (writer !== 'user' && writer !== 'anyone')) return false
        isWritten = true
      }
    }
  return isWritten
}

function isRead({ name, type, key }: CapMember, field: string | undefined): boolean {
  return field === undefined ? !key && TEXTS.test(type ?? '') : name === field && TEXTS.test(type ?? '')
}

function isEverybody(role: string): boolean {
  return /^(?:any|authenticated-user|identified-user)$/.test(role) || isOrdinary(role)
}

function takesField({ writable, members }: CapElement, field: string | undefined): boolean {
  return writable && members().some((member) => isRead(member, field) && !isGuarded(member))
}
