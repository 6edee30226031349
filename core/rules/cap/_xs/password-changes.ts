import { constantOf, excerptOf, type FunctionFact, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { quoteWord } from '../../../quote.ts'
import type { Localized, Match, RuleText } from '../../../types.ts'
import { isAccountPassword } from '../../../model/script/index.ts'
import { callsByFunction, createRequestReader, statementText } from './statements.ts'

/**
 * A script of XS classic that sets the password of a user whom the request names: `UPDATE … SET PASSWORD = ? WHERE USER_CODE = ?`, without the old password, a code or a look at
 * who calls in the function or those that call it.
 * Facts: SAP HANA XS JavaScript API Reference, $.db.PreparedStatement (setString), `$.session`; OWASP Authentication Cheat Sheet, "Change Password Feature".
 */
export function* xsPasswordChanges(
  facts: ScriptFacts,
  path: string,
  text: string,
  step: (count?: number) => void,
): Generator<Match> {
  if (!/\.xsjs$/i.test(path) || !CHANGES.test(text) || KNOWS.test(text)) return
  const callers = callsByFunction(facts)
  const isSent = createRequestReader(callers, step)
  for (const [statement, given] of givenByStatement(facts, step)) {
    const places = placesOf(statement)
    const password = places.findIndex(({ column, isSet }) => isSet && isAccountPassword(column))
    const user = places.findIndex(({ column, isSet }) => !isSet && USER_COLUMN.test(column))
    const [value, id] = [given.get(password + 1), given.get(user + 1)]
    if (value === undefined || id === undefined || !isSent(value) || !isSent(id)) continue
    const around = [value.function, ...(callers.get(value.function) ?? []).map((one) => one.function)]
    if (places.some(({ column, isSet }) => !isSet && PROVES.test(column)) || around.some((one) => isProved(one, text))) continue
    yield {
      at: { file: path, span: { start: id.start, end: id.end } },
      args: { column: quoteWord(places[user]?.column ?? ''), value: excerptOf(text, id) },
      variant: 'xs-password',
    }
  }
}

const CHANGES = /\bupdate\b[\s\S]{1,400}?\b(?:password|passwd|pwd|passwort|senha|contrasena)\b/i
/** The script knows who calls. */
const KNOWS = /\$\.session\b|getUsername|AppPrivilege/
const USER_COLUMN =
  /^(?:u|usr|user|login|account|employee|emp|member|customer|client)?_?(?:id|uid|code|name|no|number|mail|e_?mail|login)$|^(?:user|usr|login|account|username)$/i
const PROVES =
  /passw|pwd|token|otp|hash|answer|^pin$|(?:reset|verif\w{0,9}|confirm\w{0,6}|activation|recovery|security)_?(?:code|key)$/i
/** Old passwords, codes and tokens that the function asks for, in a condition or another statement. */
const PROOF =
  /\b(?:old|current|cur|previous|prev|existing)_?-?pass|\botp|token|captcha|passw\w{0,20}["\])]{0,3}\s{0,4}[!=]={1,2}|[!=]={1,2}\s{0,4}[\w.]{0,60}passw|\b(?:and|where)\s{1,9}["\\]{0,2}(?:password|passwd|pwd|passwort|senha)["\\]{0,2}\s{0,4}=/i

function isProved({ kind, start, end }: FunctionFact, text: string): boolean {
  return kind !== 'file' && PROOF.test(text.slice(start, end))
}

type Given = Value & { readonly function: FunctionFact }

/** What prepared statements are given, by the position of the parameter. */
function givenByStatement(
  { calls }: ScriptFacts,
  step: (count?: number) => void,
): readonly (readonly [string, ReadonlyMap<number, Given>])[] {
  const byStatement = new Map<unknown, readonly [string, Map<number, Given>]>()
  for (const call of calls) {
    step()
    const [position, value] = call.args
    if (
      position === undefined ||
      value === undefined ||
      call.callee.kind !== 'member' ||
      !SETS.test(lastNameOf(call.callee) ?? '')
    )
      continue
    const at = constantOf(position)
    const { object } = call.callee
    if (typeof at !== 'number' || object.kind !== 'reference') continue
    const known = byStatement.get(object.binding)
    const statement = known?.[0] ?? statementText(object)
    if (statement === undefined) continue
    const given = known?.[1] ?? new Map<number, Given>()
    given.set(at, { ...value, function: call.function })
    byStatement.set(object.binding, [statement, given])
  }
  return [...byStatement.values()]
}

const SETS = /^set(?:N?String|N?Text|Integer|BigInt)$/

interface StatementPlace {
  readonly column: string
  readonly isSet: boolean
}

/** The columns in front of the question marks of an `UPDATE`, in their order. */
function placesOf(statement: string): readonly StatementPlace[] {
  if (!/^\s{0,200}update\s/i.test(statement)) return []
  const where = statement.search(/\swhere\s/i)
  return [...statement.matchAll(PLACE)].map(({ 1: column = '', index }) => ({ column, isSet: where < 0 || index < where }))
}

const PLACE = /(?:(\w{1,60})"?\s{0,9}=\s{0,9})?\?/g

export const XS_PASSWORD_WORDS: Localized<Pick<RuleText, 'title' | 'message' | 'why' | 'fix'>> = {
  en: {
    title: 'Password of any user set by an XSJS script',
    message:
      'The script sets the password of the user whose {column} is {value}, which the client sends, without the old password.',
    why: 'A caller can send the ID of another user with a new password, and log in as this user.',
    fix: 'Take the user from $.session.getUsername() instead of {value}, and compare the old password first. For a forgotten password, require a code that is sent to the user and valid once.',
  },
  fr: {
    title: 'Mot de passe d’un utilisateur quelconque défini par un script XSJS',
    message:
      'Le script définit le mot de passe de l’utilisateur dont {column} vaut {value}, envoyé par le client, sans l’ancien mot de passe.',
    why: 'Un appelant peut envoyer l’identifiant d’un autre utilisateur avec un nouveau mot de passe, et se connecter à sa place.',
    fix: 'Prenez l’utilisateur dans $.session.getUsername() au lieu de {value} et comparez d’abord l’ancien mot de passe. Pour un mot de passe oublié, exigez un code à usage unique envoyé à l’utilisateur.',
  },
}
