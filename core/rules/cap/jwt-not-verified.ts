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
import { serviceKindOf, toCapFile } from '../../flow/frameworks/cap-receivers.ts'
import { createDevelopmentReader } from '../../model/script/index.ts'
import type { GradeFacts, Match, Span } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { gradeHit } from './_flow-grade.ts'
import { capVerifiedTokens, isVerifiedByCap } from './_callers/cap-verified-tokens.ts'
import { findClaimUses } from './_callers/claim-uses.ts'
import { createVerificationReader, findDecodings, verifiesTokens } from './_callers/decoded-tokens.ts'
import { findRequestUsers } from './_callers/request-users.ts'
import { isAround } from '../../facts/span-index.ts'

/**
 * Claims of a token whose signature is not verified decide on a server, or a verification with unsafe options.
 * Facts: jsonwebtoken 9.0.3 (verify.js: without `algorithms` the key decides, so leaving them out is no fault; `none` only counts without a key), jwt-decode 4.0.0.
 * Impact: an attacker forges any user and scope. In handlers of CAP services the runtime has validated the token of the request; a token without a check of
 * its end has to be stolen first; claims that do not decide give little. Whether the way runs that a check leaves open is assumed, and nobody else asks there who calls.
 */
export const jwtNotVerified: Rule = defineRule({
  id: 'cap/jwt-not-verified',
  impact: 'takeover',
  grades: { read: { impact: 'bounded' }, expired: { impact: 'defence' }, early: { impact: 'defence' } },
  confidence: 'high',
  cwe: [347],
  since: '0.1.0',
  docs: 'https://github.com/auth0/node-jsonwebtoken#jwtverifytoken-secretorpublickey-options-callback',
  docsByVariant: { handler: 'https://cap.cloud.sap/docs/node.js/authentication#user-is' },
  keywords: ['jwt', 'jose', 'atob', 'base64', 'ignoreExpiration', 'ignoreNotBefore'],
  prefilter: (text) =>
    /\bdecode|jwt_?decode|jwtDecode|split\(\s{0,8}["'`]\.["'`]|ignoreExpiration|ignoreNotBefore|["'`]none["'`]/i.test(text),
  extracts: [capVerifiedTokens],
  checks: {
    // claims that decide in another function or file
    *flow(hit, { scripts }) {
      if (scripts.of(hit.steps[0]?.at.file ?? hit.at.file, capVerifiedTokens).length > 0) return
      yield { ...gradeHit(hit), confidence: 'medium', args: { call: hit.part.replace(/\([^]*$/, '') } }
    },

    *'server-script'({ path, text, content: { facts }, budget }): Generator<Match> {
      const isForDevelopers = createDevelopmentReader(facts)
      yield* judgeOptions(path, facts, isForDevelopers)
      const all = findDecodings(facts)
      if (all.length === 0) return
      budget.step(facts.calls.length)
      if (isVerifiedByCap(facts, (count) => budget.step(count))) return
      const isVerified = createVerificationReader(facts)
      // a token that comes as a parameter may be verified by the caller, with what else this file verifies
      const isElsewhere = verifiesTokens(facts)
      const owned = new Set(findRequestUsers(facts).flatMap(({ decodings }) => decodings))
      const decodings = all.filter((call) => !owned.has(call))
      const uses = findClaimUses(facts, decodings, () => budget.step())
      const isInHandler = createHandlerReader(facts, path)
      for (const call of decodings) {
        const use = uses.get(call)
        const args = { call: excerptOf(text, call.callee) }
        const at = { file: path, span: { start: call.start, end: call.end } }
        if (use === undefined || use === 'log' || isForDevelopers(call)) continue
        if (isElsewhere) {
          budget.step(facts.calls.length)
          const checked = isVerified(call)
          if ((use !== 'decision' && !isOfRequest(call)) || checked === 'checked') continue
          if (checked === 'left' && use === 'decision' && !isInHandler(call)) {
            yield { at, args, variant: 'fallback', reach: 'anyone', evidence: 'assumed' }
            continue
          }
        }
        if (use === 'decision')
          yield isInHandler(call) ? { at, args, variant: 'handler', confidence: 'medium', ...ofHandler(call) } : { at, args }
        else if (isOfRequest(call))
          yield { at, args, variant: 'read', confidence: 'medium', ...(isInHandler(call) && { impactUnverified: 'data' }) }
      }
    },
  },

  text: () => ({
    en: {
      title: 'Access control based on a JWT without signature verification',
      message: '{call} decodes the token without verifying its signature, and access control relies on its claims.',
      why: 'An attacker can forge a token with any user, tenant and scope and act as that user.',
      fix: "Verify the token instead of calling {call}: jwt.verify(token, publicKey, { algorithms: ['RS256'] }) from jsonwebtoken, or createSecurityContext from @sap/xssec for XSUAA and IAS tokens. In code after cds.middlewares.before, use cds.context.user.",
      steps: { sink: 'An access control decision is based on the value.' },
      variants: {
        handler: {
          title: 'Unverified token claims used in a CAP handler',
          message:
            '{call} decodes the token, and a CAP service handler bases an access control decision on its claims instead of on req.user.',
          why: 'If the service can be called without authentication, or the authentication strategy changes, an attacker can forge these claims.',
          fix: "Instead of calling {call}, use the user that CAP has authenticated: req.user.is('<role>'), req.user.attr, req.tenant.",
        },
        fallback: {
          title: 'Authentication bypass: token decoded where it is not verified',
          message:
            '{call} decodes the token without verifying its signature wherever the verification above it does not run, and access control relies on its claims.',
          why: 'If the verification does not run, for example because no login service is bound, an attacker can forge a token with any user and scope and act as that user.',
          fix: 'Remove this code and reject the request there (401), so that no token is accepted without verification. If developers need it, run it only where process.env.NODE_ENV !== "production".',
        },
        read: {
          title: 'Request token decoded without verification',
          message: '{call} decodes a token from the request without verifying its signature.',
          why: 'Unless the token is verified before this code runs, an attacker can forge every claim that it reads.',
        },
        none: {
          title: 'Unsigned JWTs accepted (algorithm "none")',
          message: 'The verification option "{call}" contains "none".',
          why: 'If the key is empty or missing, tokens without a signature are accepted: an attacker can forge one with any user and scope.',
          fix: "List only the algorithm of your tokens, for example algorithms: ['RS256'], and pass the public key.",
        },
        expired: {
          title: 'JWT expiration not checked',
          message: '"{call}" is true: the token’s expiration is not checked.',
          why: 'An attacker who obtains a token, for example from a log or an old device, can still use it after it has expired.',
          fix: 'Remove "{call}", and have clients fetch a new token when theirs expires; "clockTolerance: 60" (seconds) tolerates clock skew.',
        },
        early: {
          title: 'JWT start of validity not checked',
          message: '"{call}" is true: the time before which the token is not valid (nbf) is not checked.',
          why: 'An attacker who obtains a token that was issued for later can use it before its time.',
          fix: 'Remove "{call}"; "clockTolerance: 60" (seconds) tolerates clock skew.',
        },
      },
    },
    fr: {
      title: 'Contrôle d’accès fondé sur un JWT dont la signature n’est pas vérifiée',
      message: '{call} décode le jeton sans en vérifier la signature, et le contrôle d’accès repose sur ses claims.',
      why: 'Un attaquant peut forger un jeton avec l’utilisateur, le locataire et les scopes de son choix, et agir au nom de cet utilisateur.',
      fix: "Vérifiez le jeton au lieu d’appeler {call} : jwt.verify(token, publicKey, { algorithms: ['RS256'] }) de jsonwebtoken, ou createSecurityContext de @sap/xssec pour les jetons XSUAA et IAS. Dans le code exécuté après cds.middlewares.before, utilisez cds.context.user.",
      steps: { sink: 'Une décision de contrôle d’accès repose sur la valeur.' },
      variants: {
        handler: {
          title: 'Claims d’un jeton non vérifié dans un gestionnaire CAP',
          message:
            '{call} décode le jeton, et un gestionnaire d’un service CAP fonde une décision de contrôle d’accès sur ses claims plutôt que sur req.user.',
          why: 'Si le service est accessible sans authentification, ou si la stratégie d’authentification change, un attaquant peut forger ces claims.',
          fix: "Au lieu d’appeler {call}, utilisez l’utilisateur authentifié par CAP : req.user.is('<rôle>'), req.user.attr, req.tenant.",
        },
        fallback: {
          title: 'Contournement de l’authentification : jeton décodé là où il n’est pas vérifié',
          message:
            '{call} décode le jeton sans en vérifier la signature chaque fois que la vérification qui précède ne s’exécute pas, et le contrôle d’accès repose sur ses claims.',
          why: 'Si la vérification ne s’exécute pas, par exemple parce qu’aucun service d’authentification n’est lié, un attaquant peut forger un jeton avec l’utilisateur et les scopes de son choix, et agir au nom de cet utilisateur.',
          fix: 'Supprimez ce code et rejetez-y la requête (401), pour qu’aucun jeton ne soit accepté sans vérification. Si les développeurs en ont besoin, ne l’exécutez que si process.env.NODE_ENV !== "production".',
        },
        read: {
          title: 'Jeton d’une requête décodé sans vérification',
          message: '{call} décode un jeton reçu dans la requête sans en vérifier la signature.',
          why: 'Si le jeton n’est pas vérifié avant l’exécution de ce code, un attaquant peut forger tous les claims qui y sont lus.',
        },
        none: {
          title: 'JWT non signés acceptés (algorithme "none")',
          message: 'L’option de vérification "{call}" contient "none".',
          why: 'Si la clé est vide ou absente, les jetons sans signature sont acceptés : un attaquant peut en forger un avec l’utilisateur et les scopes de son choix.',
          fix: "N’indiquez que l’algorithme de vos jetons, par exemple algorithms: ['RS256'], et passez la clé publique.",
        },
        expired: {
          title: 'Expiration du JWT non vérifiée',
          message: '"{call}" vaut true : l’expiration du jeton n’est pas vérifiée.',
          why: 'Un attaquant qui obtient un jeton, par exemple dans un journal ou sur un ancien appareil, peut encore l’utiliser après son expiration.',
          fix: 'Supprimez "{call}", et faites en sorte que les clients obtiennent un nouveau jeton à l’expiration de l’ancien ; "clockTolerance: 60" (secondes) tolère un décalage d’horloge.',
        },
        early: {
          title: 'Début de validité du JWT non vérifié',
          message: '"{call}" vaut true : la date avant laquelle le jeton n’est pas valide (nbf) n’est pas vérifiée.',
          why: 'Un attaquant qui obtient un jeton dont la validité n’a pas encore commencé peut déjà l’utiliser.',
          fix: 'Supprimez "{call}" ; "clockTolerance: 60" (secondes) tolère un décalage d’horloge.',
        },
      },
    },
  }),
})

/** Options of `verify` and its like that leave a hole. */
function* judgeOptions(file: string, facts: ScriptFacts, isForDevelopers: (place: Span) => boolean): Generator<Match> {
  if (!facts.imports.some(({ source }) => /jwt|jsonwebtoken|jose|jws/i.test(source))) return
  for (const { value } of valuesOf(facts)) {
    if (value.kind !== 'object') continue
    for (const field of value.fields) {
      const match = judgeOption(field)
      if (match === undefined || isForDevelopers(field)) continue
      if (match.variant === 'none' && requiresKey(value.fields)) continue
      // renewing or ending a session reads the token that has just expired
      if ((match.variant === 'expired' || match.variant === 'early') && isAboutEnd(field, facts)) continue
      yield { at: { file, span: { start: field.start, end: field.value.end } }, args: { call: field.key ?? '' }, ...match }
    }
  }
}

/** Middlewares do not start without their key, and with one, jsonwebtoken refuses unsigned tokens. A function may find none. */
function requiresKey(fields: readonly ObjectField[]): boolean {
  const secret = fields.find(({ key }) => key === 'secret' || key === 'secretOrKey')
  return secret !== undefined && !/^(?:function|reference|unknown)$/.test(resolveValue(secret.value).kind)
}

function judgeOption({ key, value }: ObjectField): Pick<Match, 'variant' | 'evidence'> | undefined {
  switch (key) {
    case 'ignoreExpiration':
      return constantOf(value) === true ? { variant: 'expired' } : undefined
    case 'ignoreNotBefore':
      return constantOf(value) === true ? { variant: 'early' } : undefined
    case 'algorithms':
    case 'algorithm': {
      const given = resolveValue(value)
      const names = (given.kind === 'array' ? given.items : [given]).map((item) => constantOf(item))
      if (!names.some((name) => typeof name === 'string' && name.toLowerCase() === 'none')) return undefined
      return { variant: 'none', ...(names.length > 1 && { evidence: 'assumed' as const }) }
    }
    default:
      return undefined
  }
}

function isAboutEnd({ start }: ObjectField, { functions }: ScriptFacts): boolean {
  return functions.some((one) => isAround(one, start) && /refresh|renew|logout|revoke|[a-z]Expired/i.test(one.name))
}

/** Tells whether a call stands in a handler of a CAP service, which runs after the runtime has checked the caller. */
function createHandlerReader(facts: ScriptFacts, path: string): (call: CallValue) => boolean {
  const callbacks = findCallbacks(facts)
  const file = toCapFile(facts, callbacks, path)
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

/** The token of the request is what CAP validates; another one, whoever sent it may have made. */
function ofHandler(call: CallValue): GradeFacts {
  return isOfRequest(call) ? { impact: 'defence', impactUnverified: 'takeover' } : { evidence: 'assumed' }
}

/** The token stands in a header or cookie of a request. */
function isOfRequest({ args: [token] }: CallValue): boolean {
  const isHeader = (value: Value): boolean => {
    const name = lastNameOf(value) ?? ''
    return value.kind === 'member' && /^(?:headers|authorization|cookies|token|access_token)$/i.test(name)
  }
  return token !== undefined && findPart(token, isHeader) !== undefined
}
