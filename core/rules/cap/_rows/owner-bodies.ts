import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import {
  createCodeReader,
  excerptOf,
  functionAround,
  resolveValue,
  type CallValue,
  type ImportedName,
} from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { resolveModule } from '../../../flow/index.ts'
import { isDeployedCode, runsInBrowser } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import type { Project } from '../../subjects.ts'
import { mentionsUser } from '../_callers/asked-users.ts'
import { isWrite, modelOf, WRITES_ANYWHERE } from '../_callers/written-privileges.ts'
import { bodyIn, LIMITS } from './stored-bodies.ts'

/** What scripts write into the rows of a class of another file. */
type OwnerPart =
  /** A field that gets the user of the request when a row is made. */
  | { readonly kind: 'owner'; readonly model: ImportedName; readonly field: string }
  | (OwnerBody & { readonly kind: 'body'; readonly model: ImportedName })

/** A row that takes over the whole body of a request. */
interface OwnerBody extends Span {
  readonly part: string
  /** What is set behind it. */
  readonly own: readonly string[]
  /** The condition has the user: it is their own row. */
  readonly isOfUser: boolean
}

/** `Job.create({ postedBy: req.user.id })`, and elsewhere `Job.findByIdAndUpdate(id, req.body)`. Facts: Mongoose 8, "Document", `Model.findByIdAndUpdate` (an update may hold each path of the schema). */
export const ownerBodies: Extract<OwnerPart> = defineExtract({
  name: 'cap-owner-bodies',
  keywords: ['req.user', 'req.body', 'request.user', 'request.body'],
  prefilter: (text) => WRITES_ANYWHERE.test(text),
  isFor: (path) => isDeployedCode(path) && !/admin/i.test(path),
  *collect({ path, facts, text, step }) {
    if (runsInBrowser(path, facts)) return
    const isLimited = createCodeReader(text, (code) => LIMITS.test(code) || /admin/i.test(code))
    for (const call of facts.calls) {
      const model = call.kind === 'new' || isWrite(call) ? modelOf(call) : undefined
      if (model === undefined) continue
      if (isMaking(call)) for (const field of ownersIn(call, step)) yield { kind: 'owner', model, field }
      const around = functionAround(facts, call.start)
      for (const given of call.args) {
        const found = bodyIn(given, text, step)
        if (found === undefined || around === undefined || isLimited(around)) continue
        const { start, end } = found.value
        const isOfUser = call.args.some((one) => one !== given && mentionsUser(one))
        yield { kind: 'body', start, end, part: excerptOf(text, found.value), own: found.own, isOfUser, model }
      }
    }
  },
})

function isMaking({ kind, callee }: CallValue): boolean {
  return kind === 'new' || /^(?:create|insertMany|build)$/.test(lastNameOf(callee) ?? '')
}

/** Fields that get the user, and not what the user is called or may do. */
function ownersIn({ args }: CallValue, step: (count?: number) => void): readonly string[] {
  return args.flatMap((given) => {
    const row = resolveValue(given)
    if (row.kind !== 'object') return []
    step(row.fields.length)
    return row.fields.flatMap(({ key, value }) => (key !== undefined && OWNER.test(key) && mentionsUser(value) ? [key] : []))
  })
}

/** A field that says whose a row is. */
const OWNER =
  /owner|author|user|creator|created_?by|seller|poster|_?by$|^(?:customer|employer|employee|company|tenant|account)(?:_?id)?$/i

/** A row whose owner the body may name. */
export interface StoredOwner extends OwnerBody {
  readonly file: string
  readonly field: string
  readonly model: string
}

/** Rows that take over the whole body, of a class whose owner other code sets to the user. Needs the extract `ownerBodies`. */
export function* storedOwners({ scripts, files, step }: Pick<Project, 'scripts' | 'files' | 'step'>): Generator<StoredOwner> {
  const found = scripts.get(ownerBodies)
  const keyOf = (file: string, { source, name }: ImportedName): string | undefined => {
    step()
    const path = resolveModule(file, source, files)?.path
    return path === undefined ? undefined : `${path} ${name}`
  }
  const owners = new Map<string, string>()
  for (const { file, value } of found) {
    const key = value.kind === 'owner' ? keyOf(file, value.model) : undefined
    if (value.kind === 'owner' && key !== undefined) owners.set(key, owners.get(key) ?? value.field)
  }
  if (owners.size === 0) return
  for (const { file, value } of found) {
    if (value.kind !== 'body') continue
    const field = owners.get(keyOf(file, value.model) ?? '')
    if (field === undefined || value.own.includes(field)) continue
    yield { ...value, file, field, model: lastNameIn(value.model) }
  }
}

function lastNameIn({ source }: ImportedName): string {
  return (source.split('/').at(-1) ?? '').replace(/\.[cm]?[jt]s$/, '')
}
