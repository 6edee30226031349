import { calleeOf, fieldOf, resolveValue, type FunctionFact, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { nameWithOwner } from '../../../facts/asked-values.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isWithin } from '../../../facts/span-index.ts'
import { AUTHENTICATES, VERBS } from '../../../flow/tables/routes.ts'
import type { GradeFacts, RuleText, Span } from '../../../types.ts'
import { clientData } from '../_rows/client-data.ts'

/** An account that a route behind a login finds by what the client sends, and then answers with or changes. */
interface AskedAccount extends Span {
  readonly column: string
  readonly client: string
  readonly variant: 'account'
  readonly grade: GradeFacts
}

const ACCOUNTS = /^\w{0,20}(?:User|Account|Customer|Member|Employee)s?$/
const BY_KEY = /^(?:findById|findByPk)$/
const BY_ROW = /^(?:findOne|findUnique|findFirst)$/
const KEY = /^_?id$/i
/** The handler looks at who calls, at a role, or at a password. */
const LOOKS =
  /\b(?:req|request|oReq|oRequest|ctx|res)\s{0,4}[!?]?\.\s{0,4}(?:user\w{0,20}|auth\w{0,20}|payload|decoded\w{0,10}|token\w{0,10}|session|account|currentUser|locals|state)\b|admin|role|permission|passw|otp\b|[cC]ompare/i
/** It gives back a token of the account, or keeps what it has changed. */
const GIVES_TOKEN = /\b(?:res|response|ctx)\b[^;]{0,200}\b\w{0,20}(?:[tT]oken|JWT|[aA]uthJSON|AuthResponse)\b/
const CHANGES = /\.(?:save|remove|deleteOne|destroy|updateOne|update)\(/

/** Facts: Mongoose 8, `Model.findById`; Sequelize 6, `findByPk`; Prisma 6, `findUnique` (README of each). */
export function* askedAccounts(facts: ScriptFacts, text: string, step: (count?: number) => void): Generator<AskedAccount> {
  for (const call of facts.calls) {
    step()
    const { callee, args } = call
    if (!('object' in callee) || !ACCOUNTS.test(lastNameOf(callee.object) ?? '')) continue
    const key = keyIn(lastNameOf(callee) ?? '', args[0])
    const found = key && clientData(key)
    if (key === undefined || found === undefined || found.part === 'params') continue
    step(facts.calls.length)
    const handler = handlerBehindLogin(call, facts)
    const body = handler === undefined ? '' : text.slice(handler.start, handler.end)
    const isChanged = CHANGES.test(body)
    if (handler === undefined || LOOKS.test(body) || (!isChanged && !GIVES_TOKEN.test(body))) continue
    const { start, end } = key
    yield { start, end, column: 'id', client: found.client, variant: 'account', grade: { impact: 'takeover', evidence: 'shown' } }
  }
}

/** `findById(req.body.id)`, `findOne({ _id: req.body.id })`, `findUnique({ where: { id: req.body.id } })` */
function keyIn(method: string, given: Value | undefined): Value | undefined {
  if (given === undefined) return undefined
  if (BY_KEY.test(method)) return given
  if (!BY_ROW.test(method)) return undefined
  const made = resolveValue(given)
  const where = fieldOf(made, 'where')?.value
  const row = where === undefined ? made : resolveValue(where)
  return 'fields' in row && row.fields.length === 1 ? row.fields.find(({ key }) => KEY.test(key ?? ''))?.value : undefined
}

/** The function that answers a route with a middleware that authenticates: `router.put('/me', auth.required, handler)`. */
function handlerBehindLogin(place: Span, { calls }: ScriptFacts): FunctionFact | undefined {
  for (const { callee, args } of calls) {
    if (!('object' in callee) || !VERBS.has(callee.name ?? '') || args.length < 3) continue
    const handler = functionOf(args.at(-1))
    if (handler === undefined || !isWithin(place, handler)) continue
    // auth.required, passport.authenticate('jwt')
    const isBehind = args.slice(1, -1).some((one) => AUTHENTICATES.test(nameWithOwner(calleeOf(one))))
    if (isBehind) return handler
  }
  return undefined
}

export const ACCOUNT_WORDS: { readonly en: RuleText; readonly fr: RuleText } = {
  en: {
    title: 'Account selected by an ID from the request',
    message:
      'This route finds an account by {column} = {value}, which the client sends, and does not compare it with its caller.',
    why: 'A user who sends the ID of another user gets the token of that account, or changes it, and acts as that user.',
    fix: 'Find the account of the caller: take the ID from what the middleware verified (req.user.id), not from the request. Let only administrators name another account.',
  },
  fr: {
    title: 'Compte choisi par un identifiant de la requête',
    message: 'Cette route cherche un compte avec {column} = {value}, envoyé par le client, sans le comparer à son appelant.',
    why: 'Un utilisateur qui envoie l’identifiant d’un autre obtient le jeton de ce compte, ou le modifie, et agit en son nom.',
    fix: 'Cherchez le compte de l’appelant : prenez l’identifiant dans ce que le middleware a vérifié (req.user.id), et non dans la requête. Ne laissez que les administrateurs désigner un autre compte.',
  },
}
