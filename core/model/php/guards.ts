import type { PhpExpression, PhpStatement } from '../../parse/php/index.ts'
import { LOGIN_NAME } from './functions.ts'
import { copyOf, joinEnvironments, type Environment, type Run } from './run.ts'
import { allUnknowns, cleaned, eitherValue, unknownsOf, writtenText, type PhpValue, type Purpose } from './values.ts'

/** What evaluates expressions, and writes to what is written. */
export interface Evaluator {
  evaluate(run: Run, expression: PhpExpression): PhpValue
  assign(run: Run, target: PhpExpression, value: PhpValue): void
  runBody(run: Run, statements: readonly PhpStatement[]): void
}

/** Functions that prove the form of what they are given (PHP manual): numbers, one of a list, a pattern. */
export const PROVES: ReadonlySet<string> = new Set(
  'is_numeric is_int is_integer is_float ctype_digit ctype_alnum ctype_alpha ctype_xdigit in_array preg_match array_key_exists checkdate filter_var array_search'.split(
    ' ',
  ),
)
const SEARCHES = /^(?:str_?i?pos|strstr|str_(?:starts_with|contains)|strn?c(?:ase)?cmp|strncmp|substr|substr_compare)$/
/** A key that callers have to know. */
const KEY_FIELD = /token|(?:^|_)key$|apikey|secret|signature|hmac|(?:^|_)otp|(?:reset|verif\w{0,9})_?code/i

/** What somebody who forgot a password was sent, or has to answer. */
const CODE_FIELD =
  /^(?:(?:reset|verif|verification|activation|confirm|confirmation|recovery|security|auth|e?mail|sms|temp|unique)_?)?code$|(?:^|_)(?:hash|pin|key|nonce|answer)$/i

/** What is known where a condition holds, or does not. */
export function refine(run: Run, test: PhpExpression, holds: boolean, evaluator: Evaluator): void {
  if (run.depth > 100) return
  run.depth++
  refineOne(run, test, holds, evaluator)
  run.depth--
}

function refineOne(run: Run, test: PhpExpression, holds: boolean, evaluator: Evaluator): void {
  if (test.kind === 'operation') {
    const { operator, operands } = test
    const [first, second] = operands
    if (first === undefined) return
    if (operator === '!') return refine(run, first, !holds, evaluator)
    if (operator === '@' || operator.startsWith('(')) return refine(run, first, holds, evaluator)
    const isAll = operator === '&&' || operator === 'and'
    if (isAll || operator === '||' || operator === 'or') {
      if (isAll === holds) for (const one of operands) refine(run, one, holds, evaluator)
      else {
        refineEither(run, operands, holds, evaluator)
        if (operands.every((one) => asksLogin(run, one, evaluator))) logIn(run)
      }
      return
    }
    if (second !== undefined) refineComparison(run, operator, [first, second], holds, evaluator)
    return
  }
  if (test.kind === 'call') return refineCall(run, test, holds, evaluator)
  if (test.kind === 'assign') {
    if (holds && asksLogin(run, test.value, evaluator)) logIn(run)
    return
  }
  if (holds && asksLogin(run, test, evaluator)) logIn(run)
}

/** `in_array($name, $names, true) || $name === 'id'`: what holds by each of them. */
function refineEither(run: Run, operands: readonly PhpExpression[], holds: boolean, evaluator: Evaluator): void {
  const { environment: before, asksLogin: asked } = run
  const fields = [...run.fields]
  const proved = new Map<string, PhpValue>()
  let joined: Environment | undefined
  for (const one of operands) {
    run.environment = copyOf(run, before)
    refine(run, one, holds, evaluator)
    for (const [name, value] of run.fields) proved.set(name, eitherValue(proved.get(name) ?? value, value))
    for (const [name, value] of fields) run.fields.set(name, value)
    joined = joined === undefined ? run.environment : joinEnvironments(run, joined, run.environment)
  }
  for (const [name, value] of proved) run.fields.set(name, value)
  run.environment = { ...(joined ?? before), isLoggedIn: before.isLoggedIn }
  run.asksLogin = asked
}

function refineComparison(
  run: Run,
  operator: string,
  [first, second]: readonly [PhpExpression, PhpExpression],
  holds: boolean,
  evaluator: Evaluator,
): void {
  const isEqual = operator === '==' || operator === '==='
  const isUnequal = operator === '!=' || operator === '!==' || operator === '<>'
  const isNothing = [first, second].some(
    (one) => (one.kind === 'name' && /^(?:null|false)$/i.test(one.name)) || (one.kind === 'text' && /^0?$/.test(one.value)),
  )
  const isProof = isEqual ? holds !== isNothing : isUnequal ? holds === isNothing : true
  provePath(run, first, evaluator)
  if (!isProof) return
  for (const one of [first, second]) {
    if (asksLogin(run, one, evaluator) || isKey(run, one, evaluator)) logIn(run)
    if (unknownsOf(evaluator.evaluate(run, one)).some(({ field }) => CODE_FIELD.test(field))) run.asksCode = true
  }
  // compared with a text: it is this one
  if (isNothing || (!isEqual && !isUnequal)) return
  const isWritten = (one: PhpExpression): boolean => one.kind === 'text'
  if (isWritten(second)) prove(run, first, evaluator)
  if (isWritten(first)) prove(run, second, evaluator)
}

function refineCall(run: Run, test: PhpExpression & { readonly kind: 'call' }, holds: boolean, evaluator: Evaluator): void {
  const { name, args } = test
  const isNegative = name === 'empty' || name === 'is_null'
  provePath(run, test, evaluator)
  if (isNegative === holds) return
  // a file that others include, and that ends where nobody does
  if (name === 'defined') run.environment.isLoggedIn = true
  if (name === 'isset' || isNegative || name === 'count' || name === 'array_key_exists') {
    if (args.some((one) => asksLogin(run, one, evaluator))) logIn(run)
  }
  if (name === 'password_verify' || name === 'hash_equals' || asksLogin(run, test, evaluator)) logIn(run)
  if (PROVES.has(name)) for (const one of args) prove(run, one, evaluator)
}

function logIn(run: Run): void {
  run.environment.isLoggedIn = true
  run.asksLogin = true
}

/** Whether an expression is about who calls: a session, a token, a function that looks at these. */
export function asksLogin(run: Run, expression: PhpExpression, evaluator: Evaluator): boolean {
  if (expression.kind === 'call' && LOGIN_NAME.test(expression.name) && !run.project.functions.has(expression.name)) return true
  const unknowns = allUnknowns(evaluator.evaluate(run, expression))
  // a row that a key or a password was looked up in
  return unknowns.some(({ origin }) => origin === 'login' || (origin === 'row' && run.asksLogin))
}

function isKey(run: Run, expression: PhpExpression, evaluator: Evaluator): boolean {
  return unknownsOf(evaluator.evaluate(run, expression)).some(({ origin, field }) => origin !== 'row' && KEY_FIELD.test(field))
}

/** `strpos($path, '..') === false`, `str_starts_with($path, $folder)`: no other folder. */
function provePath(run: Run, test: PhpExpression, evaluator: Evaluator): void {
  if (test.kind !== 'call' || !SEARCHES.test(test.name)) return
  const [text, searched] = test.args
  if (text === undefined || searched === undefined) return
  const isOfHost = /^https?:?|^\/\/$/i.test(writtenText(evaluator.evaluate(run, searched)) ?? '')
  if (!isOfHost) prove(run, text, evaluator, 'path')
}

function prove(run: Run, target: PhpExpression, evaluator: Evaluator, purpose: Purpose = 'all'): void {
  if (target.kind === 'operation' && target.operands.length === 1)
    return prove(run, target.operands[0] ?? target, evaluator, purpose)
  if (target.kind !== 'variable' && target.kind !== 'member') return
  const value = evaluator.evaluate(run, target)
  if (unknownsOf(value).length > 0) evaluator.assign(run, target, cleaned(value, purpose))
}
