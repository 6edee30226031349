import { createCodeReader, type CallValue, type FunctionFact, type ScriptFacts } from '../../../facts/index.ts'
import { ignoredComparisons } from '../_secrets/ignored-comparisons.ts'
import { MAKES_ROW } from './existence-tests.ts'

/** A field of a request that may be an object. */
export interface SentObject {
  readonly client: string
  readonly name: string
  /** The function that gets the request. */
  readonly from: FunctionFact
  readonly isOfLogin?: true
}

/** `user.resetToken`: what proves who somebody is goes on from the document found. */
const READS_CODE =
  /\w\??\.(?:reset|verif\w{0,8}|forgot\w{0,3}|recover\w?|magic)_?(?:[pP]ass\w{0,4}_?)?(?:[tT]oken|[cC]ode|[kK]ey|[oO]tp)\b/

/** `bcrypt.compare(password, user.password)`, `user.comparePassword(password)`. Facts: bcrypt 6, argon2 0.44 (READMEs). */
const COMPARES_HASH =
  /\b(?:bcrypt\w{0,4}|argon2)\.(?:compare|verify)(?:Sync)?\(|\.(?:compare|verify|check|valid(?:ate)?|match)Passwords?\(/i
/** `user.password !== password`: the same of one in plain text. */
const COMPARES_PLAIN =
  /\b\w{1,60}\??\.(?:password|passwd|pwd)\s{0,4}[!=]==?\s{0,4}[\w.]|[\w.]\s{0,4}[!=]==?\s{0,4}\w{1,60}\??\.(?:password|passwd|pwd)\b/i
const MAKES_HASH = /\b(?:bcrypt\w{0,4}|argon2)\.hash(?:Sync)?\(/i
const CHANGES_ROW = /\bUPDATE\b|\.(?:\w{0,20}[uU]pdate\w{0,20}|replaceOne)\(/

const ASKS_FOR_SCHEMA = /\b(?:validate|validationResult|safeParse|parseAsync|matchedData|joi|ajv|superstruct|isEmail|isString)\b/i
/** `typeof name`, `String(name)`, `isUUID(name)`, and methods that only texts have: an object throws. */
const AS_TEXT =
  /typeof\s{1,4}([\w.]{1,120})|\b(?:String|ObjectId|Number|parseInt|test|is[A-Z]\w{1,40}|\w{0,20}[vV]alid\w{0,30})\(\s{0,4}([\w.]{1,120})|\b(\w{1,60}(?:\.\w{1,60}){0,2})\??\.(?:trim|toLowerCase|toUpperCase|match|replace|replaceAll|split|startsWith|endsWith|substring|slice|charAt|normalize)\(/g

/** Whether what a request sends is a text, or has to be one, in a function, and whether that reads a code that proves who somebody is. */
export interface TextReader {
  readonly isText: (sent: SentObject, used: FunctionFact) => boolean
  readonly readsCode: (used: FunctionFact) => boolean
  /** Whether a method of it that objects don't have was certainly called before. */
  readonly wasText: (sent: SentObject, call: CallValue) => boolean
  /** Whether it compares a password with the hash of the row found, or looks whether an account is there before it makes one. */
  readonly knowsPassword: (used: FunctionFact) => boolean
}

/** The function asks for a text, or uses the value as one; so may the one around it that got the request. Each is read once: it may hold thousands of queries. */
export function createTextReader(text: string, facts: ScriptFacts, step: (count?: number) => void): TextReader {
  let ignored: ReadonlySet<FunctionFact> | undefined
  const knows = createCodeReader(
    text,
    (code) =>
      COMPARES_HASH.test(code) ||
      COMPARES_PLAIN.test(code) ||
      (MAKES_HASH.test(code) && MAKES_ROW.test(code) && !CHANGES_ROW.test(code)),
  )
  const texts = createCodeReader(text, textsIn)
  return {
    isText({ name, client, from }, used) {
      const written = texts(from.start <= used.start && used.end <= from.end ? from : used)
      return written === 'all' || written.has(name) || written.has(client)
    },
    wasText({ name, client }, { start, function: around }) {
      const before = text.slice(Math.max(around.start, start - LONGEST_WAY), start)
      return [...before.matchAll(OF_LISTS_TOO)].some(([called, owner], index, all) => {
        const at = all[index]?.index ?? 0
        return (owner === name || owner === client) && isPassed(before.slice(0, at), before.slice(at + called.length))
      })
    },
    readsCode: createCodeReader(text, (code) => READS_CODE.test(code)),
    // whoever finds an account is logged in, if nobody reads whether the password fits
    knowsPassword: (used) =>
      knows(used) && !(ignored ??= new Set(ignoredComparisons(facts, text, step).map(({ around }) => around))).has(used),
  }
}

function textsIn(code: string): 'all' | ReadonlySet<string> {
  if (ASKS_FOR_SCHEMA.test(code)) return 'all'
  return new Set([...code.matchAll(AS_TEXT)].flatMap(([, asked, converted, method]) => asked ?? converted ?? method ?? []))
}

/** Texts and lists have them: a list of values is compared with each, which gives no more than several requests. */
const OF_LISTS_TOO = /\b(\w{1,60}(?:\.\w{1,60}){0,2})\.(?:includes|indexOf|lastIndexOf|concat)\(/g
const LONGEST_WAY = 2000
/** Whoever gets behind has passed it: no condition that may leave it out stands before it in its statement, and no block that it stands in ends. */
function isPassed(before: string, behind: string): boolean {
  if (/[?|&][^;{}]{0,200}$/.test(before)) return false
  let depth = 0
  for (const [sign] of behind.matchAll(/[{}]/g)) {
    depth += sign === '{' ? 1 : -1
    if (depth < 0) return false
  }
  return true
}
