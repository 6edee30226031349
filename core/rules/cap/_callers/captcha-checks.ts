import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { stringConstantOf, resolveValue, type CallValue, type Value } from '../../../facts/index.ts'
import { isDeveloperFile, isOfUi5App } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'

/**
 * Checks of a CAPTCHA at a fixed address, of which the function around reads nothing but that they were answered: `const answer = await axios.post(…); return answer.status`.
 * Fact: Google, "Verifying the user's response": whether the token is right is told in the body (`success`).
 */
export const unreadCaptchas: Extract<Span> = defineExtract({
  name: 'cap-unread-captchas',
  keywords: ['siteverify'],
  isFor: (path) => !isOfUi5App(path) && !isDeveloperFile(path),
  *collect({ facts, text, step }) {
    for (const call of facts.calls)
      if (CHECK.test(text.slice(call.start, Math.min(call.end, call.start + LONGEST)))) {
        const { start, end } = call
        step(LONGEST)
        const name = nameOfAnswer(call, text)
        if (name !== undefined && readsStatusAlone(name, call, text)) yield { start, end }
      }
  },
})

/**
 * Requests that only read, of whose answer the function around reads nothing but whether and how they were answered: `const answer = await fetch(url); return answer.ok`.
 * Facts: Fetch standard, Response (`ok`, `status`, `statusText`); README of axios 1.
 */
export const unreadAnswers: Extract<Span> = defineExtract({
  name: 'cap-unread-answers',
  keywords: ['fetch(', 'axios', 'got(', 'got.', 'needle'],
  prefilter: (text) => /\.\s{0,4}(?:ok|status)\b/.test(text),
  isFor: (path) => !isOfUi5App(path) && !isDeveloperFile(path),
  *collect({ facts, text, step }) {
    for (const call of facts.calls) {
      step()
      if (!readsAlone(call, text)) continue
      step(LONGEST)
      const name = nameOfAnswer(call, text)
      if (name !== undefined && readsStatusAlone(name, call, text)) yield { start: call.start, end: call.end }
    }
  },
})

/** The name of a client, and what may follow it where the call only reads. */
const READS = /^(fetch|axios|got|needle)(\.(?:get|head))?$/
const LONGEST_NAME = 30

/** A request that the call itself shows to be one with GET or HEAD: what a name holds may be a whole configuration. */
function readsAlone({ callee, args, start }: CallValue, text: string): boolean {
  const [, client, method] = (callee.end - start < LONGEST_NAME && READS.exec(text.slice(start, callee.end))) || []
  const [first, ...others] = args
  if (client === undefined || first === undefined || (client === 'needle' && method === undefined)) return false
  // the other ones take a configuration in the place of an address
  const isPlain = client === 'fetch' || method !== undefined
  return (isPlain ? isAddress(first) : isText(first) || isReading(first)) && others.every(isReading)
}

/** No request of its own, `new Request(url, { method: 'POST' })`. */
function isAddress(given: Value): boolean {
  return isText(given) || /^(?:member|await)$/.test(given.kind) || (given.kind === 'reference' && !isMade(resolveValue(given)))
}

function isMade({ kind }: Value): boolean {
  return kind === 'new' || kind === 'call' || kind === 'object'
}

function isText({ kind }: Value): boolean {
  return kind === 'template' || kind === 'literal' || kind === 'concat'
}

function isReading(given: Value): boolean {
  if (given.kind !== 'object') return false
  return given.fields.every(({ key, value }) => {
    const constant = stringConstantOf(value)
    if (key === 'method') return constant !== undefined && /^(?:GET|HEAD)$/i.test(constant)
    return key !== undefined
  })
}

/** `axios.post('https://…/siteverify?…')` */
const CHECK = /^[\w.]{1,60}\(\s{0,40}["'`]https:\/\/[\w.-]{1,100}\/[\w./-]{0,60}siteverify\b/
const NAMED = /\b(?:const|let|var)\s{1,9}(\w{1,60})\s{0,9}=\s{0,9}await\s{1,9}$/
const MAX_BEFORE = 100
const LONGEST = 300
/** A function that is longer is not read. */
const REACH = 2000
/** What stands behind three dots is no member. */
const USES = /(?<![\w$])(?<!(?<!\.\.)\.)([A-Za-z_]\w{0,60})(\s{0,9}\??\.\s{0,9}(?:ok|status(?:Text)?)\b)?/g

/** The line ends with the call, and the next one doesn't go on with what it gives. */
const ENDS = /^[ \t]{0,20}(?:;|\}|\r?\n\s{0,200}[\w$}])/

/** `answer` of `const answer = await fetch(url)`; undefined where something else is made of what the call gives. */
function nameOfAnswer({ start, end }: CallValue, text: string): string | undefined {
  if (!ENDS.test(text.slice(end, end + LONGEST))) return undefined
  return NAMED.exec(text.slice(Math.max(0, start - MAX_BEFORE), start))?.[1]
}

function readsStatusAlone(name: string, call: CallValue, text: string): boolean {
  const { end } = call.function
  if (end - call.end > REACH) return false
  return [...text.slice(call.end, end).matchAll(USES)].every(([, used, status]) => used !== name || status !== undefined)
}
