import { readersOf, servedServices, type CapElement, type CapLink, type CapService } from '../../model/cap/index.ts'
import { defineRule, type Rule } from '../rule.ts'
import { listNames } from './_matches.ts'

/** A restricted entity that is read through a less restricted one: authorization looks at the target of a request alone.
 *  Facts: capire, "Authorization", limitation of deep authorization (Node.js: associations and compositions; CAP Java 4: compositions). */
export const expandBypassesRestriction: Rule = defineRule({
  id: 'cap/expand-bypasses-restriction',
  severity: 'MEDIUM',
  confidence: 'medium',
  cwe: [639],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authorization#limitation-deep-authorization',
  on: 'cap-root',

  *check(root) {
    for (const service of servedServices(root)) {
      const byTarget = new Map<CapElement, CapLink[]>()
      for (const link of service.links) {
        if ((root.runtime === 'java' && !link.composition) || !isBypass(link, service) || isExpandOff(link.from)) continue
        const known = byTarget.get(link.to)
        if (known === undefined) byTarget.set(link.to, [link])
        else known.push(link)
      }
      for (const [to, links] of byTarget) {
        const [first] = links
        const place = to.access?.place
        if (first === undefined || place === undefined) continue
        yield {
          at: place,
          args: {
            entity: `${service.name}.${to.name}`,
            roles: readersOf(to)?.roles.join(', ') ?? '',
            paths: listNames(links.map(({ from, element }) => `${from.name}/${element}`)),
            readers: callersOf(first.from, service).join(', '),
          },
          key: `${service.name}.${to.name}`,
        }
      }
    }
  },

  text: {
    en: {
      title: 'A restricted entity can be read with $expand',
      message: '{entity} is restricted to {roles}, but $expand gets there by {paths}, and {readers} may read that.',
      why: 'CAP checks the entity that a request addresses, not those that $expand adds: a reader of the first one gets the rows of the restricted one along with it.',
      fix: 'Leave the association out of the projection (excluding), or restrict the entity that leads there alike.',
    },
    fr: {
      title: 'Une entité restreinte se lit par $expand',
      message: '{entity} est restreinte à {roles}, mais $expand y mène par {paths}, que {readers} peut lire.',
      why: 'CAP vérifie l’entité que vise la requête, pas celles que $expand y ajoute : qui lit la première obtient aussi les lignes de l’entité restreinte.',
      fix: 'Retirez l’association de la projection (excluding), ou restreignez de même l’entité qui y mène.',
    },
  },
})

/** Somebody may read `from` and not `to`. */
function isBypass({ from, to }: CapLink, service: CapService): boolean {
  const readers = readersOf(to)
  if (to.access?.kind !== 'roles' || readers === undefined || from.access?.kind === 'none') return false
  const allowed = new Set(readers.roles)
  if (allowed.has('any') || allowed.has('authenticated-user') || allowed.has('identified-user')) return false
  return callersOf(from, service).some((role) => !allowed.has(role))
}

/** Roles with which somebody reads an entity; a pseudo role where no other is wanted. */
function callersOf(from: CapElement, { access }: CapService): readonly string[] {
  const readers = readersOf(from)
  const open = readers === undefined || readers.roles.some((role) => role === 'any' || role === 'authenticated-user')
  if (!open) return readers.roles
  if (access.kind === 'roles') return access.roles
  return [access.kind === 'public' || access.kind === 'default-public' ? 'any' : 'authenticated-user']
}

/** `@Capabilities.ExpandRestrictions.Expandable: false` is enforced. */
function isExpandOff({ annotations }: CapElement): boolean {
  return [...annotations.keys()].some((name) => name.startsWith('Capabilities.ExpandRestrictions'))
}
