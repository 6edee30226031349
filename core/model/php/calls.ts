import { cleans, ERRORS, FETCHES, HASHES, isPassing, isQuoting, LOGIN_NAME } from './functions.ts'
import { PROVES, type Evaluator } from './guards.ts'
import { resolveInclude } from './includes.ts'
import { copyOf, spend, writtenAt, type Environment, type FoundFunction, type PhpCall, type Run } from './run.ts'
import { judgeCall } from './sinks.ts'
import {
  allUnknowns,
  cleaned,
  hashed,
  joinValues,
  NOTHING,
  textValue,
  unknownValue,
  writtenText,
  type PhpValue,
} from './values.ts'

const TELLS_PRESENCE =
  /^(?:isset|empty|is_null|boolval|array_key_exists|in_array|strcmp|strcasecmp|count|strlen|is_array|is_string)$/

/** How deep functions of the project are followed into each other, and files into files. */
const MOST_CALLS = 5
const MOST_INCLUDES = 40

export function evaluateCall(run: Run, call: PhpCall, evaluator: Evaluator): PhpValue {
  const { name, of, args } = call
  if (name === 'include') return include(run, args[0] === undefined ? NOTHING : evaluator.evaluate(run, args[0]), call, evaluator)
  const object = of === undefined ? NOTHING : evaluator.evaluate(run, of)
  const values = args.map((one) => evaluator.evaluate(run, one))
  judgeCall(run, call, values, object)
  if (name === 'settype' && args[0] !== undefined) evaluator.assign(run, args[0], cleaned(values[0] ?? NOTHING, 'all'))
  if (name === 'exit') {
    run.environment.left = 'exit'
    return NOTHING
  }
  const mapped = name === 'array_map' ? mappedValue(run, call, values, evaluator) : undefined
  return mapped ?? ownValue(run, call, values, evaluator) ?? builtInValue(run, call, values, object)
}

/** `array_map('intval', $ids)`: what the function makes of each. */
function mappedValue(
  run: Run,
  { args }: PhpCall,
  [mapper = NOTHING, list = NOTHING]: readonly PhpValue[],
  evaluator: Evaluator,
): PhpValue | undefined {
  const [given] = args
  if (given?.kind === 'function') return callFunction(run, { file: run.file, function: given.function }, [list], evaluator)
  const name = (writtenText(mapper.fields?.get('1') ?? mapper) ?? '').toLowerCase()
  if (name === '') return undefined
  const call: PhpCall = { kind: 'call', name, args: args.slice(1), start: given?.start ?? 0, end: given?.end ?? 0 }
  return ownValue(run, call, [list], evaluator) ?? builtInValue(run, call, [list], NOTHING)
}

function builtInValue(run: Run, call: PhpCall, values: readonly PhpValue[], object: PhpValue): PhpValue {
  const { name } = call
  const [first = NOTHING] = values
  const source = sourceValue(run, call, values)
  if (source !== undefined) return source
  if (HASHES.has(name)) return hashed(name === 'hash' ? (values[1] ?? NOTHING) : first, nameOfHash(name, first))
  const purposes = cleans(name)
  if (purposes !== undefined)
    return cleaned(joinValues(values.slice(-1).concat(values.slice(0, -1)).filter(holdsUnknown).slice(0, 1)), ...purposes)
  if (isQuoting(name)) return cleaned(joinValues(values), 'all')
  if (name === 'sprintf' || name === 'vsprintf') return formatted(values)
  if (name === 'filter_var' && values.length > 1) return filtered(run, call, first)
  if (name === 'preg_replace' && /^[/#~]\[\^/.test(writtenText(first) ?? '')) return cleaned(values[2] ?? NOTHING, 'all')
  if (TELLS_PRESENCE.test(name)) return { parts: values.flatMap(allUnknowns).filter(({ origin }) => origin === 'login') }
  if (FETCHES.test(name)) return unknownValue('row', writtenAt(run, call))
  if (ERRORS.test(name)) return unknownValue('error', `${name}()`)
  if (name === 'array_filter' && PROVES.has(writtenText(values[1] ?? NOTHING) ?? '')) return cleaned(first, 'all')
  if (isPassing(name)) return passed(name, values)
  // a chain of calls on what is known: `$request->get('a')->trim()`
  return call.of !== undefined && /^(?:trim|lower|upper|get|all|value|tostring)$/.test(name) ? object : NOTHING
}

function holdsUnknown(value: PhpValue): boolean {
  return allUnknowns(value).length > 0
}

function nameOfHash(name: string, algorithm: PhpValue): string {
  return name === 'hash' ? (writtenText(algorithm) ?? name) : name
}

/** The value of those that holds something of others. */
function passed(name: string, values: readonly PhpValue[]): PhpValue {
  const found = values.find(holdsUnknown)
  if (found !== undefined && found.parts.length < 2 && (name === 'implode' || name === 'join'))
    return joinValues(allUnknowns(found).map((part) => ({ parts: [part] })))
  return found ?? values.find(({ parts }) => parts.length > 0) ?? NOTHING
}

/** `sprintf("… '%s' %d", $a, $b)`: `%d` is a number. */
function formatted(values: readonly PhpValue[]): PhpValue {
  const format = writtenText(values[0] ?? NOTHING)
  if (format === undefined) return joinValues(values)
  const parts: PhpValue[] = []
  let next = 1
  for (const piece of format.split(/(%(?:\d{1,3}\$)?[-+ 0']{0,3}\d{0,3}(?:\.\d{1,3})?[bcdeEfFgGosuxX])/)) {
    const kind = /^%.{0,15}([bcdeEfFgGosuxX])$/.exec(piece)?.[1]
    if (kind === undefined) parts.push(textValue(piece))
    else {
      const value = values[next++] ?? NOTHING
      parts.push(kind === 's' ? value : cleaned(value, 'all'))
    }
  }
  return joinValues(parts)
}

function filtered(run: Run, { args }: PhpCall, value: PhpValue): PhpValue {
  const filter = args
    .slice(1)
    .map((one) => writtenAt(run, one))
    .join(' ')
  if (/FILTER_(?:VALIDATE_(?:INT|FLOAT|BOOL|IP|DOMAIN)|SANITIZE_NUMBER)/.test(filter)) return cleaned(value, 'all')
  return /FILTER_SANITIZE|FILTER_VALIDATE_EMAIL/.test(filter) ? cleaned(value, 'html', 'sql') : value
}

/** Methods that give data of a request (Laravel, Symfony, CodeIgniter, Slim). */
const REQUEST_METHODS =
  /^(?:input|post|getpost|getvar|getparsedbody|getqueryparams|getqueryparam|getparam|getparams|getcontent|getjson|getrawbody)$/
const REQUEST_OBJECT = /^\$(?:this->)?(?:request|req|input)\b/i

/** Calls that give data of callers. */
function sourceValue(run: Run, call: PhpCall, values: readonly PhpValue[]): PhpValue | undefined {
  const { name, of, args } = call
  const [first = NOTHING, second = NOTHING] = values
  const written = writtenAt(run, call)
  if (
    (name === 'file_get_contents' || name === 'fopen' || name === 'stream_get_contents') &&
    (writtenText(first) ?? '').startsWith('php://input')
  )
    return unknownValue('body', written)
  if (name === 'filter_input') {
    const value = unknownValue('request', written, writtenText(second) ?? '')
    return args.length > 2 ? filtered(run, { ...call, args: args.slice(1) }, value) : value
  }
  // no web server runs it
  if (name === 'php_sapi_name' || name === 'getopt') run.asksLogin = true
  if (asksByName(run, call, first)) return lookAtCaller(run, call)
  if (name === 'getallheaders' || name === 'apache_request_headers') return cleaned(unknownValue('login', written), 'all')
  if (of !== undefined && REQUEST_OBJECT.test(writtenAt(run, of))) {
    if (REQUEST_METHODS.test(name) || name === 'get' || name === 'query')
      return unknownValue('request', written, writtenText(first) ?? '')
  }
  return undefined
}

/** A header of a PSR-7 request that tells who calls, a middleware, a helper of a framework. */
function asksByName(run: Run, { name, of, owner, args }: PhpCall, first: PhpValue): boolean {
  if (of !== undefined && /^(?:get|has)?header(?:line)?$/.test(name)) return /auth|token|key/i.test(writtenText(first) ?? '')
  if (of !== undefined && /^(?:add|middleware|addmiddleware|pipe|before|filter)$/.test(name))
    return args.some((one) => /auth|jwt|login|session|token|guard/i.test(writtenAt(run, one)))
  return LOGIN_NAME.test(name) && !isOwn(run, name, owner)
}

/** The project holds the code of it: not of `JWT::decode` where it has a `decode` of its own. */
function isOwn({ project }: Run, name: string, owner: string | undefined): boolean {
  const all = project.functions.get(name) ?? []
  return owner === undefined || SELF.test(owner) ? all.length > 0 : all.some(({ function: one }) => one.owner === owner)
}
const SELF = /^(?:self|static|parent|this)$/

/** A check whose code is not in the project; what stands alone refuses by itself. */
function lookAtCaller(run: Run, call: PhpCall): PhpValue {
  run.asksLogin = true
  return cleaned(unknownValue('login', writtenAt(run, call)), 'all')
}

/** What a function of the project gives. */
function ownValue(
  run: Run,
  { name, of, owner, start, end }: PhpCall,
  values: readonly PhpValue[],
  evaluator: Evaluator,
): PhpValue | undefined {
  const className = name === '' ? '' : name.startsWith('new ') ? name.slice(4) : undefined
  const found =
    className === undefined ? functionOf(run, name, of !== undefined, owner) : functionOf(run, '__construct', true, className)
  if (found === undefined) return undefined
  const uses = run.uses.length
  const value = callFunction(run, found, values, evaluator)
  // what a file for all scripts does, the script does that calls it
  if (run.file === run.entry)
    for (let index = uses; index < run.uses.length; index++) {
      const use = run.uses[index]
      if (use !== undefined && use.at.file !== run.entry.path)
        run.uses[index] = { ...use, by: use.at.file, at: { file: run.entry.path, span: { start, end } }, sink: name }
    }
  return value
}

function functionOf(run: Run, name: string, isMethod: boolean, owner: string | undefined): FoundFunction | undefined {
  const all = run.project.functions.get(name) ?? []
  const fitting = all.filter(({ function: one }) =>
    isMethod
      ? one.owner !== undefined && (owner === undefined || SELF.test(owner) || one.owner === owner)
      : one.owner === undefined,
  )
  const near = fitting.filter(({ file }) => run.included.has(file.path))
  // of several classes nothing says which one it is
  return near.length > 0 ? near[0] : fitting.length === 1 ? fitting[0] : undefined
}

export function callFunction(
  run: Run,
  { file, function: called }: FoundFunction,
  values: readonly PhpValue[],
  evaluator: Evaluator,
): PhpValue {
  run.called.add(called)
  if (run.running.has(called) || run.running.size >= MOST_CALLS || !spend(run)) return NOTHING
  const { file: around, environment, returned, returns } = run
  run.running.add(called)
  run.file = file
  run.returned = NOTHING
  run.returns = undefined
  run.environment = { variables: new Map(), isLoggedIn: environment.isLoggedIn, left: 'no' }
  for (const [index, name] of called.parameters.entries()) run.environment.variables.set(name, values[index] ?? NOTHING)
  evaluator.runBody(run, called.body)
  const value = returnedValue(run, environment)
  run.running.delete(called)
  run.file = around
  run.returned = returned
  run.returns = returns
  run.environment = environment
  return value
}

/** What a function gives; says of its caller whether it goes on, and who is logged in then. */
function returnedValue(run: Run, around: Environment): PhpValue {
  const wasLoggedIn = around.isLoggedIn
  const { returned, returns, environment } = run
  const goesOn = environment.left === 'no'
  if (returns === undefined && environment.left === 'exit') around.left = 'exit'
  else around.isLoggedIn ||= (returns?.all ?? true) && (!goesOn || environment.isLoggedIn)
  // what it gives tells who is logged in: `if (isset($_SESSION['a'])) return true; return false;`
  const isTold = !wasLoggedIn && returns !== undefined && returns.some && !returns.all
  return isTold ? { parts: [...returned.parts, ...cleaned(unknownValue('login', ''), 'all').parts] } : returned
}

/** Runs what another file holds as if it were written here. */
function include(run: Run, path: PhpValue, call: PhpCall, evaluator: Evaluator): PhpValue {
  judgeCall(run, call, [path], NOTHING)
  const file = resolveInclude(run, path)
  if (file === undefined) {
    if (/auth|login|session|guard|secur/i.test(path.parts.filter((part) => typeof part === 'string').join('/')))
      run.asksLogin = true
    return NOTHING
  }
  if (run.included.has(file.path) || run.included.size >= MOST_INCLUDES) return NOTHING
  run.included.add(file.path)
  const { file: around, returned } = run
  run.file = file
  evaluator.runBody(run, file.source.statements)
  run.file = around
  // `return` of a file ends that file alone
  if (run.environment.left === 'return') run.environment = { ...copyOf(run, run.environment), left: 'no' }
  const value = run.returned
  run.returned = returned
  return value
}
