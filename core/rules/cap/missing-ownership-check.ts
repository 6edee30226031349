import { handlerRegistrations, privilegesOf, conditionOf, type CapRoot } from '../../model/cap/index.ts'
import { defineRule, type Rule } from '../rule.ts'
import { ownedQueries } from './_owned-queries.ts'

/**
 * A handler that changes the row that the client names, although the project treats the rows of this entity as those of one user each.
 * Facts: capire, "Authorization": @restrict applies to what clients ask a service for, not to the queries of its handlers; OWASP API Security Top 10 2023, API1.
 * Impact: any caller of the action changes the rows of other users.
 */
export const missingOwnershipCheck: Rule = defineRule({
  id: 'cap/missing-ownership-check',
  impact: 'data',
  confidence: 'medium',
  cwe: [639],
  since: '0.3.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authorization#instance-based-auth',
  on: 'cap-root',
  extracts: [ownedQueries, handlerRegistrations],

  *check(root, { reach }) {
    if (root.test) return
    const queries = root.scripts.get(ownedQueries)
    if (queries.every(({ value }) => value.kind === 'own')) return
    const owned = ownedEntities(root)
    for (const { value } of queries) if (value.kind === 'own') owned.set(value.entity, value.column)
    const isCheckedBefore = root.scripts.get(handlerRegistrations).some(({ value }) => isForAll(value))
    for (const { file, value } of queries) {
      root.step()
      const owner = owned.get(value.entity)
      if (value.kind === 'own' || owner === undefined) continue
      const at = { file, span: { start: value.start, end: value.end } }
      // administrators change what belongs to others
      if (reach.at(at).reach === 'privileged') continue
      yield {
        at,
        args: { entity: value.entity, column: value.column, value: value.client, owner },
        ...(isCheckedBefore && { evidence: 'assumed' as const }),
        ...(value.kind === 'delete' && { variant: 'deletes' }),
      }
    }
  },

  text: {
    en: {
      title: 'Missing ownership check on a row chosen by the client',
      message:
        'This query changes rows of {entity} by {value} from the request; elsewhere, the project limits {entity} to the rows of the user ({owner}).',
      why: 'A user can send the key of another user’s row and change it: @restrict does not apply to queries that a handler runs.',
      fix: 'Add the owner to the condition, for example .where({ {column}: {value}, {owner}: req.user.id }), and reject the request if no row is affected. Or load the row first and compare its owner with req.user.',
      variants: {
        deletes: {
          message:
            'This query deletes rows of {entity} by {value} from the request; elsewhere, the project limits {entity} to the rows of the user ({owner}).',
          why: 'A user can send the key of another user’s row and delete it: @restrict does not apply to queries that a handler runs.',
        },
      },
    },
    fr: {
      title: 'Absence de contrôle de propriété sur une ligne choisie par le client',
      message:
        'Cette requête modifie des lignes de {entity} d’après {value}, fourni par le client ; ailleurs, le projet limite {entity} aux lignes de l’utilisateur ({owner}).',
      why: 'Un utilisateur peut envoyer la clé de la ligne d’un autre utilisateur et la modifier : @restrict ne s’applique pas aux requêtes qu’un gestionnaire exécute.',
      fix: 'Ajoutez le propriétaire à la condition, par exemple .where({ {column}: {value}, {owner}: req.user.id }), et rejetez la requête si aucune ligne n’est touchée. Ou lisez d’abord la ligne et comparez son propriétaire à req.user.',
      variants: {
        deletes: {
          message:
            'Cette requête supprime des lignes de {entity} d’après {value}, fourni par le client ; ailleurs, le projet limite {entity} aux lignes de l’utilisateur ({owner}).',
          why: 'Un utilisateur peut envoyer la clé de la ligne d’un autre utilisateur et la supprimer : @restrict ne s’applique pas aux requêtes qu’un gestionnaire exécute.',
        },
      },
    },
  },
})

/** Entities of which a restriction gives users their own rows alone, by the last part of their names and of what they project on; with the element that tells whose. */
function ownedEntities(root: CapRoot): Map<string, string> {
  const found = new Map<string, string>()
  for (const { elements } of root.services) {
    for (const { kind, annotations, qualified } of elements) {
      const restrict = kind === 'entity' ? annotations.get('restrict') : undefined
      if (restrict === undefined) continue
      const owner = privilegesOf(restrict.value).flatMap(({ where }) => ownerIn(where) ?? [])[0]
      if (owner === undefined) continue
      for (const name of new Set([qualified, ...root.projected(qualified)]))
        found.set(name.slice(name.lastIndexOf('.') + 1), owner)
    }
  }
  return found
}

/** `owner = $user`: the element that is compared with the user. */
function ownerIn(where: ReturnType<typeof privilegesOf>[number]['where']): string | undefined {
  const condition = where === undefined ? undefined : conditionOf(where)
  if (condition === undefined || typeof condition === 'string') return undefined
  return OWNER.exec(condition.text)
    ?.slice(1)
    .find((name) => name !== undefined)
}

const OWNER = /\b([A-Za-z_]\w{0,60})\s{0,4}=\s{0,4}\$user(?:\.id)?\b|\$user(?:\.id)?\s{0,4}=\s{0,4}([A-Za-z_]\w{0,60})/

/** A handler that runs before every event may check it. */
function isForAll({
  phase,
  events,
  entities,
}: {
  phase: string
  events: readonly (string | undefined)[]
  entities: unknown
}): boolean {
  return phase === 'before' && entities === undefined && events.some((name) => name === undefined || name === '*')
}
