import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { constantOf, fieldOf, findPart, resolveValue, type CallValue, type ScriptFacts } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { isWithin } from '../../facts/span-index.ts'
import { leadingTextOf } from '../../model/script/index.ts'
import { modelOf, roleIn } from './_role-words.ts'

/** What a service answers that is asked for the rights of its user. */
const RIGHTS =
  /autori[sz]|authori[sz](?:ation|ed)|check_?auth|auth_?(?:check|obj)|berechtig|permission|permiso|permiss(?:ao|oes)|perfil|privileg|(?:user|my|current)_?roles?|roles?_?access/i
const ASKS: ReadonlySet<string> = new Set(['read', 'callFunction', 'ajax', 'getJSON', 'get'])
const FILLS: ReadonlySet<string> = new Set(['setProperty', 'setData', 'setModel'])

/** Models that a script fills with the answer to a question about rights: `model.callFunction("/CheckAuthorization", { success: (data) => rights.setData(data) })`. */
export const answeredRights: Extract<string> = defineExtract({
  name: 'ui5-answered-rights',
  keywords: ['setProperty', 'setData', 'setModel'],
  prefilter: (text) => RIGHTS.test(text) && /\.(?:read|callFunction|ajax|getJSON|get)\(/.test(text),
  collect: ({ facts, step }) => [...new Set(modelsFilled(facts, step))],
})

function* modelsFilled({ calls }: ScriptFacts, step: (count?: number) => void): Generator<string> {
  const fills = calls.filter(({ callee }) => FILLS.has(lastNameOf(callee) ?? ''))
  for (const question of calls) {
    if (!ASKS.has(lastNameOf(question.callee) ?? '') || !RIGHTS.test(addressOf(question))) continue
    step(fills.length)
    for (const fill of fills) {
      const name = isWithin(fill, question) ? modelFilledBy(fill) : undefined
      if (name !== undefined && name !== '') yield name
    }
  }
}

/** `/CheckAuthorization`, the `url` of settings; without what a filter asks for. */
function addressOf({ args: [first] }: CallValue): string {
  const settings = first && resolveValue(first)
  const address = settings?.kind === 'object' ? fieldOf(settings, 'url')?.value : first
  return (address === undefined ? '' : leadingTextOf(address).text).split('?', 1)[0] ?? ''
}

/** The name of a model that is given what a callback got. */
function modelFilledBy({ callee, args: [first, second] }: CallValue): string | undefined {
  const name = lastNameOf(callee)
  const given = name === 'setProperty' ? second : first
  const isAnswer =
    given !== undefined &&
    findPart(given, (part) => part.kind === 'reference' && part.binding?.kind === 'parameter') !== undefined
  if (!isAnswer || callee.kind !== 'member') return undefined
  if (name !== 'setModel') return modelOf(callee.object)
  const named = second && constantOf(second)
  return typeof named === 'string' ? named : undefined
}

/** Names of flags that say what a user may do: `canApprove`, `mayDelete`. */
const MAY = /^(?:can|may|puede|pode|darf|allow)_?[A-Z]\w{2,40}$/

/** Flags that a script computes of roles: `if (userRoles.includes("Editor")) rights.canDelete = true`, `{ canDelete: user.isAdmin }`. */
export const computedRights: Extract<string> = defineExtract({
  name: 'ui5-computed-rights',
  keywords: ['role', 'admin', 'scope'],
  prefilter: (text) => /\b(?:can|may|puede|pode|darf|allow)_?[A-Z]\w{2,40}["'`]?\s{0,4}[:=,]/.test(text),
  collect: ({ facts, step }) => [...new Set(flagsComputed(facts, step))],
})

function* flagsComputed({ assignments, guards, calls }: ScriptFacts, step: (count?: number) => void): Generator<string> {
  const given = [
    ...assignments.flatMap(({ target, value, start }) =>
      target.name !== undefined && MAY.test(target.name) ? [{ name: target.name, value, start }] : [],
    ),
    ...calls.flatMap(({ callee, args: [path, value], start }) => {
      const text = lastNameOf(callee) === 'setProperty' && path !== undefined ? constantOf(path) : undefined
      const name = typeof text === 'string' ? text.slice(text.lastIndexOf('/') + 1) : ''
      return value !== undefined && MAY.test(name) ? [{ name, value, start }] : []
    }),
  ]
  if (given.length === 0) return
  const asking = guards.filter(({ test }) => roleIn(test) !== undefined)
  for (const { name, value, start } of given) {
    step(asking.length)
    if (roleIn(value) !== undefined || asking.some(({ inside }) => inside.start <= start && start < inside.end)) yield name
  }
}
