import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { constantOf, findPart, resolveValue, valuesOf, type CallValue, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { awaited } from '../../../facts/conditions.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { functionAround } from '../../../facts/index.ts'
import { isDeveloperFile, isOfUi5App, isToolFile } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { scriptQueries, type ScriptQuery } from '../_handlers/script-queries.ts'
import { mentionsCaller } from './caller-values.ts'

/** An element of a row that is found for the caller, and that decides what the caller may do; its span is that of the comparison. */
export interface RoleRow extends Span {
  /** The last part of its name. */
  readonly entity: string
  readonly element: string
}

/** One for each element of an entity that a script compares: `const me = await SELECT.one.from(Staff).where({ mail: req.user.id }); if (me.role !== 'boss') return req.reject(403)`. */
export const roleRows: Extract<RoleRow> = defineExtract({
  name: 'cap-role-rows',
  keywords: ['SELECT'],
  prefilter: (text) => ROLE_IN_TEXT.test(text) && /\buser\b/.test(text) && REFUSES.test(text),
  isFor: (path) => !isOfUi5App(path) && !isToolFile(path) && !isDeveloperFile(path),
  collect: ({ facts, text, step }) => findRows(facts, text, step),
})

const ROLE_IN_TEXT = /\.(?:\w{0,30}_)?(?:role|is_?admin|user_?type)|\brole\s{0,4}\??\.\s{0,4}(?:name|code)/i
/** What a function does that keeps somebody out. */
const REFUSES = /\.\s{0,4}(?:reject|error)\s{0,4}\(|\bthrow\b|\b40[13]\b/
/** Elements of users that hold a right. */
const ROLE = /^(?:(?:user|app|account|access)_?)?role(?:_?(?:code|id|name))?$|^is_?(?:admin|super_?user)$|^user_?type$/i
/** Entities whose rows are roles, and the elements that tell one from the other. */
const ROLES = /^(?:user|app)?roles?$/i
const NAME = /^(?:name|code)$/i
const PRIVILEGED = /admin|super_?user|founder|owner|manager/i

function findRows(facts: ScriptFacts, text: string, step: (count?: number) => void): RoleRow[] {
  let asked: ReadonlyMap<CallValue, ScriptQuery> | undefined
  const found = new Map<string, RoleRow>()
  for (const { value } of valuesOf(facts)) {
    step()
    if (value.kind !== 'operation' || !/^[!=]==?$/.test(value.operator)) continue
    for (const side of value.operands) {
      const part = comparedPart(side)
      if (part?.kind !== 'member' || part.name === undefined || !(ROLE.test(part.name) || NAME.test(part.name))) continue
      const others = value.operands.filter((one) => one !== side)
      asked ??= new Map(scriptQueries(facts, step).map((query) => [query.last, query]))
      const query = queryOf(part.object, asked)
      if (query?.kind !== 'read' || found.has(`${query.entity}.${part.name}`)) continue
      const isRole = ROLE.test(part.name) || (ROLES.test(query.entity) && others.some(isPrivileged))
      if (!isRole || !isOfCaller(query, text) || !keepsOut(value, facts, text)) continue
      found.set(`${query.entity}.${part.name}`, { entity: query.entity, element: part.name, start: value.start, end: value.end })
    }
  }
  return [...found.values()]
}
