import { listNames } from '../../arguments.ts'
import {
  isAdministrative,
  isExpandOff,
  isHidden,
  servedServices,
  type CapElement,
  type CapLink,
  type CapService,
} from '../../model/cap/index.ts'
import { defineRule, type Rule } from '../rule.ts'
import { ofUsers } from './_matches.ts'
import { quoteWord } from '../../quote.ts'
import { maskedElements, type MaskedElements } from './_model/masked-elements.ts'
import { sameContent, SIBLING_WORDS } from './_model/same-contents.ts'
import { easiestOf } from './_model/restricted-exposures.ts'
import { lastName } from '../../paths.ts'
import type { Match } from '../../types.ts'

/**
 * Elements that a handler masks in what was read of their entity, while $expand of another entity adds the same rows: the handler does not run for these.
 * Facts: capire, "Core Services", `srv.after` (handlers are called for the entity that a request addresses; "each" for the rows of its result); @sap/cds 9.9.3,
 * lib/srv/srv-dispatch.js (handlers are matched by the target of the request).
 * Or another element of the same rows tells what is masked, as an IBAN tells the number of the account.
 * Impact: users read what the project masks, such as numbers of cards and accounts, with one request.
 */
export const maskingBypassedByExpand: Rule = defineRule({
  id: 'cap/masking-bypassed-by-expand',
  impact: 'data',
  confidence: 'medium',
  cwe: [200, 639],
  since: '0.3.0',
  docs: 'https://cap.cloud.sap/docs/node.js/core-services#srv-after-request',
  on: 'cap-root',
  extracts: [maskedElements],

  *check(root, { reach }) {
    if (root.test || root.runtime === 'java') return
    const found = root.scripts.get(maskedElements).map(({ file, value }) => ({
      ...value,
      file,
      services: root.eventOf({ ...value, file, events: [] }),
    }))
    for (const service of servedServices(root))
      for (const masking of found) {
        const { entities, services, file, start, end } = masking
        if (entities === undefined || !services.isCertain || !services.services.includes(service)) continue
        for (const element of service.elements) {
          root.step()
          if (element.kind !== 'entity' || !entities.includes(lastName(element.name))) continue
          const elements = shownOf(element, masking)
          const sibling = siblingOf(element, service, elements, found)
          if (sibling !== undefined)
            yield {
              ...sibling,
              at: { file, span: { start, end } },
              // that callers need no login is a finding of the service
              exposure: ofUsers(reach.ofElement(service, element, ['READ'])),
            }
          const isOpen = (from: CapElement): boolean =>
            !isMaskedThere(from, elements, found) && (masking.elements.length > 0 || !isForOthers(from, masking))
          const ways = elements.length === 0 ? [] : waysTo(element, service, isOpen)
          root.step(ways.length)
          const [first] = ways
          if (first === undefined) continue
          yield {
            at: { file, span: { start, end } },
            args: {
              entity: `${service.name}.${element.name}`,
              elements: listNames(elements),
              paths: listNames(ways.map(({ from, element: association }) => `${from.name}/${association}`)),
              from: first.from.name,
              association: first.element,
            },
            exposure: easiestOf(ways.map(({ from }) => reach.ofElement(service, from, ['READ']))),
            key: `${service.name}.${element.name}`,
          }
        }
      }
  },

  text: () => ({
    en: {
      title: 'Masking in a read handler bypassed through $expand',
      message:
        'A handler masks {elements:and} after reading {entity}, but it does not run for {paths:and}: with $expand, the same rows are returned as they are stored.',
      why: 'CAP calls read handlers for the entity that a request addresses. A user who expands the association gets the full values with one OData request.',
      fix: 'Leave {elements:and} out of {entity} with excluding, and expose a masked column calculated in the projection. Or annotate {from} with @Capabilities.ExpandRestrictions.NonExpandableProperties: [{association}].',
      variants: { sibling: SIBLING_WORDS.en },
    },
    fr: {
      title: 'Masquage dans un gestionnaire de lecture contourné par $expand',
      message:
        'Un gestionnaire masque {elements:et} après la lecture de {entity}, mais il ne s’exécute pas pour {paths:et} : avec $expand, les mêmes lignes sont renvoyées telles qu’elles sont enregistrées.',
      why: 'CAP appelle les gestionnaires de lecture pour l’entité visée par la requête. Un utilisateur qui étend l’association obtient les valeurs complètes en une seule requête OData.',
      fix: 'Excluez {elements:et} de {entity} par excluding, et exposez une colonne masquée calculée dans la projection. Ou annotez {from} avec @Capabilities.ExpandRestrictions.NonExpandableProperties: [{association}].',
      variants: { sibling: SIBLING_WORDS.fr },
    },
  }),
})

/** The elements of an entity that clients get as they are stored where the handler does not run. */
function shownOf(entity: CapElement, { elements, emptied }: MaskedElements): readonly string[] {
  const stored = entity.members().filter((member) => !member.virtual && !member.calculated && !isHidden(member))
  return stored.map(({ name }) => name).filter((name) => elements.includes(name) || emptied.includes(name))
}

/** What tells that another element of the entity says the same as a masked one; somebody may want it to be read. */
function siblingOf(
  element: CapElement,
  service: CapService,
  masked: readonly string[],
  found: readonly MaskedElements[],
): Omit<Match, 'at'> | undefined {
  const same = sameContent(masked, unmaskedOf(element, found))
  if (same === undefined) return undefined
  const entity = `${service.name}.${element.name}`
  const args = { entity, masked: quoteWord(same.masked), shown: quoteWord(same.shown) }
  return { args, variant: 'sibling', evidence: 'assumed', key: `${entity} ${same.shown}` }
}

/** The same of elements that no handler of the entity masks or empties. */
function unmaskedOf(entity: CapElement, found: readonly MaskedElements[]): readonly string[] {
  const own = found.filter(({ entities }) => entities?.includes(lastName(entity.name)) ?? true)
  const masked = new Set(own.flatMap(({ elements, emptied }) => [...elements, ...emptied]))
  return entity.members().flatMap((member) => {
    const isStored = !member.virtual && !member.calculated && !isHidden(member)
    return isStored && !masked.has(member.name) ? member.name : []
  })
}

/** Associations of other entities of the service that lead to an entity, where $expand is on and nothing masks what it adds. */
function waysTo(element: CapElement, service: CapService, isOpen: (from: CapElement) => boolean): readonly CapLink[] {
  return service
    .links()
    .filter(({ from, to }) => to === element && from.access?.kind !== 'none' && !isExpandOff(from) && isOpen(from))
}

/** A handler of the entity that is expanded from masks what was added to it as well. */
function isMaskedThere({ name }: CapElement, elements: readonly string[], found: readonly MaskedElements[]): boolean {
  return found.some(
    (one) =>
      (one.entities === undefined || one.entities.includes(lastName(name))) &&
      elements.some((name) => one.elements.includes(name) || one.emptied.includes(name)),
  )
}

/** All who read it may be those that get everything: by a role that keeps it, as administrators, or without a role that gets less. */
function isForOthers({ access }: CapElement, { roles, limited }: MaskedElements): boolean {
  if (access?.kind !== 'roles' || access.roles.length === 0) return false
  return access.roles.every((role) => {
    if (roles.includes(role) || isAdministrative(role)) return true
    return roles.length === 0 && !limited.includes(role)
  })
}
