import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { accessOf } from '../../facts/index.ts'
import { browserFunctions, resolveModule } from '../../flow/index.ts'
import { findMessageListeners } from '../../flow/messages/message-listeners.ts'
import { createEventReader } from '../../flow/messages/message-reads.ts'
import type { WordPlaces } from '../../keywords/index.ts'
import { createModuleFinder, type Ui5App } from '../../model/ui5/index.ts'
import type { Place, Span } from '../../types.ts'

/** What listeners are about, before anything is parsed. */
export const LISTENS: RegExp =
  /\bonmessage\b|\(\s{0,40}["'`](?:\w{1,40} )?message["'`. ]|\([ \t]{0,4}[\w.$]{1,60},[ \t]{0,4}["'`]message["'`],/
export const LISTENER_KEYWORDS: readonly string[] = ['onmessage', '"message', "'message", '`message']

/** A function that others may ask about a sender, and that looks at no more than a part of the origin. */
interface WeakPredicate {
  /** As others know it: `isTrusted`, `default`. */
  readonly name: string
  readonly parameter: number
  /** What the parameter gets: `origin`; '' for the event as a whole. */
  readonly part: string
  readonly check: 'none' | 'weak'
}

/** Names of functions that judge a sender. */
const JUDGING =
  /[oO]rigin|[tT]rust|[aA]llow|[sS]ender|[aA]ccept|(?<![uU]n)[kK]nown|(?<![a-z])own|Own|(?<!n)[sS]afe|(?<![iI]n)[vV]alid/
/** The end of such a name where a function is defined, with parameters: `isTrusted: function (origin)`, `isTrusted(origin) {`, `isTrusted = (origin) =>`. */
const DEFINES =
  /(?:[oO]rigin|[tT]rust(?:ed|s)?|[aA]llow(?:ed|s)?|[sS]ender|[aA]ccept(?:ed|able|s)?|[kK]nown|Own|\bown|[sS]afe|[vV]alid(?:ate)?)(?:[A-Z]\w{0,20})?["']?\s{0,3}(?:[:=]\s{0,3}(?:async\s{1,3})?(?:function\b|\(\s{0,3}[\w$]|[\w$]{1,40}\s{0,3}=>)|\(\s{0,3}[\w$][^()]{0,80}\)[^(){};]{0,60}\{)/g
/** What such a function looks at, or what stands beside it. */
const OF_SENDERS = /origin(?!al)|trust|sender|host|domain|https?:/i
const SENDER_KEYWORDS: readonly string[] = ['origin', 'trusted', 'sender']
const CLOSE = 500
const BODY = 1000
const PARTS = ['origin', ''] as const

const weakPredicates: Extract<WeakPredicate> = defineExtract({
  name: 'ui5-weak-sender-predicates',
  keywords: SENDER_KEYWORDS,
  prefilter: mayJudge,
  *collect({ facts, text, step }) {
    const judging = browserFunctions(facts).filter(([name]) => JUDGING.test(name))
    if (judging.length === 0) return
    const reader = createEventReader(facts, text, step)
    for (const [name, fact] of judging)
      for (const parameter of fact.parameters.keys())
        for (const part of PARTS) {
          const check = reader.checkIn(fact, parameter, part)
          if (check === 'none' || check === 'weak') yield { name, parameter, part, check }
        }
  },
})

/** What is enough for a part of an origin alone, or for any. */
const JUDGES = /\.(?:endsWith|includes|startsWith|indexOf|search|match|test)\(|\breturn true\b|=>\s{0,3}true\b/

/** Whether a function of such a name may look at a part of a text, before anything is parsed. Linear: definitions close to each other are looked at together. */
function mayJudge(text: string, hits: WordPlaces): boolean {
  if (!speaksOfSenders(text, hits)) return false
  let next = 0
  for (const { index } of text.matchAll(DEFINES)) {
    if (index < next) continue
    next = index + CLOSE
    const around = text.slice(Math.max(0, index - CLOSE), next + BODY)
    if (JUDGES.test(around) && OF_SENDERS.test(around)) return true
  }
  return false
}

/** `origin`, not `original`, which stands in most libraries. */
function speaksOfSenders(text: string, hits: WordPlaces): boolean {
  for (const place of hits.places(text, SENDER_KEYWORDS)) if (text.slice(place + 6, place + 8).toLowerCase() !== 'al') return true
  return false
}

/** A listener that leaves the check to functions of other modules. */
interface AskingListener extends Span {
  readonly event: string
  readonly showsData: boolean
  readonly asked: readonly { readonly source: string; readonly name: string; readonly parameter: number; readonly part: string }[]
}

const askingListeners: Extract<AskingListener> = defineExtract({
  name: 'ui5-asking-listeners',
  keywords: LISTENER_KEYWORDS,
  prefilter: (text) => LISTENS.test(text),
  *collect({ facts, text, step }) {
    const listeners = findMessageListeners(facts)
    if (listeners.length === 0) return
    const reader = createEventReader(facts, text, step)
    for (const { handler, parameter, start, end } of listeners) {
      const { usesData, check, sink, asked } = reader.readsOf(handler, parameter)
      if (!usesData || check !== 'asked') continue
      const event = handler.parameters[parameter]?.name ?? 'event'
      const named = asked.flatMap(({ callee, ...role }) => {
        const access = accessOf(callee)
        if (access?.root.startsWith('module:') !== true) return []
        return { source: access.root.slice('module:'.length), name: access.steps.join('.') || 'default', ...role }
      })
      yield { start, end, event, showsData: sink !== undefined, asked: named }
    }
  },
})

export const senderPredicateExtracts: readonly [typeof weakPredicates, typeof askingListeners] = [weakPredicates, askingListeners]

/** Listeners whose sender a function of another file looks at, but not well enough. */
export function* weaklyAsked(app: Ui5App): Generator<{
  readonly at: Place
  readonly event: string
  readonly check: WeakPredicate['check']
  readonly showsData: boolean
}> {
  const weak = new Map<string, WeakPredicate['check']>()
  const files = new Map<string, string>()
  for (const { file, value } of app.scripts.get(weakPredicates)) {
    files.set(file, file)
    weak.set([file, value.name, value.parameter, value.part].join(' '), value.check)
  }
  if (files.size === 0) return
  const findModule = createModuleFinder(app)
  for (const { file, value } of app.scripts.get(askingListeners)) {
    const checks = value.asked.map(({ source, name, parameter, part }) => {
      const target = resolveModule(file, source, files) ?? findModule(source)
      return target === undefined ? undefined : weak.get([target, name, parameter, part].join(' '))
    })
    const [check, ...others] = checks
    if (check === undefined || others.includes(undefined)) continue
    const at = { file, span: { start: value.start, end: value.end } }
    yield { at, event: value.event, check: others.includes('weak') ? 'weak' : check, showsData: value.showsData }
  }
}
