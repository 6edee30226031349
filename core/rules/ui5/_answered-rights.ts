import { defineExtract, type Extract } from '../../extracts/extract.ts'
import {
  constantOf,
  stringConstantOf,
  fieldOf,
  findPart,
  resolveValue,
  type CallValue,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { methodAround } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { isAround, isWithin } from '../../facts/span-index.ts'
import { leadingTextOf } from '../../model/script/index.ts'
import { holdsAt } from '../../keywords/index.ts'
import type { Span } from '../../types.ts'
import { mayAskRole, modelOf, ROLE_KEYWORDS, roleIn } from './_role-words.ts'

/** What a service answers that is asked for the rights of its user. */
export const RIGHTS: RegExp =
  /autori[sz]|authori[sz](?:ation|ed)|check_?auth|auth_?(?:check|obj)|berechtig|permission|permiso|permiss(?:ao|oes)|perfil|privileg|(?:user|my|current)_?roles?|roles?_?access/i
/** The same, where one of its words stands. */
const RIGHTS_AT =
  /autori[sz]|authori[sz](?:ation|ed)|check_?auth|auth_?(?:check|obj)|berechtig|permission|permiso|permiss(?:ao|oes)|perfil|privileg|(?:user|my|current)_?roles?|roles?_?access/iy
/** How its alternatives begin. */
const RIGHTS_WORDS = (
  'autoris autoriz authoris authoriz checkauth check_auth authcheck auth_check authobj auth_obj berechtig permiss permiso perfil privileg ' +
  'userrole user_role myrole my_role currentrole current_role roleaccess role_access rolesaccess roles_access'
).split(' ')
const ASKS: ReadonlySet<string> = new Set(['read', 'callFunction', 'ajax', 'getJSON', 'get'])
const FILLS: ReadonlySet<string> = new Set(['setProperty', 'setData', 'setModel'])

/** A model that a script fills with the answer to a question about rights. */
interface AnsweredRights {
  readonly model: string
  /** Where it gets the answer. */
  readonly at: Span
}

/** `model.callFunction("/CheckAuthorization", { success: (data) => rights.setData(data) })`, `model.bindContext("/userRights(...)")` and what it gives later. */
export const answeredRights: Extract<AnsweredRights> = defineExtract({
  name: 'ui5-answered-rights',
  keywords: ['setProperty', 'setData', 'setModel'],
  words: RIGHTS_WORDS,
  prefilter: (text, hits) =>
    holdsAt(text, hits.places(text, RIGHTS_WORDS), RIGHTS_AT) &&
    /\.(?:read|callFunction|ajax|getJSON|get|bindContext)\(/.test(text),
  collect: ({ facts, step }) => [...modelsFilled(facts, step)],
})

function* modelsFilled({ calls }: ScriptFacts, step: (count?: number) => void): Generator<AnsweredRights> {
  const fills = calls.filter(({ callee }) => FILLS.has(lastNameOf(callee) ?? ''))
  const seen = new Set<string>()
  for (const question of calls) {
    const isBound = lastNameOf(question.callee) === 'bindContext'
    if ((!isBound && !ASKS.has(lastNameOf(question.callee) ?? '')) || !RIGHTS.test(addressOf(question))) continue
    step(fills.length)
    const around = isBound ? methodAround(question.function) : question
    for (const fill of fills) {
      if (around === undefined || !isWithin(fill, around) || fill.start < question.start) continue
      const model = modelFilledBy(fill, isBound)
      if (model === undefined || model === '' || seen.has(model)) continue
      seen.add(model)
      yield { model, at: { start: fill.start, end: fill.end } }
    }
  }
}

/** `/CheckAuthorization`, the `url` of settings; without what a filter asks for. */
export function addressOf({ args: [first] }: CallValue): string {
  const settings = first && resolveValue(first)
  const address = settings?.kind === 'object' ? fieldOf(settings, 'url')?.value : first
  return (address === undefined ? '' : leadingTextOf(address).text).split('?', 1)[0] ?? ''
}

/** The name of a model that is given what a callback got. */
function modelFilledBy({ callee, args: [first, second] }: CallValue, isBound: boolean): string | undefined {
  const name = lastNameOf(callee)
  const given = name === 'setProperty' ? second : first
  const isAnswer =
    given !== undefined &&
    findPart(given, (part) =>
      isBound
        ? 'callee' in part && /^(?:get|request)Object$/.test(lastNameOf(part.callee) ?? '')
        : part.kind === 'reference' && part.binding?.kind === 'parameter',
    ) !== undefined
  if (!isAnswer || callee.kind !== 'member') return undefined
  if (name !== 'setModel') return modelOf(callee.object)
  return stringConstantOf(second)
}

/** Names of flags that say what a user may do: `canApprove`, `mayDelete`. */
const MAY = /^(?:can|may|puede|pode|darf|allow)_?[A-Z]\w{2,40}$/

/** Flags that mean other things in other models. */
const COMMON =
  /^(?:busy|delay|visible|enabled|edit(?:able|mode|ing)?|loading|loaded|active|selected|open|valid|show|count|layout|mode)$/i

/** A flag of a model, or a control by `#id`, that a script computes of roles. */
export interface ComputedRight {
  readonly flag: string
  readonly at: Span
  readonly role: string
}

/** `if (userRoles.includes("Editor")) rights.canDelete = true`, `{ canDelete: user.isAdmin }`, `this.byId("remove").setVisible(user.isAdmin)`. */
export const computedRights: Extract<ComputedRight> = defineExtract({
  name: 'ui5-computed-rights',
  keywords: ROLE_KEYWORDS,
  prefilter: (text, hits) =>
    mayAskRole(text, hits) &&
    /\b(?:can|may|puede|pode|darf|allow)_?[A-Z]\w{2,40}["'`]?\s{0,4}[:=,]|\.\w{3,40} = (?:true|false|!0|!1)\b|\.setProperty\(|\.set(?:Visible|Enabled)\(/.test(
      text,
    ),
  collect: ({ facts, step }) => [...flagsComputed(facts, step)],
})

function* flagsComputed({ assignments, guards, calls }: ScriptFacts, step: (count?: number) => void): Generator<ComputedRight> {
  const asking = guards.flatMap((guard) => {
    const role = roleIn(guard.test)
    return role === undefined ? [] : [{ guard, role }]
  })
  const given = [
    ...assignments.flatMap(({ target, value, start, end }) => ({ name: target.name ?? '', value, start, end })),
    ...calls.flatMap((call) => writtenBy(call) ?? []),
  ]
  for (const { name, value, start, end } of given) {
    step()
    if (!MAY.test(name) && (name.length < 3 || COMMON.test(name) || FLAGS_OF_USER.test(name))) continue
    const own = roleIn(value)
    const isDecided = own !== undefined && !MAY.test(name) ? isDecision(value) : own !== undefined
    if (isDecided && own !== undefined) {
      yield { flag: name, at: { start, end }, role: own }
      continue
    }
    if (!MAY.test(name) && typeof constantOf(value) !== 'boolean') continue
    step(asking.length)
    const found = asking.find(({ guard: { inside } }) => isAround(inside, start))
    if (found === undefined) continue
    const { test } = found.guard
    yield { flag: name, at: { start: test.start, end: test.end }, role: found.role }
  }
}

/** What repeats the role itself: `user.isAdmin = true`. */
const FLAGS_OF_USER = /^_?b?(?:is|has)_?[A-Z]/

/** A comparison or a flag, no role that is kept under another name. */
function isDecision(value: Value): boolean {
  return (
    value.kind === 'operation' || value.kind === 'choice' || (value.kind === 'call' && lastNameOf(value.callee) !== 'getProperty')
  )
}

/** `model.setProperty("/showDelete", value)`, `this.byId("remove").setVisible(value)`. */
function writtenBy({
  callee,
  args: [first, second],
  start,
  end,
}: CallValue): (Span & { name: string; value: Value }) | undefined {
  const name = lastNameOf(callee)
  if (name === 'setProperty') {
    const path = stringConstantOf(first)
    if (path === undefined || second === undefined) return undefined
    return { name: path.slice(path.lastIndexOf('/') + 1), value: second, start, end }
  }
  if ((name !== 'setVisible' && name !== 'setEnabled') || !('object' in callee) || first === undefined) return undefined
  const control = resolveValue(callee.object)
  const id = 'args' in control && lastNameOf(control.callee) === 'byId' ? control.args.at(-1) : undefined
  const text = stringConstantOf(id)
  return text !== undefined ? { name: `#${text}`, value: first, start, end } : undefined
}
