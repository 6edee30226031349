import {
  entityWords,
  exposedMembers,
  isAdministrative,
  isCredential,
  isFlowStatus,
  isGuarded,
  isTrue,
  mayKnowFlows,
  roleChecks,
  toWords,
  writersOf,
  type CapElement,
  type CapMember,
  type CapRoot,
  type CapService,
  type ExposedMember,
  type WriteEvent,
} from '../../model/cap/index.ts'
import type { ReachModel } from '../../model/reach/index.ts'
import type { Exposure, Match, Place } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { bypassExtracts, createBypassReader } from './_model/bypassed-actions.ts'
import type { BypassedAction, BypassReader, DecidingEntity, ReservedAction } from './_model/bypass-reader.ts'
import { listRoles, memberName, ofUsers, usersWith, worstAtPlaces } from './_matches.ts'
import { bookedAmounts, bookedNames } from './_rows/booked-amounts.ts'
import { keptElements } from './_model/kept-elements.ts'
import { BECOMES, isRoleOfLogin } from './_model/login-roles.ts'
import { leftOutElements } from './_model/left-out-elements.ts'
import { keptNumbers } from './_rows/kept-numbers.ts'
import { createLateReader, lateValues } from './_rows/late-values.ts'
import { entityHandlers } from './_handlers/write-handlers.ts'
import { mayBeLimitedInCode, projectedNames, userHandlers } from './_handlers/user-handlers.ts'
import { awaitsDecision, isOpenDecision } from './_model/open-decisions.ts'
import { isOpenPayment } from './_model/open-payments.ts'
import { writtenByReadersAlone } from './_model/reading-roles.ts'
import { createTriggerReader, triggeredStates } from './_rows/triggered-states.ts'
import { exposureOfStaged, isLeftToOthers, isProgress, isRemark, stagedWriters } from './_model/state-privileges.ts'
import { withExposures } from './_model/exposing-places.ts'
import { exposureOf, exposureOfRoles } from './_model/restricted-exposures.ts'
import { SET_WORDS } from './_model/set-words.ts'

/**
 * Mass assignment: an element that decides about rights or possessions, and that clients may write.
 * Facts: capire, "Input Validation" (`@readonly` and its like: what clients send is dropped; everything else is written).
 * Impact: users give themselves rights or possessions; a name alone says so, and handlers may check the element. Where an action for fewer users sets a state in code,
 * a plain request goes around it; where it is for the same users and compares the state, around its checks.
 */
export const writeElementMassAssignment: Rule = defineRule({
  id: 'cap/write-element-mass-assignment',
  impact: 'data',
  evidence: 'guessed',
  confidence: 'medium',
  cwe: [915],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/services/constraints#readonly',
  on: 'cap-root',
  extracts: [
    ...bypassExtracts,
    triggeredStates,
    lateValues,
    bookedAmounts,
    keptNumbers,
    entityHandlers,
    roleChecks,
    userHandlers,
  ],

  *check(root, project) {
    const { reach, files } = project
    const matches: Match[] = []
    const ofReaders = writtenByReadersAlone(root, project)
    const reader = createBypassReader(root)
    const triggerOf = createTriggerReader(root)
    const lateOf = createLateReader(root)
    const booked = bookedNames(root)
    let hasFlows: boolean | undefined
    const isOfFlow = ({ entity, member }: ExposedMember): boolean =>
      isFlowStatus(entity, member) && (hasFlows ??= mayKnowFlows(root, files))
    const all = [...exposedMembers(root)]
    for (const exposed of all) {
      const { service, entity, member, isWritten } = exposed
      if (member.key || isGuarded(member) || isOfFlow(exposed) || !isWritten || isNowhere(entity) || ofReaders.has(entity))
        continue
      const late = lateOf(exposed)
      if (late !== undefined) {
        matches.push(matchOfLate(exposed, late, writing(exposed, reach)))
        continue
      }
      const bypassed = reader.bypassed(exposed)
      const trigger = bypassed === undefined ? triggerOf(exposed) : undefined
      if (trigger !== undefined && !reader.isLookedAtBefore(exposed)) {
        const exposure = writing(exposed, reach)
        matches.push({
          at: trigger.at,
          args: {
            element: memberName(exposed),
            file: member.place.file,
            writers: usersWith(writersOf(entity, service), exposure),
            state: trigger.state,
          },
          groupKey: `${member.place.file} ${member.place.span?.start}`,
          evidence: 'shown',
          exposure,
          variant: 'triggered',
        })
        continue
      }
      const reserved = bypassed === undefined ? reader.reserved(exposed) : undefined
      if (reserved !== undefined) {
        matches.push(
          matchOfReserved(exposed, reserved, exposureOfRoles(service, entity, reserved.writers, reach, { events: ['UPDATE'] })),
        )
        continue
      }
      const byEntity = bypassed === undefined ? reader.decidedBy(exposed) : undefined
      if (byEntity !== undefined) {
        if (writersOf(entity, service).every(isTrusted)) continue
        matches.push(matchOfEntity(exposed, byEntity, writing(exposed, reach, byEntity.created && ['CREATE'])))
        continue
      }
      const found: Privilege | undefined =
        bypassed === undefined
          ? (computedOf(root, exposed, reader, booked) ?? paymentOf(root, exposed, reader) ?? privilegeOf(exposed))
          : { variant: 'decision', ...bypassed }
      if (found === undefined || (found.variant === 'decision' && reader.isChecked(exposed))) continue
      const isMade = found.variant === 'computed' || found.variant === 'booked' || found.variant === 'preset'
      const isShared = isMade || found.variant === 'decision' || found.variant === 'payment' || found.variant === 'listed'
      const { variant, action, handler, event } = found
      const events: readonly WriteEvent[] = isMade ? ['UPDATE'] : event === undefined ? WRITES : [event]
      const writers = writersOf(entity, service, events)
      const deciding = service.elements.find((one) => one.name === action)
      const areTrusted = writers.every((role) => (found.isForOthers ? isDecider(role) : isTrusted(role)))
      const isState = found.isRefusedFor === true
      const isLeft =
        isLeftToOthers(exposed, deciding, writers, isState) && (isState || !mayBeLimitedInCode(root, service, entity))
      if (areTrusted && !isLeft) continue
      // by their name these decide as well
      const isDoubtful = found.evidence === 'shown' && found.isForOthers && writers.every(isTrusted)
      const staged = stagedWriters(exposed, deciding)
      const evidence = isDoubtful || (staged && found.evidence === 'guessed') ? 'assumed' : found.evidence
      const known = writing(exposed, reach, events)
      const exposure = staged === undefined ? known : exposureOfStaged(known, staged)
      const args = {
        element: memberName(exposed),
        file: member.place.file,
        writers: usersWith(writers, exposure),
        ...(action !== undefined && { action }),
      }
      matches.push({
        at: handler ?? member.place,
        args,
        // one advice for all the services and handlers that let it pass
        ...(isShared && {
          key: args.element,
          groupKey: `${member.place.file} ${member.place.span?.start}`,
        }),
        ...(evidence !== undefined && { evidence }),
        ...(variant === 'computed' && evidence === 'assumed' && reader.isMadeOfSent(exposed) && LITTLE),
        ...(variant === 'decision' && isProgress(exposed, action) && LITTLE),
        exposure,
        ...(variant === undefined && isRoleOfLogin(exposed, root, reach, reader) && BECOMES),
        ...(variant !== undefined && { variant: variant === 'decision' && event !== undefined ? DECIDED[event] : variant }),
      })
    }
    const told = new Set(matches.flatMap(({ args }) => args?.['element'] ?? []))
    const others = all.filter(({ entity }) => !isNowhere(entity) && !ofReaders.has(entity))
    const kept = keptElements(root, reach, reader, others, told, isTrusted)
    const found = worstAtPlaces([...matches, ...kept, ...leftOutElements(root, reach, others, told, isTrusted)])
    yield* withExposures(found, others, isTrusted)
  },

  text: () => ({
    en: {
      title: 'Mass assignment of a privilege-related element',
      message: '{element} is not read-only: {writers:or} can set it in create and update requests.',
      why: 'A user who may change the entity can add this element to the request, even if the user interface does not show it, and may thus obtain additional permissions.',
      fix: "Add @readonly to this element in {file} (or, with an annotate statement, for this service only). Server code, such as an action with @requires: '<role>', can still change the element.",
      variants: {
        amount: {
          title: 'Mass assignment of an amount',
          why: 'A user who may change the entity can add this element to the request and set any amount.',
        },
        decision: {
          title: 'Mass assignment of a status or approval',
          message:
            '{element}, which the action {action} is supposed to set, is not read-only: {writers:or} can set it in create and update requests.',
          why: 'A user can make the decision with a plain create or update request, bypassing the action and its checks.',
          fix: 'Add @readonly to this element in {file}: the action can still change it on the server.',
        },
        reserved: {
          title: 'Mass assignment of an element that an action sets',
          message:
            '{element}, which the action {action} sets for {roles:or} only, is not read-only: {writers:or} can set it in update requests.',
          why: 'A user without the role of the action can change the element with a plain update request, bypassing the action and its checks.',
          fix: 'Add @readonly to this element in {file}: the action can still change it on the server. Or check the role in a handler before UPDATE if the request holds the element.',
        },
        ...SET_WORDS.en,
      },
    },
    fr: {
      title: 'Affectation de masse d’un élément lié aux privilèges',
      message:
        '{element} n’est pas en lecture seule : {writers:ou} peuvent définir cet élément dans leurs requêtes de création et de modification.',
      why: 'Un utilisateur autorisé à modifier l’entité peut ajouter cet élément à la requête, même si l’interface ne le montre pas, et parfois obtenir ainsi des droits supplémentaires.',
      fix: "Ajoutez @readonly à cet élément dans {file} (ou, avec une instruction annotate, pour ce service seulement). Le code du serveur, par exemple une action avec @requires: '<rôle>', peut toujours modifier l’élément.",
      variants: {
        amount: {
          title: 'Affectation de masse d’un montant',
          why: 'Un utilisateur autorisé à modifier l’entité peut ajouter cet élément à la requête et fixer n’importe quel montant.',
        },
        decision: {
          title: 'Affectation de masse d’un statut ou d’une approbation',
          message:
            '{element}, que l’action {action} est censée définir, n’est pas en lecture seule : {writers:ou} peuvent définir cet élément dans leurs requêtes de création et de modification.',
          why: 'Un utilisateur peut prendre la décision par une simple requête de création ou de modification, en contournant l’action et ses contrôles.',
          fix: 'Ajoutez @readonly à cet élément dans {file} : l’action peut toujours le modifier côté serveur.',
        },
        reserved: {
          title: 'Affectation de masse d’un élément que définit une action',
          message:
            '{element}, que l’action {action} ne définit que pour {roles:ou}, n’est pas en lecture seule : {writers:ou} peuvent définir cet élément dans leurs requêtes de modification.',
          why: 'Un utilisateur sans le rôle de l’action peut modifier l’élément par une simple requête de modification, en contournant l’action et ses contrôles.',
          fix: 'Ajoutez @readonly à cet élément dans {file} : l’action peut toujours le modifier côté serveur. Ou vérifiez le rôle dans un gestionnaire avant UPDATE si la requête contient l’élément.',
        },
        ...SET_WORDS.fr,
      },
    },
  }),
})

/** Who chooses all that a value is made of may choose the value; how far a program has come decides nothing. */
const LITTLE = { impact: 'bounded', evidence: 'shown' } as const
const WRITES: readonly WriteEvent[] = ['CREATE', 'UPDATE']
const DECIDED = { CREATE: 'created', UPDATE: 'changed' } as const

/** Who sends the rows of an element. That callers need no login is a finding of the service. */
function writing({ service, entity }: ExposedMember, reach: ReachModel, events: readonly WriteEvent[] = WRITES): Exposure {
  return ofUsers(exposureOf(service, entity, reach, events))
}

/** A handler sets it where nothing stores it any more. */
function matchOfLate(exposed: ExposedMember, at: Place, exposure: Exposure): Match {
  const { service, entity, member } = exposed
  return {
    at,
    args: { element: memberName(exposed), writers: usersWith(writersOf(entity, service), exposure) },
    key: memberName(exposed),
    groupKey: `${member.place.file} ${member.place.span?.start}`,
    evidence: 'shown',
    exposure,
    variant: 'late',
  }
}

/** Rows of another entity set it. */
function matchOfEntity(exposed: ExposedMember, { entity, evidence, created }: DecidingEntity, exposure: Exposure): Match {
  const { file, span } = exposed.member.place
  return {
    at: created ?? exposed.member.place,
    args: {
      element: memberName(exposed),
      file,
      writers: usersWith(writersOf(exposed.entity, exposed.service, created && ['CREATE']), exposure),
      entity: `${exposed.service.name}.${entity}`,
    },
    key: memberName(exposed),
    groupKey: `${file} ${span?.start}`,
    evidence,
    exposure,
    variant: created === undefined ? 'entity' : 'entityCreated',
  }
}

/** An action for others sets it, and the model says for whom. */
function matchOfReserved(exposed: ExposedMember, { action, roles, writers }: ReservedAction, exposure: Exposure): Match {
  const { file, span } = exposed.member.place
  return {
    at: exposed.member.place,
    args: { element: memberName(exposed), file, writers: usersWith(writers, exposure), action, roles: listRoles(roles) },
    key: memberName(exposed),
    groupKey: `${file} ${span?.start}`,
    evidence: 'shown',
    ...((isRemark(exposed.member) || isProgress(exposed, action)) && { impact: 'bounded' as const }),
    exposure,
    variant: 'reserved',
  }
}

/** No table holds it: only the project's own code sees what clients send. */
function isNowhere({ annotations }: CapElement): boolean {
  return isTrue(annotations.get('cds.persistence.skip')?.value)
}

/** Roles that decide about other users anyway. */
function isTrusted(role: string): boolean {
  return isAdministrative(role) || /manager|approver|supervisor|owner|controller|auditor|reviewer|internal|system/i.test(role)
}

/** Roles that decide, whatever the model gives to others: of a manager of something, such as a `VendorManager`, that model tells what is left to them. */
function isDecider(role: string): boolean {
  return isTrusted(role) && !/ (?:manager|owner|controller)$/.test(toWords(role))
}

interface Privilege extends Partial<BypassedAction> {
  readonly variant?: 'amount' | 'decision' | 'computed' | 'booked' | 'payment' | 'listed' | 'preset'
}

/** Also as fields of SAP ERP are named: NETWR is the net value of a document. Facts: tables VBAK, VBAP, EKPO, KONV, BSEG. */
const PRICE =
  /(?:^| )(?:price|amount|total|subtotal|costs?|fee|salary|balance|discount|net|gross|points|credit)(?: (?:amount|price|value|sum|cost))?$|^(?:netwr|netpr|brtwr|kwert|kbetr|wrbtr|dmbtr|mwsbp)$/
/** Who decides: that owners hand their rows to others harms nobody else. */
const DECIDER = /^(?:approver|reviewer|approved by|decided by|processor|line manager)(?: (?:id|email|user))?$/

/** What the server makes of rows, of other elements or of the caller when a row is created, and clients then change. Other rows are changed by what is booked. */
function computedOf(
  root: CapRoot,
  exposed: ExposedMember,
  reader: BypassReader,
  booked: ReadonlyMap<string, ReadonlySet<string>>,
): Privilege | undefined {
  const { entity, member } = exposed
  const words = toWords(member.name)
  const isAmount = isNumber(member.type)
  const bookedOf = isAmount ? booked.get(member.name) : undefined
  const isBooked = bookedOf !== undefined && [...projectedNames(root, entity.qualified)].some((name) => bookedOf.has(name))
  if (!isBooked && !(isAmount ? PRICE : DECIDER).test(words)) return undefined
  const evidence = reader.isComputedOnce(exposed, isBooked)
  if (evidence === undefined) return undefined
  return isBooked
    ? { variant: 'booked', evidence: evidence === 'assumed' ? 'shown' : evidence }
    : { variant: 'computed', evidence }
}

/** Whether an order is paid, or what others decide, which no handler looks at. */
function paymentOf(root: CapRoot, exposed: ExposedMember, reader: BypassReader): Privilege | undefined {
  const variant = isOpenPayment(root, exposed) ? 'payment' : isOpenDecision(root, exposed) ? 'listed' : undefined
  if (variant !== undefined && reader.isTaken(exposed)) return { variant, evidence: 'assumed' }
  return awaitsDecision(exposed.member) && reader.isPreset(exposed) ? { variant: 'preset', evidence: 'assumed' } : undefined
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

/** By its name, or because it has elements of users. */
function isUser(names: readonly string[], entity: CapElement): boolean {
  if (names.some((name) => USERS.test(name))) return true
  return entity
    .members()
    .some((member) => isCredential(member) || (member.type === 'Boolean' && RIGHTS.test(toWords(member.name))))
}

function isNumber(type: string | undefined): boolean {
  return type !== undefined && /^(?:Decimal|DecimalFloat|Double|U?Int\d{1,2}|Integer(?:64)?|Amount|Money)$/.test(type)
}

/** Clients may set a state, unless an action decides it. */
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
