import { defineExtract, type Extract } from '../../extracts/extract.ts'
import {
  constantOf,
  stringConstantOf,
  excerptOf,
  findPart,
  resolveValue,
  type CallValue,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { createOffsetIndex } from '../../facts/span-index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { definesRoles } from '../../model/authorization/index.ts'
import { isAdministrative } from '../../model/cap/index.ts'
import { createDevelopmentReader, isDeployedCode } from '../../model/script/index.ts'
import { at, itemsOf, stringOf } from '../../parse/data.ts'
import { quoteWord } from '../../quote.ts'
import type { Span } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { Project } from '../subjects.ts'
import { mentionsUser } from './_callers/asked-users.ts'
import { hasStatus } from './_handlers/refusals.ts'

/** A refusal for all users but the ones whose names stand in the code. */
interface NamedUser extends Span {
  /** As it is compared: `req.user.id !== "…"`. */
  readonly test: string
}

const namedUsers: Extract<NamedUser> = defineExtract({
  name: 'cap-named-users',
  keywords: ['.user'],
  prefilter: (text) => MAIL.test(text) && /\.user\b/.test(text) && /\b40[13]\b/.test(text),
  isFor: isDeployedCode,
  collect: ({ facts, text, step }) => [...findNamed(facts, text, step)],
})

const MAIL = /["'`][\w.+-]{1,60}@[\w-]{1,60}\.[\w.-]{2,60}["'`]/

function* findNamed(facts: ScriptFacts, text: string, step: (count?: number) => void): Generator<NamedUser> {
  const isForDevelopers = createDevelopmentReader(facts)
  // req.reject(403), res.status(403)
  const refusesIn = createOffsetIndex(
    facts.calls.flatMap((call) => (hasStatus(call, /^40[13]$/) || isStatus(call) ? [call.start] : [])),
  )
  for (const guard of facts.guards) {
    step()
    // if (process.env.NODE_ENV !== 'production' && …)
    const isConfigured = text.slice(guard.test.start, guard.test.end).includes('process.env')
    if (isConfigured || !refusesIn(guard.inside) || isForDevelopers(guard)) continue
    const found = findPart(guard.test, isOneName)
    if (found !== undefined && found.start >= guard.test.start && found.end <= guard.test.end)
      yield { start: found.start, end: found.end, test: excerptOf(text, found) }
  }
}

function isStatus({ callee, args: [first] }: CallValue): boolean {
  return (
    /^(?:status|sendStatus|code)$/.test(lastNameOf(callee) ?? '') && /^40[13]$/.test(String((first && constantOf(first)) ?? ''))
  )
}

/** `req.user.id !== 'jo@acme.example'`, `!ADMINS.includes(req.user.id)`. */
function isOneName(part: Value): boolean {
  if (part.kind === 'operation') {
    if (!part.operator.startsWith('!=')) return false
    return part.operands.some((one) => isMail(one)) && part.operands.some((one) => !isMail(one) && mentionsUser(one))
  }
  if (part.kind !== 'call' || part.callee.kind !== 'member' || part.callee.name !== 'includes') return false
  const list = resolveValue(part.callee.object)
  const [asked] = part.args
  if (list.kind !== 'array' || list.items.length === 0 || asked === undefined) return false
  return list.items.every(isMail) && mentionsUser(asked)
}

function isMail(value: Value): boolean {
  const text = stringConstantOf(value)
  return text !== undefined && /^[\w.+-]{1,60}@[\w-]{1,60}\.[\w.-]{2,60}$/.test(text)
}

/**
 * A right that the code gives to e-mail addresses, where the descriptor of the project has scopes for that.
 * Facts: capire, "Authorization" (`req.user.is`, `@requires`); SAP BTP, "Application Security Descriptor Configuration Syntax"; SAP Cloud Identity Services, "User
 * attributes": which user has a logon name or an e-mail address the identity provider says, and there may be several of them.
 * Impact: who gets a user of that name from any trusted identity provider has the right; whether somebody can is not in the project. Nobody can take the right away without
 * a deployment.
 */
export const administratorByName: Rule = defineRule({
  id: 'cap/administrator-by-name',
  impact: 'data',
  reach: 'user',
  evidence: 'assumed',
  confidence: 'medium',
  cwe: [798, 863],
  since: '0.3.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authorization#requires',
  extracts: [namedUsers],
  on: 'project',

  *check(project) {
    const found = project.scripts.get(namedUsers)
    const scope = found.length === 0 ? undefined : administrativeScope(project)
    if (scope === undefined) return
    for (const { file, value } of found) {
      const { start, end, test } = value
      yield {
        at: { file, span: { start, end } },
        args: { test: quoteWord(test), ...scope },
        groupKey: file,
      }
    }
  },

  text: () => ({
    en: {
      title: 'Administrator recognized by e-mail address',
      message: '{test} grants access by an address in the code, although {descriptor} defines the scope {scope}.',
      why: 'Any user with this logon name or address, also of another trusted identity provider, has the right. It cannot be revoked or audited in SAP BTP: only a new deployment changes it.',
      fix: "Check the role instead: if (!req.user.is('{scope}')) req.reject(403). Or annotate the operation with @requires: '{scope}'. Then assign the role collection to the users who need it.",
    },
    fr: {
      title: 'Administrateur reconnu à son adresse électronique',
      message: '{test} accorde l’accès selon une adresse écrite dans le code, alors que {descriptor} définit le scope {scope}.',
      why: 'Tout utilisateur de ce nom de connexion ou de cette adresse, même d’un autre fournisseur d’identité approuvé, obtient ce droit. Il ne peut être ni retiré ni audité dans SAP BTP : seul un nouveau déploiement le change.',
      fix: "Contrôlez plutôt le rôle : if (!req.user.is('{scope}')) req.reject(403). Ou annotez l’opération avec @requires: '{scope}'. Attribuez ensuite la collection de rôles aux utilisateurs concernés.",
    },
  }),
})

/** A scope of administrators, and the descriptor that defines it. */
function administrativeScope({ deployment }: Pick<Project, 'deployment'>): { scope: string; descriptor: string } | undefined {
  for (const { service, config } of deployment.services) {
    if (service !== 'xsuaa' || !definesRoles(config)) continue
    for (const item of itemsOf(at(config, 'scopes'))) {
      const node = at(item, 'name')
      const scope = stringOf(node)?.replace(/^\$XSAPPNAME(?:\([^()]{0,200}\))?\./, '')
      if (
        node !== undefined &&
        scope !== undefined &&
        isAdministrative(scope) &&
        /^\w/.test(scope) &&
        !/callback|subscri/i.test(scope)
      )
        return { scope, descriptor: deployment.placeOf(node).file }
    }
  }
  return undefined
}
