import {
  grantsEvent,
  placeIn,
  privilegesOf,
  restrictionsOf,
  roleChecks,
  uncheckedInCode,
  wordsOf,
  type CapRoot,
  type Privilege,
  type Restriction,
  type RowEvent,
} from '../../model/cap/index.ts'
import type { CdsValue } from '../../parse/cds/types.ts'
import type { ReachModel } from '../../model/reach/index.ts'
import type { Exposure, Localized, Match, RuleText } from '../../types.ts'
import { inEachLanguage, listNames } from '../../arguments.ts'
import { defineRule, type Rule } from '../rule.ts'
import { isReadOnlyBySource } from './_model/entity-rights.ts'
import { nameOf, ofUsers, worstAtPlaces } from './_matches.ts'

/** Whom a privilege without roles is for. */
const DEFAULT = inEachLanguage({ en: `'any' (the default without "to")`, fr: `'any' (valeur par défaut sans "to")` })

/** Of a privilege under a condition on the user. */
const FILTERED: Localized<Pick<RuleText, 'message' | 'fix'>> = {
  en: {
    message:
      '@restrict on {element} grants {grants:and} to {any} under a condition on the user, and the service {service} does not require authentication.',
    fix: "Require authentication in this privilege: to: 'authenticated-user', or a role: to: '<role>'.",
  },
  fr: {
    message:
      '@restrict sur {element} accorde {grants:et} à {any} avec une condition portant sur l’utilisateur, et le service {service} n’exige pas d’authentification.',
    fix: "Exigez une authentification dans ce privilège : to: 'authenticated-user', ou un rôle : to: '<rôle>'.",
  },
}

/**
 * A privilege to write without a role, or for `any`.
 * Facts: capire, "Authorization" (`to` defaults to `any`); @sap/cds 9.9.3, generic/auth/restrictions.js.
 * Impact: anybody changes data. Behind the login of the default it is assumed that a role was meant; where the service requires a login itself, users mostly
 * may what they get; under a condition on the user it is rows of the user anonymous alone, or new ones.
 */
export const grantAllToAny: Rule = defineRule({
  id: 'cap/grant-all-to-any',
  impact: 'data',
  grades: {
    authenticated: { evidence: 'assumed' },
    requiresLogin: { evidence: 'assumed' },
    login: { impact: 'bounded' },
    filtered: { impact: 'bounded' },
    filteredCreate: { impact: 'bounded' },
    filteredWrite: { impact: 'bounded' },
  },
  confidence: 'high',
  cwe: [863],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authorization#restrict-annotation',
  on: 'cap-root',
  extracts: [roleChecks],

  *check(root, { reach }) {
    yield* worstAtPlaces(matchesOf(root, reach))
  },

  text: () => ({
    en: {
      title: 'Write access granted to unauthenticated users',
      message: '@restrict on {element} grants {grants:and} to {any}, and the service {service} does not require authentication.',
      why: 'The privilege applies to every request: an unauthenticated attacker who reaches the service can change this data.',
      fix: "Name the role in this privilege: to: '<role>'. If the data may be read without authentication, add { grant: 'READ', to: 'any' }.",
      variants: {
        authenticated: {
          title: 'Write access granted to any authenticated user',
          message:
            '@restrict on {element} grants {grants:and} to {any}: only the default authentication in production protects this data.',
          why: 'The privilege looks like a restriction but has no effect: any authenticated user can change this data, without any role.',
          fix: "Name the role in this privilege: to: '<role>'. Use 'authenticated-user' instead if every authenticated user may change this data.",
        },
        requires: {
          message:
            "@requires: 'any' on {element} covers writing as well as reading, and the service {service} does not require authentication.",
          why: 'An unauthenticated attacker who reaches the service can create, change and delete these rows with a plain request.',
          fix: "Annotate {element} with @readonly, or replace @requires with @restrict: [{ grant: 'READ', to: 'any' }, { grant: 'WRITE', to: '<role>' }].",
        },
        requiresLogin: {
          title: 'Write access granted to any authenticated user',
          message:
            "@requires: 'any' on {element} covers writing as well as reading: only the default authentication in production protects these rows.",
          why: 'Any authenticated user can create, change and delete these rows with a plain request, without any role; outside the production profile, so can unauthenticated callers.',
          fix: "Annotate {element} with @readonly, or replace @requires with @restrict: [{ grant: 'READ', to: 'any' }, { grant: 'WRITE', to: '<role>' }].",
        },
        login: {
          title: 'Write access granted to any authenticated user',
          message:
            '@restrict on {element} grants {grants:and} to {any}: only the authentication that {service} requires protects this data.',
          why: 'The privilege looks like a restriction but has no effect: any authenticated user can change this data, without any role.',
          fix: "Name the role in this privilege: to: '<role>'. Use 'authenticated-user' instead if every authenticated user may change this data.",
        },
        filtered: {
          ...FILTERED.en,
          why: 'An unauthenticated attacker acts as the user "anonymous" and can change the rows that the condition grants to that user.',
        },
        filteredCreate: {
          ...FILTERED.en,
          why: 'An unauthenticated attacker can create any row: the condition is not evaluated on CREATE.',
        },
        filteredWrite: {
          ...FILTERED.en,
          why: 'An unauthenticated attacker acts as the user "anonymous": they can change the rows that the condition grants to that user, and create any row, as the condition is not evaluated on CREATE.',
        },
      },
    },
    fr: {
      title: 'Accès en écriture accordé sans authentification',
      message: '@restrict sur {element} accorde {grants:et} à {any}, et le service {service} n’exige pas d’authentification.',
      why: 'Le privilège vaut pour toute requête : un attaquant non authentifié qui peut accéder au service peut modifier ces données.',
      fix: "Nommez le rôle dans ce privilège : to: '<rôle>'. Si les données peuvent être lues sans authentification, ajoutez { grant: 'READ', to: 'any' }.",
      variants: {
        authenticated: {
          title: 'Accès en écriture accordé à tout utilisateur authentifié',
          message:
            '@restrict sur {element} accorde {grants:et} à {any} : seule l’authentification par défaut en production protège ces données.',
          why: 'Le privilège ressemble à une restriction mais est sans effet : tout utilisateur authentifié peut modifier ces données, sans aucun rôle.',
          fix: "Nommez le rôle dans ce privilège : to: '<rôle>'. Utilisez 'authenticated-user' si tout utilisateur authentifié est autorisé à modifier ces données.",
        },
        requires: {
          message:
            "@requires: 'any' sur {element} vaut pour l’écriture comme pour la lecture, et le service {service} n’exige pas d’authentification.",
          why: 'Un attaquant non authentifié qui peut accéder au service peut créer, modifier et supprimer ces lignes par une simple requête.',
          fix: "Annotez {element} avec @readonly, ou remplacez @requires par @restrict: [{ grant: 'READ', to: 'any' }, { grant: 'WRITE', to: '<rôle>' }].",
        },
        requiresLogin: {
          title: 'Accès en écriture accordé à tout utilisateur authentifié',
          message:
            "@requires: 'any' sur {element} vaut pour l’écriture comme pour la lecture : seule l’authentification par défaut en production protège ces lignes.",
          why: 'Tout utilisateur authentifié peut créer, modifier et supprimer ces lignes par une simple requête, sans aucun rôle ; hors du profil de production, un appelant non authentifié le peut aussi.',
          fix: "Annotez {element} avec @readonly, ou remplacez @requires par @restrict: [{ grant: 'READ', to: 'any' }, { grant: 'WRITE', to: '<rôle>' }].",
        },
        login: {
          title: 'Accès en écriture accordé à tout utilisateur authentifié',
          message:
            '@restrict sur {element} accorde {grants:et} à {any} : seule l’authentification exigée par {service} protège ces données.',
          why: 'Le privilège ressemble à une restriction mais est sans effet : tout utilisateur authentifié peut modifier ces données, sans aucun rôle.',
          fix: "Nommez le rôle dans ce privilège : to: '<rôle>'. Utilisez 'authenticated-user' si tout utilisateur authentifié est autorisé à modifier ces données.",
        },
        filtered: {
          ...FILTERED.fr,
          why: 'Un attaquant non authentifié agit comme l’utilisateur "anonymous" et peut modifier les lignes que la condition accorde à cet utilisateur.',
        },
        filteredCreate: {
          ...FILTERED.fr,
          why: 'Un attaquant non authentifié peut créer n’importe quelle ligne : la condition n’est pas évaluée à la création.',
        },
        filteredWrite: {
          ...FILTERED.fr,
          why: 'Un attaquant non authentifié agit comme l’utilisateur "anonymous" : il peut modifier les lignes que la condition accorde à cet utilisateur, et créer n’importe quelle ligne, car la condition n’est pas évaluée à la création.',
        },
      },
    },
  }),
})

const WRITES: ReadonlySet<string> = new Set(['*', 'WRITE', 'CREATE', 'UPDATE', 'DELETE', 'INSERT', 'UPSERT'])
const KEYS: ReadonlySet<string> = new Set(['grant', 'to', 'where'])
const ROWS = ['CREATE', 'UPDATE', 'DELETE'] as const

/** The changes of rows that a privilege is for. */
function grantedIn(privilege: Privilege): readonly RowEvent[] {
  return ROWS.filter((event) => grantsEvent(privilege, event))
}

function* matchesOf(root: CapRoot, reach: ReachModel): Generator<Match> {
  for (const restriction of restrictionsOf(root)) {
    const { name, annotation, element } = restriction
    if (element?.kind !== 'entity' || !element.writable) continue
    if (name === 'requires' && isForAnybody(restriction, root)) {
      const variant = variantOf(restriction, undefined)
      if (variant !== 'public' && variant !== 'authenticated') continue
      yield {
        at: annotation.place,
        args: { element: nameOf(restriction), service: restriction.service.name, grants: '*', any: "'any'" },
        exposure: exposureOf(restriction, reach, ROWS),
        variant: variant === 'public' ? 'requires' : 'requiresLogin',
      }
    }
    if (name !== 'restrict' || isRequired(restriction)) continue
    for (const privilege of privilegesOf(annotation.value)) {
      // with a misspelt key the role may be there: another fault, reported by a rule of its own
      if (privilege.record.members.some(({ key }) => !KEYS.has(key))) continue
      const { grants, to, where } = privilege
      const writes = grants.length === 0 || grants.some((grant) => WRITES.has(grant))
      if (!writes || (to !== undefined && !to.includes('any'))) continue
      const isFiltered = where !== undefined && namesUser(where)
      const variant = variantOf(restriction, isFiltered ? filteredBy(grants) : undefined)
      if (variant === undefined) continue
      const args = {
        element: nameOf(restriction),
        service: restriction.service.name,
        grants: grants.length === 0 ? '*' : listNames(grants),
        any: to === undefined ? DEFAULT : "'any'",
      }
      yield {
        at: placeIn(annotation, markOf(privilege)),
        args,
        exposure: exposureOf(restriction, reach, grantedIn(privilege)),
        ...(variant !== 'public' && { variant }),
      }
    }
  }
}

/** Who changes the rows. Where a service asks for a login, it is those who have one: that anybody gets one is a fault of its own. */
function exposureOf({ service, element }: Restriction, reach: ReachModel, events: readonly RowEvent[]): Exposure {
  const exposure = element === undefined ? reach.ofService(service) : reach.ofElement(service, element, events)
  return /^(?:default-)?public$/.test(service.access.kind) ? exposure : ofUsers(exposure)
}

/** `@requires: 'any'` and nothing else says who may write the rows of a table, handlers included. */
function isForAnybody({ annotation, element, service }: Restriction, root: CapRoot): boolean {
  if (element === undefined || element.annotations.has('restrict') || !wordsOf(annotation.value).includes('any')) return false
  return !isReadOnlyBySource(element, root, []) && uncheckedInCode(root, service, [element], 'change').length > 0
}

/** The element's own `@requires` names a role. */
function isRequired({ element }: Restriction): boolean {
  const roles = wordsOf(element?.annotations.get('requires')?.value)
  return roles.length > 0 && !roles.includes('any')
}

const CREATES: ReadonlySet<string> = new Set(['*', 'WRITE', 'CREATE', 'INSERT', 'UPSERT'])
const CHANGES: ReadonlySet<string> = new Set(['*', 'WRITE', 'UPDATE', 'DELETE', 'UPSERT'])

/** What a condition on the user leaves to the user anonymous: it is not evaluated where rows are created. */
function filteredBy(grants: readonly string[]): 'filtered' | 'filteredCreate' | 'filteredWrite' {
  if (!grants.some((grant) => CREATES.has(grant)) && grants.length > 0) return 'filtered'
  return grants.length === 0 || grants.some((grant) => CHANGES.has(grant)) ? 'filteredWrite' : 'filteredCreate'
}

/** What is in front of the privilege; undefined: enough. */
function variantOf(
  { service }: Restriction,
  filtered: ReturnType<typeof filteredBy> | undefined,
): 'public' | 'login' | 'authenticated' | ReturnType<typeof filteredBy> | undefined {
  const { kind } = service.access
  if (kind === 'public' || kind === 'default-public') return filtered ?? 'public'
  if (filtered !== undefined) return undefined
  if (kind === 'authenticated') return 'login'
  // the service requires a role itself
  if (kind !== 'default-authenticated' && kind !== 'default-unknown') return undefined
  return 'authenticated'
}

function namesUser(where: CdsValue): boolean {
  if (where.kind === 'expression') return /\$user\b/.test(where.expression.text)
  return where.kind === 'string' && /\$user\b/.test(String(where.value))
}

/** The roles, else what is granted. */
function markOf({ record }: Privilege): { start: number; end: number } {
  return (record.members.find(({ key }) => key === 'to') ?? record.members.find(({ key }) => key === 'grant'))?.value ?? record
}
