import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import {
  accessOf,
  stringConstantOf,
  createCodeReader,
  excerptOf,
  functionAround,
  resolveValue,
  type CallValue,
  type ImportedName,
  type Value,
} from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { groupBy } from '../../../lists.ts'
import { lastName } from '../../../paths.ts'
import { isContextRoot, isDeployedCode, runsInBrowser } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import type { Project } from '../../subjects.ts'
import {
  asksForRight,
  createGuardReader,
  documentOf,
  isWrite,
  modelOf,
  PRIVILEGES,
  WRITES_ANYWHERE,
} from '../_callers/written-privileges.ts'
import type { ModelReader } from './schema-fields.ts'

/** A row that is stored with all that the body of a request holds. */
interface StoredBody extends Span {
  readonly part: string
  /** What the row sets itself, behind the body. */
  readonly own: readonly string[]
  /** The entity of CDS, as the query names it; the class of the rows, if a file of the project exports it. */
  readonly target: string | ImportedName
}

/** Facts: capire, "Querying" (`INSERT.into(…).entries(…)`, `UPDATE(…).set(…)`); Mongoose 8, Sequelize 6 (README of each). */
export const storedBodies: Extract<StoredBody> = defineExtract({
  name: 'cap-stored-bodies',
  keywords: ['req.body', 'request.body', 'ctx.request.body'],
  withFlow: true,
  prefilter: (text) => WRITES_ANYWHERE.test(text),
  isFor: (path) => isDeployedCode(path) && !/admin/i.test(path),
  *collect({ path, facts, text, step }) {
    if (!BODY.test(text) || runsInBrowser(path, facts)) return
    step(facts.calls.length)
    const isGuarded = createGuardReader(facts, text, step)
    const isLimited = createCodeReader(text, (code) => asksForRight(code) || LIMITS.test(code))
    for (const call of facts.calls) {
      const target = targetOf(call)
      if (target === undefined) continue
      for (const given of call.args) {
        const found = bodyIn(given, text, step)
        const around = found && functionAround(facts, call.start)
        if (found === undefined || around === undefined || /admin/i.test(around.name)) continue
        if (isLimited(around) || isGuarded(around)) continue
        const { start, end } = found.value
        yield { start, end, part: excerptOf(text, found.value), own: found.own, target }
      }
    }
  },
})

const BODY = /\b(?:req|request|oReq|oRequest|ctx)\.(?:request\.)?body\b/
/** Validators leave out or refuse what they do not know; whoever deletes a field of the body or a privilege means that nobody sends it. */
export const LIMITS: RegExp =
  /(?<!\b(?:JSON|Date|path|url|qs|querystring)\.)\b(?:validate|safeParse|parse)(?:Async|Sync)?\s?\(|\bdelete\s{1,9}[\w.?["'`]{0,60}(?:\bbody\b|[rR]ole|[aA]dmin|[sS]uper_?[uU]ser|[pP]ower_?[uU]ser|[pP]ermissions|[pP]rivileges|[aA]uthorities|[aA]ccess_?[lL]evel)|validationResult|\bpick\s?\(|\bomit\s?\(/

/** `INSERT.into('shop.Users').entries(…)`, `UPDATE('shop.Users').set(…)`, `User.create(…)`, `new User(…)`, `Object.assign(user, …)`, `user.set(…)`. */
function targetOf(call: CallValue): string | ImportedName | undefined {
  if (isWrite(call)) return modelOf(call)
  const { callee } = call
  const changed = documentIn(call)
  if (changed !== undefined) return modelOf(changed)
  if (callee.kind !== 'member' || !/^(?:entries|set|with|data)$/.test(callee.name ?? '')) return undefined
  const query = resolveValue(callee.object)
  if (query.kind !== 'call' || !/^(?:into|UPDATE|entity|INSERT|UPSERT)$/.test(lastNameOf(query.callee) ?? '')) return undefined
  const named = query.args[0]
  if (named === undefined) return undefined
  const text = stringConstantOf(named)
  // const { Users } = cds.entities
  return text ?? (named.kind === 'reference' || named.kind === 'member' ? lastNameOf(named) : undefined)
}

/** The document whose fields a call sets: `Object.assign(user, …)`, `user.set(…)`. */
function documentIn({ callee, args }: CallValue): CallValue | undefined {
  if (callee.kind !== 'member') return undefined
  const isAssign = callee.name === 'assign' && lastNameOf(callee.object) === 'Object'
  const target = isAssign ? args[0] : callee.name === 'set' ? callee.object : undefined
  return target && documentOf(target)
}

/** `req.body`, `{ ...req.body, id }`, the field behind the last one that it spreads. */
export function bodyIn(
  given: Value,
  text: string,
  step: (count?: number) => void,
): { readonly value: Value; readonly own: readonly string[] } | undefined {
  if (isBody(given, text)) return { value: given, own: [] }
  const row = resolveValue(given)
  if (row.kind !== 'object') return undefined
  step(row.fields.length)
  const at = row.fields.findLastIndex(({ value }) => value.kind === 'spread' && isBody(value.value, text))
  const spread = row.fields[at]?.value
  if (spread?.kind !== 'spread') return undefined
  return { value: spread.value, own: row.fields.slice(at + 1).flatMap(({ key }) => key ?? []) }
}

/** What is left of it, `const { role, ...data } = req.body`, is not it. */
function isBody(value: Value, text: string): boolean {
  if (value.kind === 'reference' && (value.binding === undefined || text.startsWith('...', value.binding.start - 3))) return false
  const access = accessOf(value)
  if (access === undefined || !isContextRoot(access.root)) return false
  const steps = access.steps.join('.')
  return steps === 'body' || steps === 'request.body'
}

/** A privilege that a row takes over with the body. */
export interface StoredPrivilege {
  readonly file: string
  readonly span: Span
  readonly field: string
  readonly part: string
  readonly model: string
}

/** Rows whose model has a role or a privilege that nothing but the body sets. Needs the extracts `storedBodies` and `schemaFields`. */
export function* storedPrivileges(project: Project, fieldsOf: ModelReader): Generator<StoredPrivilege> {
  const membersOf = createMembersReader(project)
  for (const { file, value } of project.scripts.get(storedBodies)) {
    const { start, end, own, target, part } = value
    const fields = typeof target === 'string' ? undefined : fieldsOf(file, target)
    const names = typeof target === 'string' ? membersOf(target) : [...(fields?.keys() ?? [])]
    project.step(1 + own.length + names.length)
    const set = new Set(own)
    const field = names.find((name) => PRIVILEGES.test(name) && !set.has(name) && fields?.get(name) !== true)
    const model = typeof target === 'string' ? target : (target.source.split('/').at(-1) ?? '')
    if (field !== undefined) yield { file, span: { start, end }, field, part, model }
  }
}

/** Elements of `shop.Users`, or of `Users` where one entity alone is called so. Entities are grouped by their last name once, and those of each name read once. */
function createMembersReader({ capRoots, step }: Pick<Project, 'capRoots' | 'step'>): (name: string) => readonly string[] {
  const byLastName = capRoots.map((root) => {
    step(root.entities.length)
    return { root, named: groupBy(root.test ? [] : root.entities, lastName) }
  })
  const known = new Map<string, readonly string[]>()
  return (name) => {
    const before = known.get(name)
    if (before !== undefined) return before
    const members = byLastName.flatMap(({ root, named }) => {
      const group = named.get(lastName(name)) ?? []
      step(group.length)
      const entity = group.find((one) => one === name) ?? group.find((one) => one.endsWith(`.${name}`))
      return entity === undefined ? [] : [...root.membersOf(entity).values()].flatMap((one) => (one.calculated ? [] : one.name))
    })
    known.set(name, members)
    return members
  }
}
