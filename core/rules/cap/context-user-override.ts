import type { FlowHit } from '../../flow/index.ts'
import { constantOf, pathOf, type Value } from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { createHandlerReader, findHandlers, withoutEnding } from '../../model/cap/index.ts'
import { createDevelopmentReader } from '../../model/script/index.ts'
import { developerPlaces, isForDevelopers } from './_callers/developer-ways.ts'
import { idleUsers } from './_callers/idle-users.ts'
import { lateMiddlewares } from './_routes/late-middlewares.ts'
import { gradeHit } from './_flow-grade.ts'
import { inEachLanguage } from '../../arguments.ts'
import { quoteWord } from '../../quote.ts'
import type { Localized } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { isWithin } from '../../facts/span-index.ts'

/**
 * A handler that replaces the user or the tenant of the request by what the client sends, or gives the user more roles.
 * Facts: capire, "cds.context" and "srv.tx" (the user of the context counts for every check); @sap/cds 9.9.3, lib/req/user.js (`is`, `roles`).
 * Impact: any caller acts as another user or with any role; of another tenant or an attribute it is the data that they decide about. Little where the handler
 * ends with it, and answers with what it knew before. What only developers get to is theirs.
 */
export const contextUserOverride: Rule = defineRule({
  id: 'cap/context-user-override',
  impact: 'takeover',
  confidence: 'high',
  cwe: [287, 639],
  since: '0.2.0',
  docs: 'https://cap.cloud.sap/docs/node.js/authentication#cds-user',
  keywords: ['.user', 'context', 'user:'],
  prefilter: (text) => GRANTS.test(text),
  extracts: [lateMiddlewares, idleUsers, developerPlaces],
  checks: {
    *flow(hit, { scripts }) {
      // behind the authentication of CAP it overrides what that has found
      const isLate = scripts.get(lateMiddlewares).some(({ value }) => value.file === withoutEnding(hit.at.file))
      // a middleware that makes the user of a request is a way of authentication, which has a rule of its own
      const isAuthentication = hit.entry === 'http-request' && hit.detail !== 'routed' && !hit.api.effects.has('call')
      if (hit.entry === 'message' || (isAuthentication && !isLate)) return
      if (isForDevelopers(hit, scripts)) return
      const { isCall, ...words } = wordSink(hit)
      const { file, span } = hit.at
      const isIdle = scripts.of(file, idleUsers).some((one) => span !== undefined && isWithin(span, one))
      yield {
        ...gradeHit(hit),
        args: { part: hit.quotedPart, ...words },
        ...(isCall && { variant: 'option' }),
        ...(isIdle && { impact: 'bounded' as const }),
      }
    },

    *'server-script'({ path, content: { facts } }) {
      const handlers = facts.assignments.length === 0 ? [] : findHandlers(facts)
      if (handlers.length === 0) return
      const handlerAt = createHandlerReader(handlers)
      const isOfDevelopers = createDevelopmentReader(facts)
      for (const { target, value, start, end } of facts.assignments) {
        const kind = handlerAt(start) === undefined ? undefined : grantOf(target, value)
        if (kind !== undefined && !isOfDevelopers({ start, end }))
          yield { at: { file: path, span: { start, end } }, variant: kind, args: { part: 'user', sink: kind } }
      }
    },
  },

  text: () => ({
    en: {
      title: 'User, roles or tenant overridden with request data',
      message: 'Data sent by the client ({part}) is {how} {sink} and so determines {what} for {scope}.',
      why: 'An attacker can {gain}, because CAP does not verify this value.',
      fix: 'Remove this statement: CAP sets the user and the tenant of cds.context and of req when it authenticates the request. If callers need more permissions, grant them to a role with @restrict.',
      variants: {
        option: {
          fix: 'Remove "{option}" from the options of {sink}: the user and tenant that CAP has authenticated then apply. If callers need more permissions, grant them to a role with @restrict.',
        },
        is: {
          title: 'Role check overridden to always pass',
          message: 'The handler replaces the method user.is with a function that always returns true.',
          why: 'Every later role check passes, for any caller.',
          fix: 'Remove the assignment to user.is. If callers need more permissions, grant them to a role with @restrict.',
        },
        roles: {
          title: 'User roles changed in a request handler',
          message: 'The handler changes the roles of the user who sent the request.',
          why: 'Role checks and @restrict pass with roles that were never granted.',
          fix: 'Remove this statement. If users need these roles, grant them through role collections (with IAS: AMS policies).',
        },
      },
    },
    fr: {
      title: 'Utilisateur, rôles ou locataire remplacés par des données de la requête',
      message: 'Une donnée envoyée par le client ({part}) est {how} {sink} et détermine ainsi {what} pour {scope}.',
      why: 'Un attaquant peut {gain}, car CAP ne vérifie pas cette valeur.',
      fix: 'Supprimez cette instruction : CAP définit l’utilisateur et le locataire de cds.context et de req en authentifiant la requête. Si les appelants ont besoin de plus de droits, accordez-les à un rôle avec @restrict.',
      variants: {
        option: {
          fix: 'Retirez "{option}" des options de {sink} : l’utilisateur et le locataire authentifiés par CAP s’appliquent alors. Si les appelants ont besoin de plus de droits, accordez-les à un rôle avec @restrict.',
        },
        is: {
          title: 'Contrôle de rôle neutralisé : user.is renvoie toujours true',
          message: 'Le gestionnaire remplace la méthode user.is par une fonction qui renvoie toujours true.',
          why: 'Tous les contrôles de rôle suivants réussissent, quel que soit l’appelant.',
          fix: 'Supprimez l’affectation à user.is. Si les appelants ont besoin de plus de droits, accordez-les à un rôle avec @restrict.',
        },
        roles: {
          title: 'Rôles de l’utilisateur modifiés dans un gestionnaire de requête',
          message: 'Le gestionnaire modifie les rôles de l’utilisateur qui a envoyé la requête.',
          why: 'Les contrôles de rôle et @restrict réussissent avec des rôles qui n’ont jamais été accordés.',
          fix: 'Supprimez cette instruction. Si des utilisateurs ont besoin de ces rôles, attribuez-les via des collections de rôles (avec IAS : des politiques AMS).',
        },
      },
    },
  }),
})

/** Something is put into what decides about roles: `.is =`, `['roles'] ||=`. */
const GRANTS = /(?:\.\s{0,5}|["'`])(?:is|_?roles)["'`]?\s{0,5}\]?\s{0,20}(?:[|&?]{2})?=(?!=)/

/** `req.user.is = () => true`, `req.user.roles = ['admin']`. */
function grantOf(target: Value, value: Value): 'is' | 'roles' | undefined {
  const path = pathOf(target)
  const user = path?.lastIndexOf('user') ?? -1
  if (path === undefined || user === -1 || !/^(?:parameter:\w+|(?:global|module):(?:@sap\/)?cds)$/.test(path[0] ?? ''))
    return undefined
  const [part] = path.slice(user + 1)
  if (part === 'is') {
    const returned = functionOf(value)?.returns ?? []
    return returned.length > 0 && returned.every((one) => constantOf(one) === true) ? 'is' : undefined
  }
  return part === 'roles' || part === '_roles' ? 'roles' : undefined
}

const LATER = { en: 'later checks and queries', fr: 'les contrôles et requêtes qui suivent' }
const IN_TASK = { en: 'the checks and queries in this task', fr: 'les contrôles et requêtes de cette tâche' }
const IN_TRANSACTION = { en: 'the checks and queries in this transaction', fr: 'les contrôles et requêtes de cette transaction' }

/** What gets the value, how, and what it decides about. */
function wordSink({
  sink,
  part,
  api: { effects },
}: FlowHit): Readonly<Record<'sink' | 'option' | 'how' | 'what' | 'scope' | 'gain', string>> & { readonly isCall: boolean } {
  const isCall = effects.has('transaction') || effects.has('task')
  const how = isCall ? { en: 'passed to', fr: 'transmise à' } : { en: 'written to', fr: 'écrite dans' }
  const { what, gain } = decidedBy(effects, part)
  const inside = effects.has('task') ? IN_TASK : IN_TRANSACTION
  const option = effects.has('tenant') ? 'tenant' : 'user'
  return {
    isCall,
    sink: quoteWord(sink),
    option,
    how: inEachLanguage(how),
    what: inEachLanguage(what),
    scope: inEachLanguage(isCall ? inside : LATER),
    gain: inEachLanguage(gain),
  }
}

/** What the value decides about, and what an attacker has of it. */
interface Decided {
  readonly what: Localized<string>
  readonly gain: Localized<string>
}

/** A whole context or user says by the name of the value what it gets. */
function decidedBy(effects: FlowHit['api']['effects'], part: string): Decided {
  if (effects.has('tenant') || (effects.has('context') && /tenant/i.test(part)))
    return {
      what: { en: 'the tenant', fr: 'le locataire' },
      gain: { en: 'access the data of another tenant', fr: 'accéder aux données d’un autre locataire' },
    }
  if (effects.has('attributes'))
    return {
      what: { en: 'the user’s attributes', fr: 'les attributs de l’utilisateur' },
      gain: { en: 'bypass conditions on user attributes', fr: 'contourner les conditions sur les attributs de l’utilisateur' },
    }
  if (effects.has('roles') || (!effects.has('id') && /roles?\b/i.test(part)))
    return {
      what: { en: 'the user’s roles', fr: 'les rôles de l’utilisateur' },
      gain: { en: 'obtain any role', fr: 'obtenir n’importe quel rôle' },
    }
  return {
    what: { en: 'the user', fr: 'l’utilisateur' },
    gain: { en: 'act as another user', fr: 'agir au nom d’un autre utilisateur' },
  }
}
