import {
  placeIn,
  privilegesOf,
  restrictionsOf,
  wordsOf,
  type CapRoot,
  type Privilege,
  type Restriction,
} from '../../model/cap/index.ts'
import type { CdsValue } from '../../parse/cds/types.ts'
import type { Match, Severity } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { nameOf, worstAtPlaces } from './_matches.ts'

/** A privilege to write that names nobody, or anybody.
 *  Facts: capire, "Authorization" (`to` defaults to `any`); @sap/cds 9.9.3, generic/auth/restrictions.js. */
export const grantAllToAny: Rule = defineRule({
  id: 'cap/grant-all-to-any',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [863],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authorization',
  on: 'cap-root',

  *check(root) {
    yield* worstAtPlaces(matchesOf(root))
  },

  text: {
    en: {
      title: 'A restriction lets anybody write',
      message: '@restrict on {element} grants {grants} to everybody, and its service asks nobody for a login either.',
      why: 'A privilege without "to", or to "any", fits every request: whoever reaches the service changes this data without a login.',
      fix: 'Name the role in this privilege: to: \'<role>\'. Keep "any" for READ at most.',
      variants: {
        authenticated: {
          title: 'A restriction lets every user write',
          message:
            '@restrict on {element} grants {grants} to everybody; only the login that production asks for by default stands before it.',
          why: 'The line looks like a restriction and is none: every user, whatever the role, changes this data.',
        },
        login: {
          title: 'A restriction lets every user write',
          message:
            '@restrict on {element} grants {grants} to everybody; only the login that {service} asks for stands before it.',
          why: 'The line looks like a restriction and is none: every user, whatever the role, changes this data.',
        },
        filtered: {
          message:
            '@restrict on {element} grants {grants} to everybody; only a condition on the user limits it, and its service asks nobody for a login.',
          why: 'Without a login the user is anonymous; and what is created is not held against the condition.',
        },
      },
    },
    fr: {
      title: 'Une restriction permet à n’importe qui d’écrire',
      message: '@restrict sur {element} accorde {grants} à tout le monde, et son service n’exige aucune connexion non plus.',
      why: 'Un privilège sans « to », ou avec « any », convient à toute requête : quiconque atteint le service modifie ces données sans connexion.',
      fix: "Nommez le rôle dans ce privilège : to: '<rôle>'. Réservez « any » à READ tout au plus.",
      variants: {
        authenticated: {
          title: 'Une restriction permet à tout utilisateur d’écrire',
          message:
            '@restrict sur {element} accorde {grants} à tout le monde ; seule la connexion exigée par défaut en production la précède.',
          why: 'La ligne ressemble à une restriction et n’en est pas une : tout utilisateur, quel que soit son rôle, modifie ces données.',
        },
        login: {
          title: 'Une restriction permet à tout utilisateur d’écrire',
          message:
            '@restrict sur {element} accorde {grants} à tout le monde ; seule la connexion exigée par {service} la précède.',
          why: 'La ligne ressemble à une restriction et n’en est pas une : tout utilisateur, quel que soit son rôle, modifie ces données.',
        },
        filtered: {
          message:
            '@restrict sur {element} accorde {grants} à tout le monde ; seule une condition sur l’utilisateur la limite, et son service n’exige aucune connexion.',
          why: 'Sans connexion l’utilisateur est anonyme ; et ce qui est créé n’est pas comparé à la condition.',
        },
      },
    },
  },
})

const WRITES: ReadonlySet<string> = new Set(['*', 'WRITE', 'CREATE', 'UPDATE', 'DELETE', 'INSERT', 'UPSERT'])
const KEYS: ReadonlySet<string> = new Set(['grant', 'to', 'where'])

function* matchesOf(root: CapRoot): Generator<Match> {
  for (const restriction of restrictionsOf(root)) {
    const { name, annotation, element } = restriction
    if (name !== 'restrict' || element?.kind !== 'entity' || !element.writable || isRequired(restriction)) continue
    for (const privilege of privilegesOf(annotation.value)) {
      // a misspelt key is why nobody is named: cap/restrict-misspelled
      if (privilege.record.members.some(({ key }) => !KEYS.has(key))) continue
      const { grants, to, where } = privilege
      const writes = grants.length === 0 || grants.some((grant) => WRITES.has(grant))
      if (!writes || (to !== undefined && !to.includes('any'))) continue
      const grade = gradeOf(restriction, where !== undefined && namesUser(where))
      if (grade === undefined) continue
      const args = {
        element: nameOf(restriction),
        service: restriction.service.name,
        grants: grants.length === 0 ? '*' : grants.join(', '),
      }
      yield { at: placeIn(annotation, markOf(privilege)), args, ...grade }
    }
  }
}

/** The element's own `@requires` asks for something. */
function isRequired({ element }: Restriction): boolean {
  const roles = wordsOf(element?.annotations.get('requires')?.value)
  return roles.length > 0 && !roles.includes('any')
}

function gradeOf({ service }: Restriction, isFiltered: boolean): { severity: Severity; variant?: string } | undefined {
  const { kind } = service.access
  if (kind === 'public' || kind === 'default-public')
    return isFiltered ? { severity: 'MEDIUM', variant: 'filtered' } : { severity: 'HIGH' }
  if (kind === 'authenticated') return isFiltered ? undefined : { severity: 'LOW', variant: 'login' }
  // a service for roles stands before it
  if (kind !== 'default-authenticated' && kind !== 'default-unknown') return undefined
  return isFiltered ? undefined : { severity: 'MEDIUM', variant: 'authenticated' }
}

function namesUser(where: CdsValue): boolean {
  if (where.kind === 'expression') return /\$user\b/.test(where.expression.text)
  return where.kind === 'string' && /\$user\b/.test(String(where.value))
}

/** Who is named, else what is granted. */
function markOf({ record }: Privilege): { start: number; end: number } {
  return (record.members.find(({ key }) => key === 'to') ?? record.members.find(({ key }) => key === 'grant'))?.value ?? record
}
