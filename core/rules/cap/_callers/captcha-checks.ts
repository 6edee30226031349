import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import type { CallValue } from '../../../facts/types.ts'
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
        const name = NAMED.exec(text.slice(Math.max(0, call.start - MAX_BEFORE), call.start))?.[1]
        const { start, end } = call
        step(LONGEST)
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
      const code = text.slice(call.start, Math.min(call.end, call.start + LONGEST_CALL))
      if (!READS.test(code) || CHANGES.test(code)) continue
      const name = NAMED.exec(text.slice(Math.max(0, call.start - MAX_BEFORE), call.start))?.[1]
      step(LONGEST)
      if (name !== undefined && readsStatusAlone(name, call, text)) yield { start: call.start, end: call.end }
    }
  },
})

const READS = /^(?:fetch|axios(?:\.(?:get|head))?|got(?:\.(?:get|head))?|needle\.(?:get|head))\s{0,4}\(/
const CHANGES = /\bmethod\b(?!\s{0,4}:\s{0,4}["'`](?:GET|HEAD|get|head)["'`])/
const LONGEST_CALL = 1000

/** `axios.post('https://…/siteverify?…')` */
const CHECK = /^[\w.]{1,60}\(\s{0,40}["'`]https:\/\/[\w.-]{1,100}\/[\w./-]{0,60}siteverify\b/
const NAMED = /\b(?:const|let|var)\s{1,9}(\w{1,60})\s{0,9}=\s{0,9}await\s{1,9}$/
const MAX_BEFORE = 100
const LONGEST = 300
/** A function that is longer is not read. */
const REACH = 2000
const USES = /(?<![\w.$])([A-Za-z_]\w{0,60})(\s{0,9}\??\.\s{0,9}(?:ok|status(?:Text)?)\b)?/g

function readsStatusAlone(name: string, call: CallValue, text: string): boolean {
  const { end } = call.function
  if (end - call.end > REACH) return false
  return [...text.slice(call.end, end).matchAll(USES)].every(([, used, status]) => used !== name || status !== undefined)
}
