import {
  constantOf,
  excerptOf,
  findPart,
  resolveValue,
  valuesOf,
  type CallValue,
  type ObjectField,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { findCallbacks } from '../../facts/callbacks.ts'
import { serviceKindOf, toCapFile } from '../../flow/cap-receivers.ts'
import { createDevelopmentReader } from '../../model/script/index.ts'
import type { Match, Span } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { findClaimUses } from './_claim-uses.ts'
import { createVerificationReader, findDecodings, verifiesTokens } from './_decoded-tokens.ts'
import { findRequestUsers } from './_request-users.ts'

/** A decision of a server by the claims of a token whose signature nobody checked, or a check with a hole in it.
 *  A user of CAP that is made of such claims belongs to cap/custom-auth-unsafe. In handlers of a CAP service the runtime may have checked the token.
 *  Facts: jsonwebtoken 9.0.3 (verify.js: without `algorithms` the key decides, so leaving them out is no fault; `none` only counts without a key), jwt-decode 4.0.0. */
export const jwtNotVerified: Rule = defineRule({
  id: 'cap/jwt-not-verified',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [347],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/node.js/authentication',
  keywords: ['jwt', 'jose', 'atob', 'base64', 'ignoreExpiration', 'ignoreNotBefore'],
  prefilter: (text) =>
    /\bdecode|jwt_?decode|jwtDecode|split\(\s{0,8}["'`]\.["'`]|ignoreExpiration|ignoreNotBefore|["'`]none["'`]/i.test(text),
  on: 'server-script',

  *check({ path, text, content: { facts }, budget }): Generator<Match> {
    const isForDevelopers = createDevelopmentReader(facts)
    yield* judgeOptions(path, facts, isForDevelopers)
    const all = findDecodings(facts)
    if (all.length === 0) return
    budget.step(facts.calls.length)
    const isVerified = createVerificationReader(facts)
    // a token that somebody hands over may have been checked by whatever else this file checks with
    const isElsewhere = verifiesTokens(facts)
    const owned = new Set(findRequestUsers(facts).flatMap(({ decodings }) => decodings))
    const decodings = all.filter((call) => !owned.has(call))
    const uses = findClaimUses(facts, decodings, () => budget.step())
    const isInHandler = createHandlerReader(facts)
    for (const call of decodings) {
      const use = uses.get(call)
      const args = { call: excerptOf(text, call.callee) }
      const at = { file: path, span: { start: call.start, end: call.end } }
      if (use === undefined || use === 'log' || isForDevelopers(call)) continue
      if (isElsewhere) {
        budget.step(facts.calls.length)
        if (!isOfRequest(call) || isVerified(call)) continue
      }
      if (use === 'decision')
        yield isInHandler(call) ? { at, args, variant: 'handler', severity: 'MEDIUM', confidence: 'medium' } : { at, args }
      else if (isOfRequest(call)) yield { at, args, variant: 'read', severity: 'LOW', confidence: 'medium' }
    }
  },

  text: {
    en: {
      title: 'Claims of an unchecked token decide',
      message: '{call} reads the token without checking its signature, and its claims decide here.',
      why: 'Anybody can write a token with any user, tenant and scope in it; without the check of the signature it is believed.',
      fix: "Verify it: jwt.verify(token, key, { algorithms: ['RS256'] }), or @sap/xssec createSecurityContext; in CAP use req.user, which is verified.",
      variants: {
        handler: {
          title: 'Claims are read past the checked user',
          message: '{call} reads the token by itself, and its claims decide in a handler of a service, instead of req.user.',
          why: 'The claims are those of a checked token only as long as the service asks for a login: with a service that is open, or another authentication, anybody writes them.',
          fix: 'Ask the verified user: req.user.is(…), req.user.attr, req.tenant.',
        },
        read: {
          title: 'A token is read without being checked',
          message: '{call} reads the token of a request without checking its signature.',
          why: 'Whatever is done with its claims, the caller may have made them up.',
        },
        none: {
          title: 'Tokens without a signature are taken',
          message: '"none" is among the algorithms.',
          fix: "Name the algorithm of your tokens alone: algorithms: ['RS256'].",
        },
        expired: {
          title: 'Expired tokens are taken',
          message: '{call} is true: a token is taken for ever.',
          why: 'Who once got hold of a token, from a log or an old device, keeps the access of its user.',
          fix: 'Remove {call}, and let clients fetch a new token.',
        },
      },
    },
    fr: {
      title: 'Les claims d’un jeton non vérifié décident',
      message: '{call} lit le jeton sans vérifier sa signature, et ses claims décident ici.',
      why: 'N’importe qui peut écrire un jeton avec l’utilisateur, le tenant et les scopes de son choix ; sans vérification de la signature, on le croit.',
      fix: "Vérifiez-le : jwt.verify(token, key, { algorithms: ['RS256'] }), ou createSecurityContext de @sap/xssec ; dans CAP, prenez req.user, qui est vérifié.",
      variants: {
        handler: {
          title: 'Des claims sont lus sans passer par l’utilisateur vérifié',
          message:
            '{call} lit le jeton directement, et ses claims décident dans un gestionnaire d’un service, au lieu de req.user.',
          why: 'Ces claims ne sont ceux d’un jeton vérifié que tant que le service exige une connexion : avec un service ouvert, ou une autre authentification, n’importe qui les écrit.',
          fix: 'Interrogez l’utilisateur vérifié : req.user.is(…), req.user.attr, req.tenant.',
        },
        read: {
          title: 'Un jeton est lu sans être vérifié',
          message: '{call} lit le jeton d’une requête sans vérifier sa signature.',
          why: 'Quoi que l’on fasse de ses claims, l’appelant a pu les inventer.',
        },
        none: {
          title: 'Des jetons sans signature sont acceptés',
          message: '« none » figure parmi les algorithmes.',
          fix: "Ne nommez que l’algorithme de vos jetons : algorithms: ['RS256'].",
        },
        expired: {
          title: 'Des jetons expirés sont acceptés',
          message: '{call} vaut true : un jeton est accepté pour toujours.',
          why: 'Qui a mis la main une fois sur un jeton, dans un journal ou sur un vieil appareil, garde les accès de son utilisateur.',
          fix: 'Supprimez {call}, et laissez les clients demander un nouveau jeton.',
        },
      },
    },
  },
})

/** Options of `verify` and its like that leave a hole. */
function* judgeOptions(file: string, facts: ScriptFacts, isForDevelopers: (place: Span) => boolean): Generator<Match> {
  if (!facts.imports.some(({ source }) => /jwt|jsonwebtoken|jose|jws/i.test(source))) return
  for (const { value } of valuesOf(facts)) {
    if (value.kind !== 'object') continue
    for (const field of value.fields) {
      const match = judgeOption(field)
      if (match === undefined || isForDevelopers(field)) continue
      // whoever renews or ends a session reads the token that has just expired
      if (match.variant === 'expired' && isAboutEnd(field, facts)) continue
      yield { at: { file, span: { start: field.start, end: field.value.end } }, args: { call: field.key ?? '' }, ...match }
    }
  }
}

function judgeOption({ key, value }: ObjectField): Pick<Match, 'variant' | 'severity'> | undefined {
  switch (key) {
    case 'ignoreExpiration':
      return constantOf(value) === true ? { variant: 'expired', severity: 'MEDIUM' } : undefined
    case 'ignoreNotBefore':
      return constantOf(value) === true ? { variant: 'expired', severity: 'LOW' } : undefined
    case 'algorithms':
    case 'algorithm': {
      const given = resolveValue(value)
      const names = (given.kind === 'array' ? given.items : [given]).map((item) => constantOf(item))
      if (!names.some((name) => typeof name === 'string' && name.toLowerCase() === 'none')) return undefined
      return { variant: 'none', severity: names.length > 1 ? 'MEDIUM' : 'HIGH' }
    }
    default:
      return undefined
  }
}

function isAboutEnd({ start }: ObjectField, { functions }: ScriptFacts): boolean {
  return functions.some((one) => one.start <= start && start < one.end && /refresh|renew|logout|revoke|expired/i.test(one.name))
}

/** Tells whether a call stands in a handler of a CAP service, which runs after the runtime has checked the caller. */
function createHandlerReader(facts: ScriptFacts): (call: CallValue) => boolean {
  const callbacks = findCallbacks(facts)
  const file = toCapFile(facts, callbacks)
  return ({ function: from }) => {
    for (let here: CallValue['function'] | undefined = from; here !== undefined; here = here.parent) {
      const call = callbacks.get(here)?.call
      if (call?.callee.kind !== 'member' || !/^(?:on|before|after)$/.test(call.callee.name ?? '')) continue
      const [event] = call.args
      const isServerEvent = event?.kind === 'literal' && /^(?:bootstrap|served|listening|loaded)$/.test(String(event.value))
      if (!isServerEvent && serviceKindOf(call.callee.object, file) !== undefined) return true
    }
    return false
  }
}

/** The token stands in a header or cookie of a request. */
function isOfRequest({ args: [token] }: CallValue): boolean {
  const isHeader = (value: Value): boolean => {
    const name = lastNameOf(value) ?? ''
    return value.kind === 'member' && /^(?:headers|authorization|cookies|token|access_token)$/i.test(name)
  }
  return token !== undefined && findPart(token, isHeader) !== undefined
}
