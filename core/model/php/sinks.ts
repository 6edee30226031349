import type { PhpExpression } from '../../parse/php/index.ts'
import { CHANGES_FILES, COMMANDS, EVALS, FILES, STATEMENT_METHODS, STATEMENTS } from './functions.ts'
import { judgeHeader, judgeSetting } from './headers.ts'
import { addFault, isRaw, writtenAt, type DataUse, type PhpCall, type Run } from './run.ts'
import { allUnknowns, NOTHING, unknownsOf, writtenText, type PhpValue, type Unknown } from './values.ts'

/** Names of fields and columns that hold passwords. */
export const PASSWORD: RegExp = /passw|pwd|passphrase|kennwort|contrase|senha|mot_?de_?passe|^pass$|^user_?pass$|^clave$/i

/** Looks at what a call is given. */
export function judgeCall(run: Run, call: PhpCall, values: readonly PhpValue[], object: PhpValue): void {
  const { name } = call
  judgeStatement(run, call, values)
  if (/^(?:mysqli_stmt_)?(?:bind_?param|bind_?value|execute)$/.test(name)) judgeBound(run, call, values)
  if (name === 'echo' || name === 'print' || name === 'printf' || name === 'exit' || name === 'print_r')
    judgeAnswer(run, call, values)
  else if (name === 'header') judgeHeader(run, call, values)
  else if (name === 'curl_setopt') judgeSetting(run, call, values)
  judgeCode(run, call, values, object)
  judgeFiles(run, call, values)
  if (name === 'password_verify') run.asksLogin = true
  if (/^(?:in_array|getimagesize|finfo_file|finfo_open|mime_content_type|exif_imagetype|preg_match)$/.test(name))
    run.asksUploads = true
}

const STATEMENT =
  /^[\s(]{0,200}(?:select|insert|update|delete|replace|call|exec|execute|show|drop|create|alter|truncate|with|merge|describe)\b/i
const CHANGES = /^[\s(]{0,200}(?:insert|update|delete|replace|drop|create|alter|truncate|merge)\b/i

function judgeStatement(run: Run, call: PhpCall, values: readonly PhpValue[]): void {
  const { name, of } = call
  const isMethod = of !== undefined
  const index = isMethod
    ? STATEMENT_METHODS.has(name)
      ? 0
      : undefined
    : Object.hasOwn(STATEMENTS, name)
      ? STATEMENTS[name]
      : undefined
  const value = index === undefined ? undefined : values.at(index)
  if (value === undefined) return
  const [first] = value.parts
  const text = typeof first === 'string' ? first : ''
  if (isMethod && !STATEMENT.test(text)) return
  const whole = value.parts.map((part) => (typeof part === 'string' ? part : '?')).join('')
  judgePasswords(run, call, value)
  run.bindsPassword = boundPassword(text)
  judgeCaller(run, whole, values)
  if (STATEMENT.test(text) || !isMethod)
    addUse(run, call, {
      isChange: CHANGES.test(text),
      isPersonal: PERSONAL.test(text),
      ...(selectsPasswords(text) && { givesPasswords: true }),
      ...(namesUser(value, whole) && { changesPasswords: true }),
      ...(ANY_TABLE.test(whole) && { isOfAnyTable: true }),
    })
  const found = rawPart(value)
  if (found === undefined) return
  const variant = found.isName ? 'name' : /prepare|query_params|oci_parse/.test(name) ? 'prepared' : undefined
  addFault(run, call, { kind: 'sql', ...(variant !== undefined && { variant }), sink: name, part: found.unknown.part })
}

/** A statement with a hole where its table stands: ``INSERT INTO `{$this->table}` ``. */
const ANY_TABLE = /^\s{0,99}(?:insert\s{1,9}into|replace\s{1,9}into|update)\s{1,9}[`"[]?\??[`"\]]?(?:\s{0,9}\(|\s{1,9}set\b)/i

/** What belongs to people, in names of tables and columns. */
const PERSONAL =
  /user|customer|client|member|person|people|employee|staff|patient|student|teacher|guest|visitor|account|contact|address|mail|phone|passw|order(?!\s{1,9}by)|invoice|payment|salar|booking|reserv|appointment|message|kunde|mitarbeiter|usuari|cliente|pedido/i
/** A key that callers have to know: `where token = ?`. */
const BY_KEY = /\bwhere\b[^]{0,300}\b\w{0,30}(?:token|otp|secret|api_?key)\w{0,20}[`"\]]?\s{0,9}=/i

/** `where mail = ? and code = ?` */
const BY_CODE =
  /\bwhere\b[^]{0,300}(?:\b(?:(?:reset|verif|verification|activation|confirm|confirmation|recovery|security|auth|e?mail|sms|temp|unique)_?)?code|(?:\b|_)(?:hash|pin|key|nonce|answer))[`"\]]?\s{0,9}=/i

/** `select name, passwort from users`, of all rows or of some. */
const SELECTED = /^[\s(]{0,200}select\b([^]{0,2000}?)\bfrom\b/i

function selectsPasswords(text: string): boolean {
  const columns = SELECTED.exec(text)?.[1] ?? ''
  return columns.split(',').some((column) => PASSWORD.test(lastName(column.trim().split(/\s/, 1)[0] ?? '')))
}

/** A statement that asks for who is logged in, or for a key of theirs. */
function judgeCaller(run: Run, text: string, values: readonly PhpValue[]): void {
  const isByLogin = values.some((value) =>
    allUnknowns(value).some(({ origin, field }) => origin === 'login' && field !== 'REMOTE_ADDR'),
  )
  if (isByLogin || BY_KEY.test(text)) run.asksLogin = true
  if (BY_CODE.test(text)) run.asksCode = true
}

function addUse(run: Run, { start, end, name }: PhpCall, use: Omit<DataUse, 'at' | 'sink'>): void {
  // what others have to include, or look at who calls, comes before
  if (!run.environment.isLoggedIn) run.uses.push({ at: { file: run.file.path, span: { start, end } }, sink: name, ...use })
}

const BEFORE_NAME = /\b(?:from|into|update|table|join|(?:order|group)\s{1,9}by|desc|asc)\s{1,9}[`"]?$/i

/** The first value of a caller in a statement that is neither a number nor escaped within quotes. */
function rawPart({ parts }: PhpValue): { readonly unknown: Unknown; readonly isName: boolean } | undefined {
  let before = ''
  let quote = ''
  for (const part of parts) {
    if (typeof part === 'string') {
      for (const sign of part)
        if (sign === quote) quote = ''
        else if (quote === '' && (sign === "'" || sign === '"')) quote = sign
      before = part
    } else if (isRaw(part, 'command') && !(part.clean.includes('sql') && quote !== ''))
      return { unknown: part, isName: quote !== "'" && BEFORE_NAME.test(before.slice(-60)) }
  }
  return undefined
}

/** `… where password = '` before a value of the request that nothing has hashed. */
const ASKED_PASSWORD = /([\w`"[\].]{1,80})\s{0,9}(?:=|like)\s{0,9}(?:binary\s{1,9})?(?:md5\(|sha1?\()?\s{0,9}['"]?$/i

function judgePasswords(run: Run, call: PhpCall, value: PhpValue): void {
  let text = ''
  const [head] = value.parts
  const isInsert = typeof head === 'string' && /^\s{0,99}(?:insert|replace)\b/i.test(head)
  for (const part of value.parts) {
    if (typeof part === 'string') {
      text = part
      continue
    }
    const isSent = part.origin === 'request' || part.origin === 'body'
    const column = ASKED_PASSWORD.exec(text.slice(-200))?.[1] ?? ''
    const isPassword = PASSWORD.test(lastName(column)) || (isInsert && PASSWORD.test(part.field.replace(/^_/, '')))
    if (!isSent || !isPassword) continue
    const isStored =
      isInsert || (typeof head === 'string' && /^\s{0,99}update\b/i.test(head) && !/\bwhere\b/i.test(textBefore(value, part)))
    // whoever makes an account has none
    run.asksLogin ||= !isStored || isInsert
    const variant =
      part.hash === undefined
        ? isStored
          ? 'stored'
          : undefined
        : /^(?:md5|sha1|sha256|crc32)$/i.test(part.hash)
          ? 'hashed'
          : 'safe'
    if (variant !== 'safe')
      addFault(run, call, {
        kind: 'password',
        ...(variant !== undefined && { variant }),
        sink: part.hash ?? call.name,
        part: part.part,
      })
    return
  }
}

/** An `UPDATE` that sets the password, itself made of the name of a user that the request sends. */
function namesUser(value: PhpValue, whole: string): boolean {
  return boundPassword(whole) === 'changed' && unknownsOf(value).some(isSent) && /\bwhere\b[^]{0,300}\?/i.test(whole)
}

function isSent({ origin }: Unknown): boolean {
  return origin === 'request' || origin === 'body'
}

const BOUND_PASSWORD = /\b(\w{0,40})[`"\]]?\s{0,9}=\s{0,9}(?:\w{1,20}\(\s{0,9})?['"]?(?:\?|:\w)/g

/** What a statement with placeholders does with a password. */
function boundPassword(text: string): Run['bindsPassword'] {
  const isInsert = /^\s{0,99}(?:insert|replace)\b/i.test(text)
  if (isInsert) return /[?:]/.test(text) && text.split(/[^\w]/).some((word) => PASSWORD.test(word)) ? 'stored' : undefined
  const isUpdate = /^\s{0,99}update\b/i.test(text)
  const where = isUpdate ? text.search(/\bwhere\b/i) : 0
  let found: Run['bindsPassword']
  for (const { 1: column = '', index } of text.matchAll(BOUND_PASSWORD))
    if (PASSWORD.test(column)) {
      if (index >= where && where >= 0) return 'asked'
      // a setting of the application is no user's
      found = where >= 0 && /[?:]/.test(text.slice(where)) ? 'changed' : 'stored'
    }
  return found
}

/** Passwords of the request that placeholders get: `$stmt->bind_param('ss', $name, $password)`, `$stmt->execute([$name, $password])`. */
function judgeBound(run: Run, call: PhpCall, values: readonly PhpValue[]): void {
  const { bindsPassword } = run
  const all = values.flatMap(allUnknowns).filter(isSent)
  const sent = all.find(({ field }) => PASSWORD.test(field))
  judgeCaller(run, '', values)
  // a number that names the user is known as nothing, so one value of the request is enough
  if (bindsPassword === 'changed' && all.length > 0)
    addUse(run, call, { isChange: true, isPersonal: true, changesPasswords: true })
  if (bindsPassword === undefined || sent === undefined) return
  run.bindsPassword = undefined
  if (bindsPassword !== 'changed') run.asksLogin = true
  const kept = bindsPassword === 'changed' ? 'stored' : bindsPassword
  const variant = sent.hash === undefined ? kept : /^(?:md5|sha1|sha256|crc32)$/i.test(sent.hash) ? 'hashed' : 'safe'
  if (variant !== 'safe')
    addFault(run, call, {
      kind: 'password',
      ...(variant !== 'asked' && { variant }),
      sink: sent.hash ?? call.name,
      part: sent.part,
    })
}

function textBefore({ parts }: PhpValue, part: Unknown): string {
  return parts
    .slice(0, parts.indexOf(part))
    .filter((one) => typeof one === 'string')
    .join(' ')
}

function lastName(column: string): string {
  return column.replaceAll(/[`"[\]]/g, '').replace(/^.{0,80}\./, '')
}

/** `$row['password'] == $_POST['password']`. */
export function judgeComparison(
  run: Run,
  expression: PhpExpression & { readonly kind: 'operation' },
  first: PhpValue,
  second: PhpValue,
): void {
  if (!/^[!=]==?$/.test(expression.operator)) return
  const [one, other] = [unknownsOf(first)[0], unknownsOf(second)[0]]
  if (one?.origin === 'upload' || other?.origin === 'upload') run.asksUploads = true
  const [stored, sent] = one?.origin === 'row' ? [one, other] : [other, one]
  if (stored?.origin !== 'row' || sent === undefined || !PASSWORD.test(stored.field)) return
  if (sent.origin !== 'request' && sent.origin !== 'body') return
  run.asksLogin = true
  if (sent.hash !== undefined && !/^(?:md5|sha1|sha256|crc32)$/i.test(sent.hash)) return
  addFault(run, expression, {
    kind: 'password',
    ...(sent.hash !== undefined && { variant: 'hashed' }),
    sink: sent.hash ?? expression.operator,
    part: sent.part,
  })
}

/** What a script answers with. */
function judgeAnswer(run: Run, call: PhpCall, values: readonly PhpValue[]): void {
  const answers = values.flatMap((value) => [value, ...(call.name === 'print_r' ? [...(value.fields?.values() ?? [])] : [])])
  const error = answers.flatMap(unknownsOf).find(({ origin }) => origin === 'error')
  if (error !== undefined) addFault(run, call, { kind: 'error', sink: call.name, part: error.part })
  if (run.isData) return
  const isMarkup =
    run.file.hasHtml || answers.some(({ parts }) => parts.some((part) => typeof part === 'string' && /<[a-z/!]/i.test(part)))
  const raw = answers.flatMap(unknownsOf).find((one) => {
    if (one.clean.includes('all') || one.clean.includes('html')) return false
    return one.origin === 'request' || (one.origin === 'row' && isMarkup)
  })
  if (raw !== undefined)
    addFault(run, call, { kind: 'html', ...(raw.origin === 'row' && { variant: 'stored' }), sink: call.name, part: raw.part })
}

/** Commands in backticks. */
export function judgeCommand(run: Run, expression: PhpExpression, value: PhpValue): void {
  const raw = unknownsOf(value).find((one) => isRaw(one, 'command'))
  if (raw !== undefined) addFault(run, expression, { kind: 'code', variant: 'command', sink: 'shell_exec', part: raw.part })
}

function judgeCode(run: Run, call: PhpCall, values: readonly PhpValue[], object: PhpValue): void {
  const { name, of, args } = call
  const [first = NOTHING] = values
  const variant =
    of === undefined && COMMANDS.has(name)
      ? 'command'
      : of === undefined && EVALS.has(name)
        ? undefined
        : name === 'unserialize' && !args.slice(1).some((one) => /allowed_classes/.test(writtenAt(run, one)))
          ? 'unserialize'
          : name === 'include'
            ? 'include'
            : name === ''
              ? 'function'
              : 'none'
  if (variant === 'none') return
  const purpose = variant === 'include' ? 'path' : variant === 'command' ? 'command' : 'html'
  const given = variant === 'function' ? object : name === 'create_function' ? (values[1] ?? NOTHING) : first
  const raw = allUnknowns(given).find((one) => isRaw(one, purpose))
  if (raw === undefined) return
  addFault(run, call, {
    kind: 'code',
    ...(variant !== undefined && { variant }),
    sink: name === '' ? 'call_user_func' : name === 'include' ? 'include' : name,
    part: raw.part,
  })
}

function judgeFiles(run: Run, call: PhpCall, values: readonly PhpValue[]): void {
  const { name } = call
  if (name === 'move_uploaded_file') {
    const sent = unknownsOf(values[1] ?? NOTHING).find(
      ({ origin, clean }) => (origin === 'upload' || origin === 'request') && !clean.includes('all'),
    )
    if (sent !== undefined && !run.asksUploads) addFault(run, call, { kind: 'upload', sink: name, part: sent.part })
    return
  }
  const paths = call.of === undefined && Object.hasOwn(FILES, name) ? FILES[name] : name === 'curl_init' ? [0] : undefined
  if (paths === undefined) return
  if (CHANGES_FILES.has(name) && values.some((value) => allUnknowns(value).some((one) => isRaw(one, 'command'))))
    addUse(run, call, { isChange: true, isPersonal: false })
  for (const index of paths) {
    const value = values[index] ?? NOTHING
    const raw = unknownsOf(value).find((one) => isRaw(one, 'path'))
    if (raw === undefined) continue
    const before = value.parts.slice(0, value.parts.indexOf(raw)).join('')
    const isAddress = name === 'curl_init' || /^https?:/i.test(before) || (before === '' && name === 'file_get_contents')
    // the host is fixed, the path alone is chosen
    if (isAddress && /^https?:\/\/[^/]{1,200}\//i.test(before)) continue
    const variant = isAddress ? 'address' : CHANGES_FILES.has(name) || isWriting(values) ? 'change' : undefined
    addFault(run, call, { kind: 'file', ...(variant !== undefined && { variant }), sink: name, part: raw.part })
  }
}

/** `fopen($path, 'w')`. */
function isWriting(values: readonly PhpValue[]): boolean {
  return /^[waxc]/.test(writtenText(values[1] ?? NOTHING) ?? '')
}
