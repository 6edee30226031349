import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { constantOf, fieldOf, findPart, resolveValue, type CallValue, type ScriptFacts } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { isWithin } from '../../facts/span-index.ts'
import { leadingTextOf } from '../../model/script/index.ts'
import { modelOf } from './_role-words.ts'

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
