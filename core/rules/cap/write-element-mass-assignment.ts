import {
  entityWords,
  exposedMembers,
  isAdministrative,
  isCredential,
  isGuarded,
  toWords,
  writersOf,
  type CapElement,
  type CapMember,
  type CapService,
  type ExposedMember,
} from '../../model/cap/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { listNames, memberName, worstAtPlaces } from './_matches.ts'

/** An element that decides what somebody may do or owns, and that every writer of the entity may set.
 *  Facts: capire, "Input Validation" (`@readonly` and its like: what clients send is dropped; everything else is written). */
export const writeElementMassAssignment: Rule = defineRule({
  id: 'cap/write-element-mass-assignment',
  severity: 'LOW',
  confidence: 'medium',
  cwe: [915],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/data-protection#secure-untrusted-input',
  on: 'cap-root',

  *check(root) {
    const matches: Match[] = []
    for (const exposed of exposedMembers(root)) {
      const { service, entity, member, isWritten } = exposed
      if (member.key || isGuarded(member) || !isWritten || isNowhere(entity)) continue
      const found = privilegeOf(exposed)
      if (found === undefined) continue
      const writers = writersOf(entity, service)
      if (writers.every(isTrusted)) continue
      const { variant, action } = found
      const args = {
        element: memberName(exposed),
        name: member.name,
        writers: listNames(writers),
        ...(action !== undefined && { action }),
      }
      matches.push({ at: member.place, args, severity: 'LOW', ...(variant !== undefined && { variant }) })
    }
    yield* worstAtPlaces(matches)
  },

  text: {
    en: {
      title: 'Clients may set what decides about rights',
      message: '{writers} may write {element}: it is part of every create and update, and nothing makes it read-only.',
      why: 'Whoever may change the entity at all adds this element to the request, and gives themselves rights that the page does not offer.',
      fix: 'Write @readonly on {name} (or exclude it from the projection), and change it by an action with a role of its own.',
      variants: {
        amount: {
          title: 'Clients may set how much somebody has',
          why: 'Whoever may change the entity at all adds this element to the request, and books themselves what they like.',
        },
        decision: {
          title: 'Clients may set what an action is meant to decide',
          message:
            '{writers} may write {element}, which {action} is there for: it is part of every create and update, and nothing makes it read-only.',
          why: 'A plain update takes the decision without the action, its checks and its role.',
          fix: 'Write @readonly on {name}: the action changes it on the server all the same.',
        },
      },
    },
    fr: {
      title: 'Les clients fixent ce qui décide des droits',
      message:
        '{writers} peut écrire {element} : il fait partie de chaque création et modification, et rien ne le met en lecture seule.',
      why: 'Quiconque peut modifier l’entité ajoute cet élément à la requête et s’accorde des droits que la page ne propose pas.',
      fix: 'Écrivez @readonly sur {name} (ou excluez-le de la projection), et modifiez-le par une action dotée de son propre rôle.',
      variants: {
        amount: {
          title: 'Les clients fixent ce que quelqu’un possède',
          why: 'Quiconque peut modifier l’entité ajoute cet élément à la requête et se crédite ce qu’il veut.',
        },
        decision: {
          title: 'Les clients fixent ce qu’une action doit décider',
          message:
            '{writers} peut écrire {element}, que {action} est censée décider : il fait partie de chaque création et modification, et rien ne le met en lecture seule.',
          why: 'Une simple modification prend la décision sans l’action, ses contrôles et son rôle.',
          fix: 'Écrivez @readonly sur {name} : l’action le modifie quand même côté serveur.',
        },
      },
    },
  },
})

/** No table holds it: only the project's own code sees what clients send. */
function isNowhere({ annotations }: CapElement): boolean {
  const value = annotations.get('cds.persistence.skip')?.value
  return value?.kind === 'boolean' && value.value === true
}

/** Who decides about others anyway. */
function isTrusted(role: string): boolean {
  return isAdministrative(role) || /manager|approver|supervisor|owner|controller|auditor|reviewer|internal|system/i.test(role)
}

interface Privilege {
  readonly variant?: 'amount' | 'decision'
  readonly action?: string
}

const RIGHTS = /^(?:is )?(?:admin|administrator|super ?user|super ?admin|sys ?admin|root ?user|privileged|staff user)$/
const ROLES =
  /^(?:user |account |access |security )?(?:roles?|permissions?|privileges?|authorizations?|authorities|access ?level|access ?rights?|user ?groups?|user ?type|is staff)$/
const TENANT = /^tenant(?: ?id)?$/
const AMOUNT =
  /^(?:account |wallet |credit |available |current |loyalty |vacation |leave )?(?:balance|credits|credit ?limit|credit ?score|credit)$/
const USERS =
  /(?:^| )(?:users?|user accounts?|accounts?|logins?|user profiles?|profiles?|identit(?:y|ies)|principals?|app users?)$/
const HOLDERS = /(?:^| )(?:users?|accounts?|wallets?|customers?|members?|profiles?|employees?|cards?|players?|subscribers?)$/

function privilegeOf({ member, entity, service, source }: ExposedMember): Privilege | undefined {
  const words = toWords(member.name)
  const { type, toMany } = member
  const owner = [entityWords(source.name), entityWords(entity.name), entityWords(member.owner)]
  if (type === 'Boolean' && (RIGHTS.test(words) || /^(?:is )?staff$/.test(words))) return {}
  if (type !== 'Boolean' && ROLES.test(words) && !(type === 'Association' && toMany) && isUser(owner, entity)) return {}
  if ((type === 'String' || type === 'UUID') && TENANT.test(words)) return {}
  if (isNumber(type) && AMOUNT.test(words) && owner.some((name) => HOLDERS.test(name))) return { variant: 'amount' }
  return decisionOf(words, member, entity, service)
}

/** By its name, or since it has what only users have. */
function isUser(names: readonly string[], entity: CapElement): boolean {
  if (names.some((name) => USERS.test(name))) return true
  return entity
    .members()
    .some((member) => isCredential(member) || (member.type === 'Boolean' && RIGHTS.test(toWords(member.name))))
}

function isNumber(type: string | undefined): boolean {
  return type !== undefined && /^(?:Decimal|DecimalFloat|Double|U?Int\d{1,2}|Integer(?:64)?|Amount|Money)$/.test(type)
}

/** A state is somebody's to set, unless an action is there that decides it. */
function decisionOf(words: string, { type }: CapMember, { name }: CapElement, { elements }: CapService): Privilege | undefined {
  const isFlag = type === 'Boolean' && /^(?:is )?approved$/.test(words)
  const isState = type !== 'Boolean' && /^(?:approval |release |decision )?status(?: code)?$/.test(words)
  if (!isFlag && !isState) return undefined
  const action = elements.find(
    ({ kind, entity, name: full }) =>
      kind === 'action' &&
      entity === name &&
      /^(?:approve|reject|accept|decline|release|deny|grant)/i.test(full.slice(name.length + 1)),
  )
  return action === undefined ? undefined : { variant: 'decision', action: action.name }
}
