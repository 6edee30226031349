import {
  accessesOf,
  findPart,
  isConstant,
  pathsOf,
  resolveValue,
  stringConstantOf,
  type Binding,
  type CallValue,
  type ReferenceValue,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { awaited } from '../../../facts/conditions.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isNothing } from '../../../facts/values.ts'
import { isContextRoot, isRequestName } from '../../../model/script/index.ts'

/** The answer of a token endpoint, by its name: `tokenResponse`, `tokenExchangeResult`, `oauthTokenData`. */
const TOKEN_ANSWER = /^\w{0,40}?token(?:exchange|endpoint)?(?:response|result|answer|reply|resp|res|data|set|payload)$/i
/** Bound services with their credentials, as a whole. Facts: @sap/xsenv 5, README. */
const ALL_SERVICES = /^(?:read|get|filter|load)Services$/
/** Names of accounts that stand beside a credential: `TWILIO_ACCOUNT_SID`, `AWS_ACCESS_KEY_ID`. */
const ACCOUNT = /_ACCOUNT_SID$|ACCESS_KEY_ID$/
/** Who somebody is, as a whole. Facts: express-session, README, "req.session"; capire, "cds.context", `user.attr`. */
const CALLER = /^(?:session|user attr)$/

/** All of a file that a client sends, in a CAP handler. */
const CONTENT =
  /^(?:content|(?:file|csv|excel|xlsx|pdf|document|attachment|upload)_?(?:content|contents|data|buffer|base64|text|string)|base64_?(?:content|data|file|string))$/i

/**
 * What gives an address that lets its holder in until it expires, by the names that clients of storages share.
 * Facts: AWS SDK for JavaScript 3, @aws-sdk/s3-request-presigner and @aws-sdk/cloudfront-signer (`getSignedUrl`); @google-cloud/storage 7 (`getSignedUrl`); @azure/storage-blob 12 (`generateSasUrl`); minio 8 (`presignedGetObject`); @supabase/supabase-js 2 (`createSignedUrl`).
 */
const SIGNS_URL =
  /^(?:(?:get|create|generate|make)(?:Pre)?[sS]igned(?:Upload|Download)?U(?:rl|RL)(?:Promise|Sync)?|signUrl(?:Sync)?|generateSasUrl|presigned(?:Get|Put)?(?:Object|Url))$/

/** `const url = await getSignedUrl(client, command); console.log(url)`. */
function isSignedAddress(value: Value): boolean {
  const made = awaited(resolveValue(value))
  return made.kind === 'call' && SIGNS_URL.test(lastNameOf(made.callee) ?? '')
}

/** `console.log(req.user)`, `JSON.stringify(req.user)`; as a part of a text an object shows nothing. Fact: @sap/cds 9.9.3, lib/req/user.js: the id, roles and attributes of a user. */
function isWholeUser(value: Value, { args }: CallValue): boolean {
  const isUser = accessesOf(value).some(({ binding, steps }) => isRequestName(binding?.name) && steps.join(' ') === 'user')
  return (
    isUser &&
    args.some(
      (given) =>
        given === value ||
        // a list of names, or a function, leaves something out
        (given.kind === 'call' &&
          lastNameOf(given.callee) === 'stringify' &&
          given.args[0] === value &&
          isNothing(given.args[1])),
    )
  )
}

/** What decodes a token without a look at its signature, or with one. Facts: jwt-decode 4, jsonwebtoken 9 (README, `jwt.decode`, `jwt.verify`), jose 5 (`decodeJwt`). */
const DECODES = /^module:(?:jwt-decode(?: (?:default|jwtDecode|jwt_decode))?|jsonwebtoken (?:decode|verify)|jose decodeJwt) \(\)$/
/** Rows of a sheet. Fact: SheetJS 0.20, "Utilities", `sheet_to_json`. */
const SHEET_ROWS = /^module:xlsx (?:default )?utils sheet_to_(?:json|csv) \(\)$/
/** What gives rows as they are. */
const PASSES = /^(?:slice|filter|flat|reverse|concat|toSorted|sort)$/

/** `JSON.parse(Buffer.from(token.split('.')[1], 'base64').toString())`, `jwtDecode(token)`: all that a token says of its user. */
function isClaims(value: Value): boolean {
  const made = awaited(resolveValue(value))
  if (made.kind !== 'call') return false
  if (pathsOf(made).some((path) => DECODES.test(path.join(' ')))) return true
  const [text] = made.args
  return lastNameOf(made.callee) === 'parse' && text !== undefined && findPart(text, isPayload) !== undefined
}

/** `token.split('.')[1]`. Fact: RFC 7515, section 3.1. */
function isPayload(part: Value): boolean {
  if (part.kind !== 'member' || part.name !== '1') return false
  const parts = resolveValue(part.object)
  return parts.kind === 'call' && lastNameOf(parts.callee) === 'split' && stringConstantOf(parts.args[0]) === '.'
}

/** `XLSX.utils.sheet_to_json(sheet)`, `rows.slice(1)`. */
function isSheet(value: Value, hops = 0): boolean {
  const made = awaited(resolveValue(value))
  if (made.kind !== 'call' || hops > MAX_HOPS) return false
  if (pathsOf(made).some((path) => SHEET_ROWS.test(path.join(' ')))) return true
  return made.callee.kind === 'member' && PASSES.test(made.callee.name ?? '') && isSheet(made.callee.object, hops + 1)
}

const MAX_HOPS = 4

/** As an argument of its own or as JSON: as a part of a text an object shows nothing. */
function isWritten(value: Value, { args }: CallValue): boolean {
  const isJson = (part: Value): boolean =>
    part.kind === 'call' && lastNameOf(part.callee) === 'stringify' && part.args[0] === value && isNothing(part.args[1])
  return args.some((given) => given === value || findPart(given, isJson) !== undefined)
}

/** A column of passwords, hashed or not: `PASSWORD`, `USER_PASSWORD`, `password_hash`. */
const PASSWORDS = /^(?:[A-Z]{1,20}_){0,3}(?:PASSWORD|PASSWD|PWD)(?:_?HASH)?$|^(?:hashed_?[pP]|p)assword(?:_?[hH]ash(?:ed)?)?$/

/**
 * Records whose password the script compares with that of a login, `bcrypt.compare(password, rows[0].PASSWORD)`, each with the place from which on it is without it: `delete keeper.password`.
 * Facts: bcrypt 6, bcryptjs 3, argon2 0.44 (README).
 */
export function recordsWithPassword({ calls, deletions, assignments }: ScriptFacts): ReadonlyMap<Binding, number> {
  const compared = calls.filter(({ callee }) => /^(?:compare|compareSync|verify)$/.test(lastNameOf(callee) ?? ''))
  const records = new Map<Binding, number>()
  for (const given of compared.flatMap(({ args }) => args.slice(0, 2))) {
    const record = recordOf(given)
    if (record?.binding !== undefined && isAnswered(record)) records.set(record.binding, Infinity)
  }
  const emptied = assignments.flatMap(({ target, value }) => (isConstant(value) || isNothing(value) ? target : []))
  for (const target of [...deletions, ...emptied]) {
    const binding = recordOf(target)?.binding
    const from = binding && records.get(binding)
    if (binding !== undefined && from !== undefined) records.set(binding, Math.min(from, target.start))
  }
  return records
}

/** The name of the record, or of the records, that a password is read of: `keeper.password`, `rows[0].PASSWORD`. */
function recordOf(password: Value): ReferenceValue | undefined {
  const owner = rowOfPassword(password)
  const row = owner?.kind === 'member' ? owner.object : owner
  return row?.kind === 'reference' ? row : undefined
}

/** The row that a password is read of. */
function rowOfPassword(value: Value): Value | undefined {
  return value.kind === 'member' && PASSWORDS.test(value.name ?? '') ? value.object : undefined
}

/** What a call gives, such as a query. */
function isAnswered(value: Value): boolean {
  return awaited(resolveValue(value)).kind === 'call'
}

/** A password of a row that was read: `rows[0].PASSWORD`. */
function isStoredPassword(value: Value): boolean {
  const row = rowOfPassword(value)
  return row !== undefined && (isAnswered(row) || (row.kind === 'member' && isAnswered(row.object)))
}

/** What is logged as a whole: the caller, all claims of a token, all rows of a sheet, records with passwords; and a password among such a record. */
export function objectApart(
  value: Value,
  call: CallValue,
  withPassword: ReadonlyMap<Binding, number>,
): 'caller' | 'content' | 'result' | 'configured' | undefined {
  if (isWholeUser(value, call)) return 'caller'
  if (isStoredPassword(value)) return 'configured'
  if (value.kind !== 'reference' || value.binding === undefined) return undefined
  const kind =
    value.start < (withPassword.get(value.binding) ?? -1)
      ? 'result'
      : isClaims(value)
        ? 'caller'
        : isSheet(value)
          ? 'content'
          : undefined
  return kind !== undefined && isWritten(value, call) ? kind : undefined
}

/** What is logged and is no credential by its own name. */
export function partApart(value: Value): 'body' | 'content' | 'account' | 'result' | 'caller' | 'signed' | undefined {
  if (isSignedAddress(value)) return 'signed'
  if (value.kind === 'reference' && value.binding !== undefined && TOKEN_ANSWER.test(value.name)) return 'result'
  if (value.kind !== 'member' && value.kind !== 'reference') return undefined
  for (const { root, steps, binding } of accessesOf(value)) {
    const [first = '', second] = steps
    if (root === 'global:process' && first === 'env' && steps.length === 2 && ACCOUNT.test(second ?? '')) return 'account'
    if (root === 'module:@sap/xsenv' && ALL_SERVICES.test(first) && second === '()' && steps.length === 2) return 'result'
    if (isRequestName(binding?.name) && steps.length === 1 && first === 'body') return 'body'
    if (isContextRoot(root) && first === 'data' && steps.length > 1 && CONTENT.test(steps.at(-1) ?? '')) return 'content'
    if (isRequestName(binding?.name) && CALLER.test(steps.join(' '))) return 'caller'
  }
  return undefined
}
