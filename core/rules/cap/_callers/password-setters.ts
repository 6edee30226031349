import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { findPart, type CallValue, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isAround, isWithin } from '../../../facts/span-index.ts'
import { PSEUDO_ROLES, withoutComments, type CapRoot } from '../../../model/cap/index.ts'
import { blankComments, type ReachModel } from '../../../model/reach/index.ts'
import { isAccountPassword, isDeveloperFile, isLogCall, isOfUi5App, isPasswordHash } from '../../../model/script/index.ts'
import { quoteWord } from '../../../quote.ts'
import type { Localized, Match, RuleText, Span } from '../../../types.ts'
import { findHandledFunctions, type HandledFunctions } from '../_handlers/handled-functions.ts'
import { baseOf, entityOf } from '../_handlers/query-chains.ts'
import { openOperation, setRights } from '../_model/set-rights.ts'
import { createCheckedReader, isOfServer } from '../_rows/client-authors.ts'
import { clientData, type ClientData } from '../_rows/client-data.ts'
import { fieldPairs, type ColumnPair } from '../_rows/column-pairs.ts'
import { CRUD, eventOf, type OwnedQuery } from '../_rows/owned-queries.ts'
import { createRowPairReader } from '../_rows/row-pairs.ts'
import { callersOf } from '../_rows/row-owners.ts'
import { CALLER, isWholeRequest } from './looks-at-callers.ts'

/** A handler of an operation that sets the password of the account which the client names. */
export interface PasswordSetter extends Span, Pick<OwnedQuery, 'event'> {
  /** The last part of the name of the entity. */
  readonly entity: string
  readonly column: string
  /** What the client sends: `req.data.ID`. */
  readonly client: string
}

/** `UPDATE(Users).set({ password: req.data.password }).where({ ID: req.data.ID })`, in a handler that asks for no proof that the account is the caller's. */
export const passwordSetters: Extract<PasswordSetter> = defineExtract({
  name: 'cap-password-setters',
  keywords: ['UPDATE', '.update('],
  prefilter: (text) => /passw|pwd/i.test(text) && /\.data\b/.test(text),
  isFor: (path) => !isOfUi5App(path) && !isDeveloperFile(path),
  collect: ({ facts, text, step }) => findSetters(facts, text, step),
})

const SETS = /^(?:set|with|data)$/
const NAMES_ACCOUNT =
  /^(?:user|login|account|employee|member|customer|client)?_?(?:id|uuid|code|name|no|number|mail|e_?mail|login)$|^(?:user|login|account|username)$/i
/** The old password, a code or a token that only the user has; what a function that compares is called. */
const PROOF =
  /\b(?:old|current|cur|previous|prev|existing|last)_?-?(?:pass|pwd)|otp|token|captcha|compare|verif|decode|\bpin\b|secret|answer|\bcode\b(?!\s{0,4}:)|\w_?code\b(?!\s{0,4}:)|\b\w{0,20}(?:first|initial|must)\w{0,20}(?:login|change)/i
/** What an error or an answer is called by, and parts of an address: no code that only the user has. */
const OTHER_CODE =
  /\b(?:status|error|err|http|country|postal|zip|lang|language|currency|company)_?code\b|\berr(?:or)?\??\.code\b/gi
/** Whoever has a right sets it for others. */
const ROLE = /\b(?:roles?|isAdmin|permissions?)\b/
const IS = /\.is\(/

function* findSetters(facts: ScriptFacts, text: string, step: (count?: number) => void): Generator<PasswordSetter> {
  let handled: HandledFunctions | undefined
  const pairsOf = createRowPairReader(facts, step)
  for (const call of facts.calls) {
    step()
    if (!SETS.test(lastNameOf(call.callee) ?? '')) continue
    const base = baseOf(call)
    const entity = base?.kind === 'update' ? entityOf(base.call.args[0]) : undefined
    if (base === undefined || entity === undefined || entity === '') continue
    const isSet = pairsOf(call).some(({ column, value }) => isPassword(column) && isSent(value))
    const named = isSet ? accountIn(conditionsOf(base.call, facts, step)) : undefined
    if (named === undefined || isProved(call, named.found, facts, text, step)) continue
    handled ??= findHandledFunctions(facts)
    const [handler, ...others] = handled.handlersOf(call)
    if (handler === undefined || others.length > 0 || handler.phase === 'after' || handler.service.kind === 'connected') continue
    if (!handler.events.every((event) => event !== undefined && !CRUD.test(event))) continue
    const { start, end, column } = named.pair
    yield { start, end, entity, column, client: named.found.client, ...eventOf(handler) }
  }
}

function isPassword(column: string): boolean {
  return isAccountPassword(column) || isPasswordHash(column)
}

/** Also as a hash of what the client sends. */
function isSent(value: Value): boolean {
  return findPart(value, (part) => clientData(part)?.part === 'data') !== undefined
}

/** All that limits the rows of an update: `.where({ ID })` anywhere in its chain, and the key beside the entity. */
function conditionsOf(base: CallValue, { calls }: ScriptFacts, step: (count?: number) => void): readonly ColumnPair[] {
  step(calls.length)
  const where = calls.filter((one) => /^(?:where|and|byKey)$/.test(lastNameOf(one.callee) ?? '') && baseOf(one)?.call === base)
  const [, key] = base.args
  const given = [...(key === undefined ? [] : [key]), ...where.flatMap(({ args }) => args)]
  return given.flatMap((one) => {
    const fields = fieldPairs(one, step)
    return fields.length > 0 ? fields : [{ column: 'ID', value: one, start: one.start, end: one.end }]
  })
}

/** The account is the one that the client names, and nothing else is asked of its row. */
function accountIn(conditions: readonly ColumnPair[]): { readonly pair: ColumnPair; readonly found: ClientData } | undefined {
  const named = conditions.flatMap((pair) => {
    const found = NAMES_ACCOUNT.test(pair.column) ? clientData(pair.value) : undefined
    return found?.part === 'data' ? [{ pair, found }] : []
  })
  return named.length === conditions.length ? named[0] : undefined
}

/** The handler asks for something that only the user has, looks at who calls, or hands the request to a function that may. */
function isProved(
  call: CallValue,
  { request }: ClientData,
  facts: ScriptFacts,
  text: string,
  step: (count?: number) => void,
): boolean {
  const around = codeOf(request.function, facts, text, step)
  if (PROOF.test(around.replaceAll(OTHER_CODE, '')) || CALLER.test(around) || IS.test(around)) return true
  step(facts.guards.length + facts.calls.length)
  // a role that is only written is asked of nobody
  const asksRole = facts.guards.some(
    ({ test, function: within }) => isWithin(within, request.function) && ROLE.test(text.slice(test.start, test.end)),
  )
  const isAsked = ({ start, callee }: CallValue): boolean =>
    isAround(request.function, start) && /role|admin|permission/i.test(lastNameOf(callee) ?? '')
  if (asksRole || facts.calls.some(isAsked)) return true
  return facts.calls.some(
    (one) =>
      one.function === request.function &&
      one.start < call.start &&
      !isLogCall(one) &&
      one.args.some((arg) => isWholeRequest(arg)),
  )
}

/** The code of a function without comments, notes of a log, and what is done about errors: words there prove nothing. */
function codeOf(around: Span, { calls, partial }: ScriptFacts, text: string, step: (count?: number) => void): string {
  step(calls.length + partial.length)
  const left: readonly Span[] = [...calls.filter(isLogCall), ...partial.filter(({ tried }) => tried !== undefined)]
  const inside = left.filter((one) => isWithin(one, around)).toSorted((a, b) => a.start - b.start)
  let code = ''
  let from = around.start
  for (const { start, end } of inside) {
    if (start > from) code += `${text.slice(from, start)} `
    from = Math.max(from, end)
  }
  return withoutComments(blankComments(code + text.slice(from, around.end)))
}

/**
 * Operations for all users that set the password of an account which the client names. Needs `passwordSetters`, `setRights` and `handlerRegistrations`.
 * Facts: capire, "Authorization" (`@restrict` doesn't apply to the queries of handlers); OWASP Authentication Cheat Sheet, "Change Password Feature".
 */
export function* passwordsOfOthers(root: CapRoot, reach: ReachModel): Generator<Match> {
  const setters = root.test || root.runtime === 'java' ? [] : root.scripts.get(passwordSetters)
  if (setters.length === 0) return
  const isChecked = createCheckedReader(root)
  for (const { file, value } of setters) {
    root.step()
    if (isChecked(file, value) || isOfServer(root, file, value) || isTold(root, file, value)) continue
    const callers = callersOf(root, file, value)
    const { start, end, column, client, entity } = value
    const at = { file, span: { start, end } }
    const { reach: caller } = reach.at(at)
    // those with a role look after accounts
    if (caller === 'privileged' || (callers.length > 0 && !callers.some((role) => PSEUDO_ROLES.has(role)))) continue
    yield {
      at,
      variant: 'password',
      args: { column: quoteWord(column), value: client, entity: quoteWord(entity) },
      // that callers need no login is the fault, and a finding of the service; where nobody can log in, there are no users to speak of
      ...(caller === 'anyone' && !reach.isUnverified(file) && { reach: 'user' as const }),
    }
  }
}

/** Another rule tells it, at what is written. */
function isTold(root: CapRoot, file: string, { client, event }: PasswordSetter): boolean {
  return root.scripts.get(setRights).some((one) => {
    root.step()
    const { isPassword, whose, events } = one.value
    const isSame = isPassword && one.file === file && whose === client && events.some((name) => event?.names.includes(name))
    return isSame && openOperation(root, file, one.value) !== undefined
  })
}

export const PASSWORD_WORDS: Localized<RuleText> = {
  en: {
    title: 'Password of any account set by an operation',
    message:
      'The handler sets the password of the row of {entity} whose {column} is {value}, which the client sends, without the old password or a look at the caller.',
    why: 'A user can send the ID of another account with a new password, and log in as that user.',
    fix: 'Take the account from req.user.id instead of {value}, and compare the old password first. For a forgotten password, require a code that is sent to the user and valid once.',
  },
  fr: {
    title: 'Mot de passe d’un compte quelconque défini par une opération',
    message:
      'Le gestionnaire définit le mot de passe de la ligne de {entity} dont {column} vaut {value}, envoyé par le client, sans l’ancien mot de passe ni examen de l’appelant.',
    why: 'Un utilisateur peut envoyer l’identifiant d’un autre compte avec un nouveau mot de passe, et se connecter à sa place.',
    fix: 'Prenez le compte dans req.user.id au lieu de {value} et comparez d’abord l’ancien mot de passe. Pour un mot de passe oublié, exigez un code à usage unique envoyé à l’utilisateur.',
  },
}
