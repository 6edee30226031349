import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { excerptOf, findOrigin, findPart, type FunctionFact, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isComparing } from '../../../facts/values.ts'
import { isWithin } from '../../../facts/span-index.ts'
import { findHandlers } from '../../../model/cap/index.ts'
import { isDeveloperFile, isOfUi5App } from '../../../model/script/index.ts'
import type { RuleText, Span } from '../../../types.ts'

/** A handler of READ that looks for the caller in the text of the request, and binds the query to nothing. Its span is the question. */
interface PatternCheck extends Span {
  readonly service: string | undefined
  readonly isConnected: boolean
  readonly entities: readonly string[] | undefined
  /** The question as it is written. */
  readonly written: string
}

/**
 * `const [, asked] = req._.req.url.match(/owner eq '(\w+)'/); if (asked !== req.user.id) req.reject(403)`: the filter may hold more than that.
 * Fact: OData 4.01, "URL Conventions", 5.1.1.1: conditions are joined by `or` and `and`.
 */
export const patternChecks: Extract<PatternCheck> = defineExtract({
  name: 'cap-pattern-checks',
  keywords: ['.url', 'originalUrl', 'JSON.stringify', '$filter'],
  prefilter: (text) => /\bREAD\b|'\*'/.test(text) && /\b(?:match|exec|test|includes|indexOf)\(/.test(text) && CALLER.test(text),
  isFor: (path) => !isOfUi5App(path) && !isDeveloperFile(path),
  *collect({ facts, text, step }) {
    for (const { phase, service, events, entities, isTargeted, fact } of findHandlers(facts)) {
      const isEarly = phase === 'before' || phase === 'on' || phase === 'prepend'
      if (!isEarly || !isTargeted || fact === undefined || !events.some((name) => name === 'READ' || name === '*')) continue
      const code = bodyOf(fact, text)
      step(1 + (code.length >> 6))
      if (!limitsNothing(code, phase)) continue
      const found = checkIn(fact, facts, text, step)
      if (found === undefined) continue
      const { start, end } = found
      yield {
        start,
        end,
        service: service.name,
        isConnected: service.kind === 'connected',
        entities,
        written: excerptOf(text, found),
      }
    }
  },
})

/** A handler that verifies a token, by the span of its function; `asks`: what the token tells decides whether it refuses. */
interface TokenHandler extends Span {
  readonly asks: boolean
}

/**
 * Handlers of READ that verify a token and do no more about the rows, which tell who calls, and those that refuse by what is in it.
 * Facts: jsonwebtoken 9 (`verify`), jose 5 (`jwtVerify`), @sap/xssec 4 (`createSecurityContext`).
 */
export const tokenHandlers: Extract<TokenHandler> = defineExtract({
  name: 'cap-tokens-in-handlers',
  keywords: ['verify', 'createSecurityContext'],
  prefilter: (text) => /\bREAD\b|'\*'/.test(text) && VERIFIES.test(text),
  isFor: (path) => !isOfUi5App(path) && !isDeveloperFile(path),
  *collect({ facts, text, step }) {
    for (const { phase, fact } of findHandlers(facts)) {
      if (fact === undefined || (phase !== 'before' && phase !== 'on')) continue
      const code = bodyOf(fact, text)
      step(1 + (code.length >> 6))
      const verified = VERIFIES.exec(code)
      if (verified === null) continue
      const asks = REFUSES.test(code) && REFUSES_SOME.test(code.slice(verified.index).replace(OF_FAULT, ''))
      if (asks || (!MAY_ASK.test(code) && limitsNothing(code, phase))) yield { start: fact.start, end: fact.end, asks }
    }
  },
})

/** `jwt.verify(…)`, `verify(token, …)`; what takes the user may ask for more. */
const VERIFIES =
  /\b(?:(?:jwt|jsonwebtoken|jws|jose)\w{0,20}\.(?:verify|jwtVerify)|jwtVerify|(?:xssec\w{0,10}\.)?createSecurityContext|(?<![.\w])verify(?=\s{0,4}\([^()\n]{0,60}\b(?:token|jwt|bearer)\b))\s{0,4}\(/i
/** Behind it: what a token tells is compared, or tells what its owner may do; or somebody is known, and refused. */
const REFUSES_SOME =
  /[=!]==?(?![=\s]{0,4}(?:undefined|null|'undefined')\b)|\b(?:is|has|can|may)[A-Z]|\.(?:includes|some|every|indexOf)\s{0,4}\(|\bscopes?\b|\bgroups?\b|\b403\b|forbidden/
/** `error.name === 'TokenExpiredError'`. */
const OF_FAULT = /\b(?:e|err|error|fault)\??\.(?:name|code|message)\s{0,4}[=!]==?/g
/** It looks at the query, the row or roles, or calls what may do so. */
const MAY_ASK =
  /\b(?:SELECT|where|query|params|data|roles?|owner)\b|\.(?:run|read|is|has)\s{0,4}\(|\b\w{0,40}(?:own|permission|allowed|access|privileg|role|guard|admin|limit|restrict|filter)\w{0,40}\s{0,4}\(/i

function bodyOf({ start, end }: FunctionFact, text: string): string {
  const whole = text.slice(start, end)
  return whole.slice(whole.indexOf('{'))
}

/** Nothing in the code of a handler, and nothing that it hands the request to, binds the query or looks at all rows. */
function limitsNothing(code: string, phase: string): boolean {
  return !(
    BINDS.some((one) => one.test(code)) ||
    [...code.matchAll(TAKES_REQUEST)].some(([, name = '']) => !KNOWS_CALLER.test(name) || MAY_LIMIT.test(name)) ||
    (TAKES_ROWS.test(code) && !OF_FIRST.test(code)) ||
    (phase !== 'before' && !/\bnext\(/.test(code))
  )
}

const CALLER = /\buser\b/i
/**
 * What limits the rows by itself: a condition of its own or a query of its own, a look at the rows that CAP has found, a pattern for the whole text.
 */
const BINDS: readonly RegExp[] = [
  /query\s{0,4}\.\s{0,4}(?:where|and)\s{0,4}\(|\.where\s{0,4}(?:=[^=]|\.push)|\.query\s{0,4}=[^=]/,
  /\breturn\s{1,4}(?:await\s{1,4})?(?:SELECT\b|[\w.]{1,40}\.(?:run|read)\s{0,4}\()/,
  /\.(?:filter|every|some)\s{0,4}\(/,
  /\/\^(?:[^\n\\/]|\\.){1,200}\$\//,
]
/** `const rows = await next()`: each of them may be looked at, where it isn't the first alone. */
const TAKES_ROWS = /=\s{0,4}await\s{1,4}next\s{0,4}\(/
/** `limitToOwn(req)`; what only finds out who calls limits no rows. */
const TAKES_REQUEST = /\b(\w{1,60})\s{0,4}\(\s{0,4}req(?:uest)?\s{0,4}[,)]/g
const KNOWS_CALLER = /verif|authenti|token|log_?in|decode/i
/** `verifyOwnership(req)`, `limitToLoginOf(req)`. */
const MAY_LIMIT = /own|row|record|permission|allowed|access(?!_?token)|privileg|role|guard|admin|limit|restrict|filter|author/i
const OF_FIRST = /\w\[0\]\s{0,4}\??\./
const REFUSES = /\b(?:reject|throw)\b|\.\s{0,4}error\b/

/** The condition that refuses, where it compares the caller with a part of the text of the request. */
function checkIn(fact: FunctionFact, { guards }: ScriptFacts, text: string, step: (count?: number) => void): Value | undefined {
  step(guards.length)
  for (const { test, inside } of guards) {
    if (!isWithin(inside, fact) || !REFUSES.test(text.slice(inside.start, inside.end))) continue
    const found = findPart(test, (part) =>
      comparedIn(part).some(([one, other]) => isOfCaller(one, text) && isOfText(other, text, step)),
    )
    if (found !== undefined) return test
  }
  return undefined
}

/** The two sides of a comparison, `asked !== user.id`, and of a look for one in the other, `where.includes(user.id)`. */
function comparedIn(part: Value): readonly (readonly [Value, Value])[] {
  if (part.kind === 'operation' && isComparing(part.operator)) {
    const [one, other] = part.operands
    return one === undefined || other === undefined
      ? []
      : [
          [one, other],
          [other, one],
        ]
  }
  if (part.kind !== 'call' || part.callee.kind !== 'member' || !/^(?:includes|indexOf)$/.test(part.callee.name ?? '')) return []
  const [sought] = part.args
  return sought === undefined ? [] : [[sought, part.callee.object]]
}

function isOfCaller(value: Value, text: string): boolean {
  const written = text.slice(value.start, Math.min(value.end, value.start + MAX_CALLER))
  return value.end - value.start < MAX_CALLER && CALLER.test(written) && !SHARED.test(written)
}

/** What all users of a tenant have in common: their rows are apart. */
const SHARED = /\.(?:tenant|locale)\b/

const MAX_CALLER = 120

/** It is made of the address, of its filter, or of the query as a text. */
function isOfText(value: Value, text: string, step: (count?: number) => void): boolean {
  const found = findOrigin(value, (part) => {
    step()
    if (part.kind === 'member' && ADDRESS.test(part.name ?? ''))
      return /\b(?:req|oReq)(?:uest)?\b|\b_\b/.test(text.slice(part.start, part.end)) ? 'source' : 'clean'
    if (part.kind !== 'call') return undefined
    const [given] = part.args
    const isWritten =
      lastNameOf(part.callee) === 'stringify' && given !== undefined && QUERY.test(text.slice(given.start, given.end))
    return isWritten ? 'source' : undefined
  })
  return found !== undefined
}

const ADDRESS = /^(?:url|originalUrl|\$filter)$/
const QUERY = /\bquery\b|\bwhere\b/

/** The words of `cap/row-filter-fails-open` for it. */
export const PATTERN_WORDS: Readonly<Record<'en' | 'fr', RuleText>> = {
  en: {
    title: 'Access decided by a pattern in the text of the request',
    message:
      'The handler looks for the caller in the text of the request ({value}) before it returns rows of {entity}, and adds no condition to the query.',
    why: "Any user reads the rows of all others with a filter that holds the expected part and more, such as $filter=owner eq 'me' or ID ne null.",
    fix: 'Add the condition to the query whatever the request holds: req.query.where({ owner: req.user.id }), or @restrict with where in the model. Do not read the address or the text of the filter.',
  },
  fr: {
    title: 'Accès décidé par un motif dans le texte de la requête',
    message:
      'Le gestionnaire cherche l’appelant dans le texte de la requête ({value}) avant de renvoyer des lignes de {entity}, et n’ajoute aucune condition à la requête.',
    why: "Tout utilisateur lit les lignes de tous les autres avec un filtre qui contient la partie attendue et davantage, par exemple $filter=owner eq 'me' or ID ne null.",
    fix: 'Ajoutez la condition quoi que contienne la requête : req.query.where({ owner: req.user.id }), ou @restrict avec where dans le modèle. Ne lisez ni l’adresse ni le texte du filtre.',
  },
}
