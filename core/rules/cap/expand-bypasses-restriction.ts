import {
  AUTHENTICATED_ROLES,
  grantsEvent,
  isExpandOff,
  isOrdinary,
  privilegesOf,
  readersOf,
  servedServices,
  type CapElement,
  type CapLink,
  type CapRoot,
  type CapService,
} from '../../model/cap/index.ts'
import { scopesOfTemplates, type SecurityOf } from '../../model/authorization/index.ts'
import { inEachLanguage, listNames } from '../../arguments.ts'
import { groupBy } from '../../lists.ts'
import type { Localized, Match, RuleText } from '../../types.ts'
import { listRoles, usersWith } from './_matches.ts'
import { easiestOf, exposureOfRoles } from './_model/restricted-exposures.ts'
import { sensitivityOf, type Sensitivity } from './_secrets/sensitive-data.ts'
import { defineRule, variantOfCases, type Rule } from '../rule.ts'

const JAVA_DOCS = 'https://cap.cloud.sap/docs/guides/security/authorization#deep-auth'

/** An entity that is no projection has nothing to leave an element out of. */
const DEFINED: Localized<Pick<RuleText, 'fix'>> = {
  en: {
    fix: 'Restrict {openers:and} to {same} ({roles:and}). Or remove {associations} from {origins:and}, if nothing else depends on it.',
  },
  fr: {
    fix: 'Réservez {openers:et} {same} ({roles:et}). Ou supprimez {associations} dans {origins:et}, si rien d’autre n’en dépend.',
  },
}
const JAVA: Localized<Pick<RuleText, 'why'>> = {
  en: {
    why: 'CAP Java does not check the restrictions of composition targets, even with deep authorization (the default since CAP Java 4): a user without the role gets the restricted rows with one OData request.',
  },
  fr: {
    why: 'CAP Java ne vérifie pas les restrictions des cibles de compositions, même avec l’autorisation profonde (activée par défaut depuis CAP Java 4) : un utilisateur sans le rôle requis obtient les lignes restreintes en une seule requête OData.',
  },
}

/**
 * A restricted entity that can be read through a less restricted one: CAP authorizes the target of a request only.
 * Facts: capire, "Authorization": "Limitations" of Node.js (neither associations nor compositions are checked) and "Deep Authorizations" of Java
 * (associations are checked, by default since 4.0; compositions never are); both enforce ExpandRestrictions.
 * Impact: reads data that needs another role; rows without personal data or credentials mostly are what users may see anyway, and others may be exposed on purpose,
 * but for accounts, papers and the like. Where all roles of the application may read it, it is assumed that somebody has none.
 */
export const expandBypassesRestriction: Rule = defineRule({
  id: 'cap/expand-bypasses-restriction',
  impact: 'data',
  confidence: 'medium',
  cwe: [639],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authorization#limitations',
  docsByVariant: { java: JAVA_DOCS, 'defined-java': JAVA_DOCS },
  on: 'cap-root',

  *check(root, { reach, securityOf }) {
    for (const service of servedServices(root)) {
      // nothing is restricted, so that nothing gets around it
      if (service.elements.every(({ access }) => access === undefined)) continue
      const byTarget = new Map<CapElement, CapLink[]>()
      for (const link of service.links()) {
        if ((root.runtime === 'java' && !link.composition) || !isBypass(link, service) || isExpandOff(link.from)) continue
        const known = byTarget.get(link.to)
        if (known === undefined) byTarget.set(link.to, [link])
        else known.push(link)
      }
      for (const [to, links] of byTarget) {
        const [first] = links
        const place = to.access?.place
        if (first === undefined || place === undefined) continue
        const roles = readersOf(to)?.roles ?? []
        const origins = new Set(links.map(({ from }) => from))
        const isOne = roles.length === 1
        const isDefined = links.some(({ from }) => from.source?.name === from.qualified)
        yield {
          at: place,
          args: {
            entity: `${service.name}.${to.name}`,
            roles: listRoles(roles),
            paths: listNames(links.map(({ from, element }) => `${from.name}/${element}`)),
            readers: usersWith(bypassing(first, service)),
            origins: listNames([...origins].map(({ name }) => name)),
            openers: listNames(openersOf(origins, to, service, root).map(({ name }) => name)),
            same: isOne
              ? inEachLanguage({ en: 'the same role', fr: 'au même rôle' })
              : inEachLanguage({ en: 'the same roles', fr: 'aux mêmes rôles' }),
            projections:
              origins.size === 1
                ? inEachLanguage({ en: 'the projection', fr: 'de la projection' })
                : inEachLanguage({ en: 'the projections', fr: 'des projections' }),
            exclusions: listNames(exclusionsOf(links)),
            associations: [...new Set(links.map(({ element }) => element))].join(', '),
          },
          ...variantOfCases(isDefined && 'defined', root.runtime === 'java' && 'java'),
          exposure: easiestOf(
            links.map((link) => exposureOfRoles(service, link.from, bypassing(link, service), reach, { events: ['READ'] })),
          ),
          ...evidenceOf(
            sensitivityOf(to, root),
            links.some((link) => isReadByOthers(link, service)) && !isForAllRoles(roles, root, securityOf),
          ),
          key: `${service.name}.${to.name}`,
        }
      }
    }
  },

  text: () => ({
    en: {
      title: 'Authorization bypass: restricted entity readable through $expand',
      message: '{entity} is restricted to {roles:and}, but {readers:or} can read it with $expand through {paths:and}.',
      why: 'CAP Node.js checks the restrictions of the entity that a request addresses, not of those added by $expand: a user without the role gets the restricted rows with one OData request.',
      fix: 'Exclude {paths:and} from {projections} ({exclusions}), or restrict {openers:and} to {same} ({roles:and}).',
      variants: {
        defined: DEFINED.en,
        java: JAVA.en,
        'defined-java': { ...DEFINED.en, ...JAVA.en },
      },
    },
    fr: {
      title: 'Contournement d’autorisation : entité restreinte lisible via $expand',
      message: 'L’entité {entity} est réservée à {roles:et}, mais {readers:ou} peuvent la lire avec $expand via {paths:et}.',
      why: 'CAP Node.js vérifie les restrictions de l’entité visée par la requête, pas celles des entités ajoutées par $expand : un utilisateur sans le rôle requis obtient les lignes restreintes en une seule requête OData.',
      fix: 'Excluez {paths:et} {projections} ({exclusions}), ou réservez {openers:et} {same} ({roles:et}).',
      variants: {
        defined: DEFINED.fr,
        java: JAVA.fr,
        'defined-java': { ...DEFINED.fr, ...JAVA.fr },
      },
    },
  }),
})

/** What somebody's account or health is, nobody else was meant to see; a role may well know names and addresses, and code lists anyway. */
function evidenceOf(sensitivity: Sensitivity, isReadByOthers: boolean): Pick<Match, 'evidence' | 'circumstance'> {
  if (sensitivity === undefined) return { circumstance: 'visible' }
  return { evidence: sensitivity === 'close' && isReadByOthers ? 'shown' : 'assumed' }
}

/** Rows of the user alone lead ordinary users to what is their own. */
function isReadByOthers(link: CapLink, service: CapService): boolean {
  const privileges = privilegesOf(link.from.annotations.get('restrict')?.value).filter((one) => grantsEvent(one, 'READ'))
  return bypassing(link, service).some(
    (role) =>
      !isOrdinary(role) ||
      privileges.length === 0 ||
      privileges.some(({ to, where }) => where === undefined && to?.includes(role) !== false),
  )
}

/**
 * Whoever has a role of the application at all may read it, one for its ordinary users among them: that somebody logs in without any is not in the project. Descriptors
 * give roles that no model asks for.
 */
function isForAllRoles(roles: readonly string[], root: CapRoot, securityOf: SecurityOf): boolean {
  if (roles.length < 2 || !roles.some(isOrdinary)) return false
  const allowed = new Set(roles)
  const given = securityOf(root).flatMap(({ config }) => scopesOfTemplates(config).flatMap((scopes) => [...scopes]))
  root.step(root.services.length + given.length)
  if (!given.every((role) => allowed.has(role))) return false
  return servedServices(root).every(({ access, elements }) => {
    root.step(elements.length)
    const asked = elements.flatMap(({ access: own, annotations }) => [
      ...(own?.kind === 'roles' ? own.roles : []),
      ...privilegesOf(annotations.get('restrict')?.value).flatMap(({ to }) => to ?? []),
    ])
    return [...(access.kind === 'roles' ? access.roles : []), ...asked].every(
      (role) => allowed.has(role) || AUTHENTICATED_ROLES.has(role) || role === 'any',
    )
  })
}

/** What the projections have to say. */
function exclusionsOf(links: readonly CapLink[]): string[] {
  const byEntity = groupBy(links, ({ from }) => from.name)
  return [...byEntity].map(
    ([entity, own]) => `entity ${entity} as … excluding { ${own.map(({ element }) => element).join(', ')} }`,
  )
}

/** The entities that lead to a restricted one, and those that lead to them: $expand may be nested. CAP Java checks all but compositions on the way. */
function openersOf(origins: ReadonlySet<CapElement>, to: CapElement, service: CapService, root: CapRoot): CapElement[] {
  const found = new Set(origins)
  for (const one of found)
    for (const link of service.links())
      if (link.to === one && (link.composition || root.runtime !== 'java') && isBypass({ ...link, to }, service))
        found.add(link.from)
  found.delete(to)
  return [...found]
}

function isBypass(link: CapLink, service: CapService): boolean {
  return bypassing(link, service).length > 0
}

/** The roles that may read `from` and not `to`. */
function bypassing({ from, to }: CapLink, service: CapService): readonly string[] {
  const readers = readersOf(to)
  if (to.access?.kind !== 'roles' || readers === undefined || from.access?.kind === 'none') return []
  const allowed = new Set(readers.roles)
  if (allowed.has('any') || allowed.has('authenticated-user') || allowed.has('identified-user')) return []
  return callersOf(from, service).filter((role) => !allowed.has(role))
}

/** Roles that allow to read an entity; a pseudo role where none is required. */
function callersOf(from: CapElement, { access }: CapService): readonly string[] {
  const readers = readersOf(from)
  const open = readers === undefined || readers.roles.some((role) => role === 'any' || role === 'authenticated-user')
  if (!open) return readers.roles
  if (access.kind === 'roles') return access.roles
  return [access.kind === 'public' || access.kind === 'default-public' ? 'any' : 'authenticated-user']
}
