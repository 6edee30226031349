import { listNames } from '../../../arguments.ts'
import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { excerptOf, pathOf, resolveValue, type FunctionFact, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { createInnerIndex } from '../../../facts/span-index.ts'
import { findHandlers, isAdministrative, type CapRoot, type PayloadType } from '../../../model/cap/index.ts'
import { isDeployedCode } from '../../../model/script/index.ts'
import { quoteWord } from '../../../quote.ts'
import type { Match, RuleText, Span } from '../../../types.ts'
import { mentionsUser } from '../_callers/asked-users.ts'
import { secretsByEntity, wholeRowsOf } from '../_logs/rows.ts'
import { CRUD } from '../_rows/owner-marks.ts'
import { eventOf, type OwnedQuery } from '../_rows/owned-queries.ts'
import { callersOf } from '../_rows/row-owners.ts'

/** Rows with all their elements that the handler of an operation gives back, or puts into a token. */
export interface ReturnedCredentials extends Span, Pick<OwnedQuery, 'event'> {
  readonly kind: 'returned' | 'signed'
  /** As it is written. */
  readonly part: string
  /** The last part of its name. */
  readonly entity: string
  /** Of the one who calls: found by the user of the request, or by a password. */
  readonly isOwn: boolean
  /** Elements that the script takes out of rows, or overwrites. */
  readonly removed: readonly string[]
}

/** `return { user: rows[0] }` of `const rows = await SELECT.from(Users).where(…)`. Fact: capire, "Querying in JavaScript": without columns a query gives all elements. */
export const returnedCredentials: Extract<ReturnedCredentials> = defineExtract({
  name: 'cap-returned-credentials',
  keywords: ['SELECT', '.read('],
  prefilter: (text) => /\.on\s{0,4}\(/.test(text),
  isFor: isDeployedCode,
  collect: ({ facts, text, step }) => [...findReturned(facts, text, step)],
})

/** The caller proves who it is by a password or a code. */
const PROVES = /passw|pwd|kennwort|senha|otp\b|one_?time/i
/** `jwt.sign(user, …)`. Fact: jsonwebtoken 9, README: the payload is signed, and everybody who has the token can read it. */
const SIGNS = /^module:(?:jsonwebtoken|jwt-simple) (?:default )?(?:sign|encode)$/

function* findReturned(facts: ScriptFacts, text: string, step: (count?: number) => void): Generator<ReturnedCredentials> {
  const handlers = findHandlers(facts).filter(({ phase, events, fact, service }) => {
    const isOperation = events.length > 0 && events.every((event) => event !== undefined && !CRUD.test(event))
    return phase === 'on' && isOperation && fact !== undefined && service.kind !== 'connected'
  })
  if (handlers.length === 0) return
  const callsIn = createInnerIndex(facts.calls)
  const removed = [...facts.deletions, ...facts.assignments.map(({ target }) => target)].flatMap(({ name }) => name ?? [])
  const seen = new Set<number>()
  for (const handler of handlers) {
    const { fact } = handler
    if (fact === undefined) continue
    step(1 + fact.returns.length)
    const returned = fact.returns.flatMap((value) => partsOf(value))
    const signed = callsIn(fact).flatMap(({ callee, args: [payload] }) =>
      payload !== undefined && SIGNS.test(pathOf(callee)?.join(' ') ?? '') ? partsOf(payload) : [],
    )
    for (const [kind, parts] of [
      ['returned', returned],
      ['signed', signed],
    ] as const)
      for (const part of parts) {
        step()
        const rows = wholeRowsOf(rowsOf(part))
        if (rows === undefined || seen.has(part.start)) continue
        seen.add(part.start)
        const { entity, query } = rows
        const isOwn = provesItself(query, fact, text)
        const { start, end } = part
        yield { kind, start, end, part: excerptOf(text, part), entity, isOwn, removed, ...eventOf(handler) }
      }
  }
}

const MAX_DEPTH = 3

/** What an answer consists of: `{ user: rows[0] }`, `{ ...row, token }`, one or the other. */
function partsOf(value: Value, depth = 0): readonly Value[] {
  if (depth > MAX_DEPTH) return []
  const made = value.kind === 'reference' ? resolveValue(value) : value
  if (made.kind === 'object') return made.fields.flatMap((field) => partsOf(field.value, depth + 1))
  if (made.kind === 'spread') return partsOf(made.value, depth + 1)
  if (made.kind === 'choice') return made.options.flatMap((option) => partsOf(option, depth + 1))
  return [value]
}

/** `rows` of `rows[0]`. */
function rowsOf(part: Value): Value {
  const isItem = part.kind === 'member' && part.name !== undefined && /^\d{1,3}$/.test(part.name)
  return isItem ? part.object : part
}

function provesItself(query: Value & Span, fact: FunctionFact, text: string): boolean {
  if (PROVES.test(text.slice(query.start, query.end)) || mentionsUser(query)) return true
  // the password is compared behind the query
  return /\b(?:compare|verify|check|validate)\w{0,30}\s{0,4}\(/i.test(text.slice(fact.start, fact.end))
}

/** The credential is what the operation is for: a new key is shown once. */
const HANDS_OUT = /create|generat|issue|rotat|renew|token|credential|secret|(?:api|access)_?key/i

/** Needs the extract `returnedCredentials`. */
export function* credentialsReturned(root: CapRoot): Generator<Match> {
  const rows = root.test || root.runtime === 'java' ? [] : root.scripts.get(returnedCredentials)
  if (rows.length === 0) return
  const secrets = secretsByEntity(root)
  for (const { file, value } of rows) {
    root.step()
    const { kind, start, end, part, entity, event, isOwn, removed } = value
    const elements = (secrets.get(entity) ?? []).filter((name) => !removed.includes(name) && !/(?:code|cvv|cvc)$/i.test(name))
    if (elements.length === 0 || event === undefined) continue
    const { answer } = root.eventOf({ ...event, file, events: event.names, entities: undefined })
    if (kind === 'returned' && (event.names.some((name) => HANDS_OUT.test(name)) || !mayHold(answer(), elements))) continue
    const callers = callersOf(root, file, value)
    if (callers.length > 0 && callers.every(isAdministrative)) continue
    const areHashes = elements.every((name) => /hash|digest/i.test(name))
    yield {
      at: { file, span: { start, end } },
      variant: kind,
      args: { value: quoteWord(part), entity: quoteWord(entity), elements: listNames(elements) },
      ...(isOwn || kind === 'signed'
        ? { impact: 'defence' as const, evidence: 'shown' as const }
        : areHashes && { impact: 'data' as const }),
      groupKey: `${kind} ${file} ${entity}`,
    }
  }
}

/** An operation that declares what it returns, without the elements, answers with what it declares. */
function mayHold(type: PayloadType | undefined, elements: readonly string[], depth = 0): boolean {
  if (type === undefined || depth > MAX_DEPTH) return false
  if (type.isOpen === true) return true
  const inner = [...(type.fields ?? [])]
  return inner.some(([name, one]) => elements.includes(name) || mayHold(one, elements, depth + 1))
}

export const RETURNED_WORDS: Readonly<Record<'en' | 'fr', Readonly<Record<'returned' | 'signed', RuleText>>>> = {
  en: {
    returned: {
      title: 'Credentials in the result of a CAP operation',
      message: 'The handler returns {value}, rows of {entity} as they were read, with {elements:and}.',
      why: 'A query without columns reads all elements, and the client gets them: credentials in responses are read in the browser, in proxies and in logs, and those of other users let a caller act as them.',
      fix: "Name the elements that the client needs in the query, .columns('ID', 'name'), and leave {elements:and} out. Store passwords of users as hashes only, and compare them on the server.",
    },
    signed: {
      title: 'Credentials in the payload of a token',
      message: 'The payload of the token is {value}, a row of {entity} as it was read, with {elements:and}.',
      why: 'A JWT is signed, not encrypted: scripts of the page, browser extensions, proxies and logs that see the token can read the credentials in it.',
      fix: 'Sign only what identifies the user, such as { sub: row.ID }, and leave {elements:and} out of the token.',
    },
  },
  fr: {
    returned: {
      title: 'Secrets dans le résultat d’une opération CAP',
      message: 'Le gestionnaire renvoie {value}, des lignes de {entity} telles qu’elles ont été lues, avec {elements:et}.',
      why: 'Une requête sans colonnes lit tous les éléments, et le client les reçoit : des secrets se lisent dans le navigateur, les proxys et les journaux, et ceux d’autres utilisateurs permettent d’agir en leur nom.',
      fix: "Nommez dans la requête les éléments nécessaires, .columns('ID', 'name'), sans {elements:et}. N’enregistrez les mots de passe que sous forme de hachages et comparez-les sur le serveur.",
    },
    signed: {
      title: 'Secrets dans le contenu d’un jeton',
      message: 'Le contenu du jeton est {value}, une ligne de {entity} telle qu’elle a été lue, avec {elements:et}.',
      why: 'Un JWT est signé, non chiffré : les scripts de la page, les extensions du navigateur, les proxys et les journaux qui voient le jeton peuvent y lire les secrets.',
      fix: 'Ne signez que ce qui identifie l’utilisateur, par exemple { sub: row.ID }, et retirez {elements:et} du jeton.',
    },
  },
}
