import type { Budget } from '../budget.ts'
import { classifyHost } from '../hosts.ts'
import { NOBODY } from './headers.ts'
import { countLook } from './layers.ts'
import { statementBefore, surroundingsOf } from './surroundings.ts'

/** In front of an object: `new JSONModel({`, `setData({`, `setProperty("/login", {`, `useState({`, `new JSONModel({ busy: false, login: {`. */
const FILLS =
  /(?:\bJSONModel|\bset(?:Data|Property|State)|\buseState|\.(?:patchValue|setValue|reset))\(\s{0,20}(?:["'`][^"'`\n]{0,80}["'`]\s{0,4},\s{0,20})?(?:\{[^{}]{0,200}:\s{0,20})?$/
const NAMED =
  /\b(?:const|let|var)\s{1,4}([A-Za-z_$][\w$]{0,60})\s{0,4}(?::\s{0,4}\w{1,40}\s{0,4})?=\s{0,20}(?:\{[^{}]{0,200}:\s{0,20})?$/
/** Behind the object, where the name of a variable is handed on. */
const REACH = 2000
const ADDRESS =
  /(?:e-?mail|user(?:_?(?:name|id))?|login)["']?\s{0,4}:\s{0,4}["'`]([\w.+-]{2,60})@([a-z0-9-]{2,60}(?:\.[a-z0-9-]{2,60}){1,4})["'`]/i
/** What else a form says for a name, and for the host of a company. */
const PLACEHOLDER =
  /(?:^|[._-])(?:abc|bar|e?mail|erika|jane|john|max|me|no-?reply|someone|xyz|you|your|\w{0,6}name)\d{0,4}(?:[._-]|$)/i
const NO_HOST =
  /^(?:test|mail|e-?mail|abc|xyz|demo|dummy|sample|user|gmail|hotmail|yahoo|outlook|acme|contoso|fabrikam|(?:my|your|some)?-?(?:company|firma|corp|domain|organi[sz]ation))\.\w{2,6}(?:\.\w{2})?$/i

/** Whether a password stands in the object with which code fills a form, beside an address of somebody: the form opens with a login that works. */
export function isOfFilledForm(text: string, start: number, end: number, budget: Budget): boolean {
  const before = statementBefore(text, start)
  const around = surroundingsOf(text, start, end)
  countLook(budget, before.length + around.length)
  const [, local = '', host = ''] = ADDRESS.exec(around) ?? []
  if (local === '' || NOBODY.test(local) || PLACEHOLDER.test(local) || NO_HOST.test(host) || classifyHost(host) !== 'public')
    return false
  if (FILLS.test(before)) return true
  const name = NAMED.exec(before)?.[1]
  if (name === undefined) return false
  const behind = text.slice(end, end + REACH)
  countLook(budget, behind.length)
  return [...behind.matchAll(HANDED)].some(([, given]) => given === name)
}

const HANDED =
  /(?:\bJSONModel|\bset(?:Data|Property)|\buseState)\(\s{0,20}(?:["'`][^"'`\n]{0,80}["'`]\s{0,4},\s{0,20})?([A-Za-z_$][\w$]{0,60})\s{0,4}[,)]/g

/** As a policy wants it, though its words are those of examples: letters, a sign, and a number that is no count from one. */
export function isOfPolicy(value: string): boolean {
  const digits = value.replaceAll(/\D/g, '')
  return (
    value.length >= 8 &&
    /[a-z]/i.test(value) &&
    /[^\w\s]/.test(value) &&
    digits.length >= 2 &&
    !'1234567890'.startsWith(digits) &&
    new Set(digits).size > 1
  )
}
