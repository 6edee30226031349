import {
  accepts,
  isAdministrative,
  isNumeric,
  servedServices,
  writersOf,
  type CapElement,
  type CapRoot,
  type CapService,
} from '../../model/cap/index.ts'
import { lastName } from '../../paths.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { projectedNames } from './_handlers/user-handlers.ts'
import { ofUsers, worstAtPlaces } from './_matches.ts'
import { exposureOf } from './_model/restricted-exposures.ts'
import { itemTotals, type ItemTotal } from './_rows/item-totals.ts'

/**
 * A total that a handler makes of the items of a new row, where clients write these items by themselves, too, and no handler runs for that.
 * Facts: capire, "Providing Services": an entity of a service accepts CREATE and UPDATE of its own; a handler runs for the entity that it is registered for.
 * Impact: users get more than the total says; what follows from it is not in the project.
 */
export const totalNotUpdated: Rule = defineRule({
  id: 'cap/total-not-updated',
  impact: 'data',
  evidence: 'assumed',
  confidence: 'medium',
  cwe: [841],
  since: '0.3.0',
  docs: 'https://cap.cloud.sap/docs/guides/services/constraints#readonly',
  on: 'cap-root',
  extracts: [itemTotals],

  *check(root, { reach }) {
    if (root.test || root.runtime === 'java') return
    const known = root.scripts.get(itemTotals)
    const events = known.map(({ file, value }) => root.eventOf({ file, ...value, events: [] }))
    const updated = new Set(known.flatMap(({ value }) => value.updated))
    const matches: Match[] = []
    for (const [index, { value }] of known.entries()) {
      const { total, items, entities } = value
      if (total === undefined || items === undefined || entities === undefined || updated.has(total)) continue
      for (const service of servedServices(root).filter((one) => events[index]?.services.includes(one) === true)) {
        root.step(service.elements.length)
        const parent = service.elements.find(({ kind, qualified }) => kind === 'entity' && isFor(root, value, qualified))
        const open = parent && openItems(root, service, parent, items)
        if (parent === undefined || open === undefined || !hasTotal(parent, total)) continue
        const names = projectedNames(root, open.qualified)
        root.step(known.length)
        // whatever it does, it runs
        const isHandled = known.some(
          (one, at) =>
            (one.value.entities?.some((name) => names.has(name)) ?? true) &&
            (events[at]?.isCertain !== true || events[at].services.includes(service)),
        )
        if (isHandled) continue
        matches.push({
          at: open.place,
          args: {
            total: `${lastName(parent.name)}.${total}`,
            parent: lastName(parent.name),
            entity: `${service.name}.${open.name}`,
          },
          // that callers need no login is a finding of the service
          exposure: ofUsers(exposureOf(service, open, reach, ['CREATE', 'UPDATE', 'DELETE'])),
        })
      }
    }
    yield* worstAtPlaces(matches)
  },

  text: () => ({
    en: {
      title: 'Total not updated when items are written directly',
      message:
        '{total} is calculated from the items only when {parent} is created; clients can write {entity} directly, and no handler runs for it.',
      why: 'A user can add or change items afterwards: the total stays as it was calculated.',
      fix: 'Annotate {entity} with @readonly, so that items are only written together with {parent}, and calculate {total} before UPDATE of {parent}, too. Or recalculate {total} in a handler after CREATE, UPDATE and DELETE of {entity}.',
    },
    fr: {
      title: 'Total non recalculé quand les postes sont écrits directement',
      message:
        '{total} n’est calculé à partir des postes qu’à la création de {parent} ; un client peut écrire {entity} directement, et aucun gestionnaire ne s’exécute alors.',
      why: 'Un utilisateur peut ensuite ajouter ou modifier des postes : le total reste celui qui a été calculé.',
      fix: 'Annotez {entity} avec @readonly, pour que les postes ne soient écrits qu’avec {parent}, et calculez {total} aussi avant UPDATE de {parent}. Ou recalculez {total} dans un gestionnaire après CREATE, UPDATE et DELETE de {entity}.',
    },
  }),
})

function hasTotal(parent: CapElement, total: string): boolean {
  return parent.members().some((member) => member.name === total && isNumeric(member))
}

function isFor(root: CapRoot, { entities }: ItemTotal, qualified: string): boolean {
  const names = projectedNames(root, qualified)
  return entities?.some((name) => names.has(name)) === true
}

/** The entity of the service for the items, which users write by itself; drafts write it with its root alone. */
function openItems(root: CapRoot, service: CapService, parent: CapElement, items: string): CapElement | undefined {
  const member = parent.members().find(({ name }) => name === items)
  const { target } = member ?? {}
  if (member?.type !== 'Composition' || target === undefined || parent.annotations.has('odata.draft.enabled')) return undefined
  const base = root.projected(target)
  return service.elements.find((one) => {
    if (one.kind !== 'entity') return false
    const own = root.projected(one.qualified)
    root.step(own.length + base.length)
    return (
      (own.includes(target) || base.includes(one.qualified)) &&
      (accepts(one, 'CREATE') || accepts(one, 'UPDATE')) &&
      !writersOf(one, service).every(isAdministrative)
    )
  })
}
