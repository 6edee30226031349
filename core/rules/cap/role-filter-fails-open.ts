import { append } from '../../lists.ts'
import type { Span } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { callerCheckExtracts } from './_callers/caller-checks.ts'
import { listElements, listRoles, ofUsers } from './_matches.ts'
import { createRegistrationReader, openReadings, type Reading } from './_model/open-readings.ts'
import { roleFilters } from './_model/role-filters.ts'
import { rolesOfUsers } from './_callers/scopes.ts'

/** A filter for a role in a file, and what it is for. */
interface OpenFilter extends Span, Reading {
  readonly file: string
  readonly roles: readonly string[]
  readonly passed: readonly string[]
}

/**
 * A handler that limits rows for users with a role alone, in a service for all authenticated users: without the role, all rows are read.
 * Facts: capire, "Authorization", programmatic enforcement (`req.user.is`); a query without a condition reads all rows.
 * Impact: users read the rows of others. That those without the role may not see all of them is shown where the project has other roles for such users, else assumed.
 */
export const roleFilterFailsOpen: Rule = defineRule({
  id: 'cap/role-filter-fails-open',
  impact: 'data',
  evidence: 'assumed',
  confidence: 'medium',
  cwe: [636, 863],
  since: '0.3.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authorization#programmatic-enforcement',
  on: 'cap-root',
  extracts: [roleFilters, ...callerCheckExtracts],

  *check(root, project) {
    if (root.test || root.runtime === 'java') return
    const filters = root.scripts.get(roleFilters)
    if (filters.length === 0) return
    const registered = createRegistrationReader(root)
    const groups = new Map<string, OpenFilter[]>()
    for (const { file, value } of filters) {
      root.step()
      const handlers = value.exported === '' ? [{ ...value, file }] : registered(file, value.exported)
      const [first] = handlers.flatMap((handler) => openReadings(root, handler, 'default-public'))
      if (first === undefined) continue
      append(groups, JSON.stringify([file, first.service.name, ...value.roles]), { ...value, ...first, file })
    }
    const known = groups.size === 0 ? [] : rolesOfUsers(root, project)
    for (const [groupKey, group] of groups)
      for (const { file, service, start, end, roles, passed } of group)
        yield {
          at: { file, span: { start, end } },
          args: {
            service: service.name,
            entity: listElements([...new Set(group.map(({ element }) => element.name))]),
            roles: listRoles(roles),
          },
          // the question for the role, which the handler asks, keeps nobody away
          exposure: ofUsers(project.reach.ofService(service)),
          // where each role has a branch of its own, the project hardly knows users without one
          ...(passed.length === 0 && known.some((role) => !roles.includes(role)) && { evidence: 'shown' as const }),
          groupKey,
        }
  },

  text: () => ({
    en: {
      title: 'Row filter skipped for users without a role',
      message:
        'This handler limits the rows of {entity:and} only for users with {roles:or}; {service} accepts all authenticated users, and for those without the role no condition is added.',
      why: 'A user to whom no role was assigned reads the rows of all others, and so more than a user with the role.',
      fix: 'Turn the condition around: add the filter for every user, unless req.user.is has a role that may read all rows. Or require {roles:or} with @requires or @restrict.',
    },
    fr: {
      title: 'Filtre de lignes ignoré pour les utilisateurs sans rôle',
      message:
        'Ce gestionnaire ne limite les lignes de {entity:et} que pour les utilisateurs dotés de {roles:ou} ; {service} accepte tout utilisateur authentifié, et sans ce rôle aucune condition n’est ajoutée.',
      why: 'Un utilisateur auquel aucun rôle n’est attribué lit les lignes de tous les autres, donc plus qu’un utilisateur doté du rôle.',
      fix: 'Inversez la condition : ajoutez le filtre pour tout utilisateur, sauf si req.user.is confirme un rôle autorisé à lire toutes les lignes. Ou exigez {roles:ou} avec @requires ou @restrict.',
    },
  }),
})
