import type { PhpExpression, PhpStatement } from '../../parse/php/index.ts'
import { evaluateCall } from './calls.ts'
import { refine, type Evaluator } from './guards.ts'
import { copyOf, joinEnvironments, MOST_DEPTH, spend, writtenAt, type Run } from './run.ts'
import { LOGIN_HEADER } from './functions.ts'
import { judgeComparison, judgeCommand, PASSWORD } from './sinks.ts'
import {
  allUnknowns,
  cleaned,
  eitherValue,
  fieldOf,
  joinValues,
  NOTHING,
  textValue,
  unknownsOf,
  unknownValue,
  withField,
  writtenText,
  type PhpValue,
} from './values.ts'

const COMPARES = /^[!=<>]=|^[<>]|^&&$|^\|\|$|^(?:and|or|xor|instanceof)$/

export const EVALUATOR: Evaluator = { evaluate, assign, runBody }

function evaluate(run: Run, expression: PhpExpression): PhpValue {
  if (run.depth >= MOST_DEPTH || !spend(run)) return NOTHING
  run.depth++
  const value = evaluateOne(run, expression)
  run.depth--
  return value
}

function evaluateOne(run: Run, expression: PhpExpression): PhpValue {
  switch (expression.kind) {
    case 'text':
      return textValue(expression.value)
    case 'name':
      if (/^PHP_SAPI$/i.test(expression.name)) run.asksLogin = true
      return NOTHING
    case 'variable':
      return variableValue(run, expression.name)
    case 'member':
      return memberValue(run, expression)
    case 'call':
      return evaluateCall(run, expression, EVALUATOR)
    case 'join': {
      const value = joinValues(expression.parts.map((part) => evaluate(run, part)))
      if (expression.isCommand) judgeCommand(run, expression, value)
      return expression.isCommand ? NOTHING : value
    }
    case 'list':
      return listValue(run, expression)
    case 'assign':
      return assignedValue(run, expression)
    case 'operation':
      return operationValue(run, expression)
    case 'choice':
      return choiceValue(run, expression)
    case 'function':
      // runs when somebody calls it: a route, a callback
      return within(run, () => runBody(run, expression.function.body))
    case 'unknown':
      return NOTHING
  }
}

/** A body that leaves nothing behind it. */
function within(run: Run, go: () => void): PhpValue {
  const { environment, returned } = run
  run.environment = copyOf(run, environment)
  go()
  run.environment = environment
  run.returned = returned
  return NOTHING
}

function variableValue(run: Run, name: string): PhpValue {
  const known = run.environment.variables.get(name)
  if (known !== undefined) return known
  switch (name) {
    case '_GET':
    case '_POST':
    case '_REQUEST':
    case '_COOKIE':
    case 'HTTP_GET_VARS':
    case 'HTTP_POST_VARS':
      return unknownValue('request', `$${name}`)
    case 'HTTP_RAW_POST_DATA':
      return unknownValue('body', `$${name}`)
    case '_FILES':
      return unknownValue('upload', `$${name}`)
    case '_SESSION':
      return cleaned(unknownValue('login', `$${name}`), 'all')
    case 'argv':
    case 'argc':
      run.asksLogin = true
      return NOTHING
    default:
      return NOTHING
  }
}

const CLIENT_HEADERS = /^(?:HTTP_\w{1,60}|QUERY_STRING|REQUEST_URI|PHP_SELF|PATH_INFO)$/

function memberValue(run: Run, expression: PhpExpression & { readonly kind: 'member' }): PhpValue {
  const { of, key } = expression
  const keyed = key === undefined ? NOTHING : evaluate(run, key)
  const name = writtenText(keyed)
  // one of a list
  if (unknownsOf(keyed).some(({ origin }) => origin === 'upload')) run.asksUploads = true
  if (of.kind === 'variable' && of.name === 'this') return run.fields.get(name ?? '') ?? NOTHING
  if (of.kind === 'variable' && of.name === '_SERVER') {
    const proved = run.environment.variables.get('_SERVER')?.fields?.get(name ?? '')
    if (proved !== undefined) return proved
    if (name === 'argv' || name === 'argc') run.asksLogin = true
    if (LOGIN_HEADER.test(name ?? '')) return cleaned(unknownValue('login', writtenAt(run, expression), name), 'all')
    return CLIENT_HEADERS.test(name ?? '') ? unknownValue('header', writtenAt(run, expression), name) : NOTHING
  }
  // the last error of a connection
  if ((name === 'error' || name === 'connect_error') && of.kind === 'variable')
    return unknownValue('error', writtenAt(run, expression))
  const value = fieldOf(evaluate(run, of), name, writtenAt(run, expression))
  if (of.kind === 'variable' && of.name === '_COOKIE' && /token|session|auth|jwt/i.test(name ?? '')) run.asksLogin = true
  // sizes, errors and places of the server are no data of the client
  return unknownsOf(value).some(({ origin }) => origin === 'upload') && /^(?:tmp_name|error|size)$/.test(name ?? '')
    ? NOTHING
    : value
}

function listValue(run: Run, { items }: PhpExpression & { readonly kind: 'list' }): PhpValue {
  const fields = new Map<string, PhpValue>()
  for (const [index, { key, value }] of items.entries()) {
    const name = key === undefined ? String(index) : (writtenText(evaluate(run, key)) ?? '')
    fields.set(name, evaluate(run, value))
  }
  if (run.passwordColumns === undefined) noteColumns(run, items, fields)
  return { parts: [], fields }
}

/** `'table' => 'users', 'fields' => ['email', 'password_hash']`: the columns of a table, of which one holds passwords. */
function noteColumns(
  run: Run,
  items: (PhpExpression & { readonly kind: 'list' })['items'],
  fields: ReadonlyMap<string, PhpValue>,
): void {
  if (![...fields].some(([name, value]) => NAMES_TABLE.test(name) && writtenText(value) !== undefined)) return
  for (const { key, value } of items) {
    if (key === undefined || value.kind !== 'list') continue
    const name = writtenText(evaluate(run, key)) ?? ''
    const columns = NAMES_COLUMNS.test(name) ? [...(fields.get(name)?.fields?.values() ?? [])].map(writtenText) : []
    const column = columns.find((one = '') => /^\w{1,60}$/.test(one) && PASSWORD.test(one) && !ABOUT_PASSWORD.test(one))
    if (column === undefined || columns.includes(undefined)) continue
    run.passwordColumns = { at: { file: run.file.path, span: { start: value.start, end: value.end } }, column }
    return
  }
}

const NAMES_TABLE = /^(?:\w{1,20}_)?(?:table|tbl|entity|relation)(?:_?name)?$/i
/** Not those that are hidden or left out. */
const NAMES_COLUMNS =
  /^(?:allowed|writable|editable|insertable|updatable|permitted)?_?(?:columns?|cols|fields?|attributes|fillable|allowed|writable|editable|properties)$/i
/** `password_changed_at`, `pwd_expires`: what is kept of a password beside it. */
const ABOUT_PASSWORD = /_(?:at|on)$|[a-z_](?:At|On)$|date|time|expir|chang|length|count|polic|must|reset|hint|attempt|updated/i

function assignedValue(run: Run, { target, operator, value: given }: PhpExpression & { readonly kind: 'assign' }): PhpValue {
  const value = evaluate(run, given)
  const whole =
    operator === '='
      ? value
      : operator === '.='
        ? joinValues([evaluate(run, target), value])
        : operator === '??='
          ? eitherValue(evaluate(run, target), value)
          : NOTHING
  assign(run, target, whole)
  return whole
}

function assign(run: Run, target: PhpExpression, value: PhpValue): void {
  if (run.depth >= MOST_DEPTH) return
  if (target.kind === 'variable') run.environment.variables.set(target.name, value)
  else if (target.kind === 'list') {
    for (const { value: one } of target.items) assign(run, one, fieldOf(value, undefined, writtenAt(run, one)))
  } else if (target.kind === 'member') {
    const { of, key } = target
    const name = key === undefined ? '' : (writtenText(evaluate(run, key)) ?? '')
    if (of.kind === 'variable' && of.name === 'this') run.fields.set(name, value)
    else if (of.kind === 'variable' || of.kind === 'member') {
      run.depth++
      const whole = evaluate(run, of)
      const kept = name === '' && whole.fields?.has('') ? eitherValue(whole.fields.get('') ?? NOTHING, value) : value
      assign(run, of, withField(whole, name, kept))
      run.depth--
    }
  }
}

const SHORT = /^(?:&&|and|\|\||or|\?\?)$/

/** `a() or exit`: what goes on behind it is what `a` lets pass. */
function shortValues(run: Run, operator: string, [first, second]: readonly PhpExpression[]): PhpValue[] {
  if (first === undefined || second === undefined) return []
  const values = [evaluate(run, first)]
  const before = run.environment
  if (before.left !== 'no') return values
  run.environment = copyOf(run, before)
  values.push(evaluate(run, second))
  if (run.environment.left === 'no') return values
  run.environment = before
  refine(run, first, operator === '||' || operator === 'or', EVALUATOR)
  return values
}

function operationValue(run: Run, expression: PhpExpression & { readonly kind: 'operation' }): PhpValue {
  const { operator, operands } = expression
  const values = SHORT.test(operator) ? shortValues(run, operator, operands) : operands.map((one) => evaluate(run, one))
  const [first = NOTHING, second = NOTHING] = values
  if (operator === '@' || operator === '(string)' || operator === '(array)' || operator === '(object)' || operator === '&')
    return first
  // `$_SESSION['role'] ?? ''` asks who is logged in
  if (operator === '??')
    return unknownsOf(second).length === 0 && unknownsOf(first).some(({ origin }) => origin === 'login')
      ? first
      : eitherValue(first, second)
  judgeComparison(run, expression, first, second)
  if (COMPARES.test(operator) || operator === '!')
    return { parts: values.flatMap(allUnknowns).filter(({ origin }) => origin === 'login') }
  // numbers
  return NOTHING
}

function choiceValue(run: Run, { test, yes, no }: PhpExpression & { readonly kind: 'choice' }): PhpValue {
  evaluate(run, test)
  const before = run.environment
  run.environment = copyOf(run, before)
  refine(run, test, true, EVALUATOR)
  const one = evaluate(run, yes)
  run.environment = copyOf(run, before)
  refine(run, test, false, EVALUATOR)
  const other = evaluate(run, no)
  run.environment = before
  return eitherValue(one, other)
}

/** Runs statements one after another, until one of them leaves. */
function runBody(run: Run, statements: readonly PhpStatement[]): void {
  for (const statement of statements) {
    if (run.environment.left !== 'no' || run.depth >= MOST_DEPTH || !spend(run)) return
    run.depth++
    runStatement(run, statement)
    run.depth--
  }
}

function runStatement(run: Run, statement: PhpStatement): void {
  switch (statement.kind) {
    case 'expression':
      evaluate(run, statement.value)
      return
    case 'html':
      return
    case 'if':
      return runIf(run, statement)
    case 'loop':
      return runLoop(run, statement)
    case 'leave': {
      const value = statement.value && evaluate(run, statement.value)
      if (statement.how === 'return' && value !== undefined) run.returned = eitherValue(run.returned, value)
      if (statement.how === 'return') {
        const { isLoggedIn } = run.environment
        const { all = true, some = false } = run.returns ?? {}
        run.returns = { all: all && isLoggedIn, some: some || isLoggedIn }
      }
      // a loop or a case goes on behind it
      if (statement.how === 'break') run.broken.push({ ...copyOf(run, run.environment), left: 'no' })
      run.environment.left = statement.how === 'throw' ? 'exit' : statement.how
      return
    }
    case 'either':
      return runEither(run, statement.branches)
    case 'block':
      return runBody(run, statement.body)
  }
}

function runIf(run: Run, { test, yes, no }: PhpStatement & { readonly kind: 'if' }): void {
  evaluate(run, test)
  const before = run.environment
  run.environment = copyOf(run, before)
  refine(run, test, true, EVALUATOR)
  runBody(run, yes)
  const one = run.environment
  run.environment = copyOf(run, before)
  refine(run, test, false, EVALUATOR)
  runBody(run, no)
  run.environment = joinEnvironments(run, one, run.environment)
}

function runLoop(run: Run, { heads, each, body }: PhpStatement & { readonly kind: 'loop' }): void {
  for (const head of heads) evaluate(run, head)
  if (each !== undefined) {
    const of = evaluate(run, each.of)
    const [target] = each.targets.slice(-1)
    const [key] = each.targets.length > 1 ? each.targets : []
    if (target !== undefined) assign(run, target, fieldOf(of, undefined, writtenAt(run, target)))
    if (key !== undefined && unknownsOf(of).length > 0) assign(run, key, of)
  }
  const before = copyOf(run, run.environment)
  runBreakable(run, body)
  run.environment = joinEnvironments(run, run.environment, before)
}

/** A body that `break` and `continue` leave. */
function runBreakable(run: Run, body: readonly PhpStatement[]): void {
  const around = run.broken
  run.broken = []
  runBody(run, body)
  for (const one of run.broken) run.environment = joinEnvironments(run, one, run.environment)
  run.broken = around
}

function runEither(run: Run, branches: readonly (readonly PhpStatement[])[]): void {
  const before = run.environment
  let after = copyOf(run, before)
  for (const branch of branches) {
    run.environment = copyOf(run, before)
    runBreakable(run, branch)
    after = joinEnvironments(run, after, run.environment)
  }
  run.environment = after
}
