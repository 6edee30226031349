import { eventsOf, privilegesOf, type CapElement, type CapRoot } from '../../model/cap/index.ts'
import { createLinkReader, handlerLinks, type HandlerLink } from './_handlers/handler-links.ts'
import { replacedConditions, type ReplacedCondition } from './_rows/replaced-conditions.ts'
import { defineRule, type Rule } from '../rule.ts'
import { exposureOf } from './_model/restricted-exposures.ts'

/**
 * A handler that replaces the query of the request, or its condition, for an entity that is restricted to some rows.
 * Facts: capire, "Instance-based authorization" (the condition of @restrict becomes a part of req.query); @sap/cds 9.9.3, generic/auth/restrict.js.
 * Impact: users read or change rows of others, as far as they may use the entity at all.
 */
export const whereClauseReplaced: Rule = defineRule({
  id: 'cap/where-clause-replaced',
  impact: 'data',
  confidence: 'medium',
  cwe: [863],
  since: '0.2.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authorization#instance-based-auth',
  on: 'cap-root',
  extracts: [replacedConditions, handlerLinks],

  *check(root, { reach }) {
    if (root.test) return
    const restricted = root.services.flatMap((service) =>
      service.elements.filter(isRestricted).map((element) => ({ service, element })),
    )
    if (restricted.length === 0) return
    const linksTo = createLinkReader(root)
    for (const { file, value } of root.scripts.get(replacedConditions)) {
      const { exported, from, kind } = value
      const ways = exported === undefined ? [value] : linksTo(file, exported).filter((link) => isHandlerBefore(link, kind))
      const found = restricted.find(({ element }) => ways.some((way) => isOf(way, element)) && readsRowsOf(from, element, root))
      if (found === undefined) continue
      const { service, element } = found
      const { start, end } = value
      yield {
        at: { file, span: { start, end } },
        args: { entity: element.name },
        exposure: exposureOf(service, element, reach, ['READ']),
        ...(kind !== 'query' && { variant: kind }),
      }
    }
  },

  text: () => ({
    en: {
      title: 'Row restriction lost: request query replaced',
      message: 'The handler replaces the query of the request, and with it the condition of @restrict for {entity}.',
      why: 'The condition no longer limits the rows: users can access rows that it excludes.',
      fix: 'Extend the query instead of replacing it, for example req.query.where({ … }). Or repeat the condition of @restrict in the new query, for example .where({ <element>: req.user.id }).',
      variants: {
        where: {
          title: 'Row restriction lost: query conditions discarded',
          message: 'The handler discards the conditions of the request query, including the condition of @restrict for {entity}.',
          fix: 'Keep the existing conditions, and add yours, for example with req.query.where({ … }).',
        },
        fresh: {
          title: 'Row restriction lost: handler runs its own query',
          message: 'The handler runs its own query, without the condition that @restrict defines for {entity}.',
          fix: 'Declare the handler with the parameters (req, next), extend the query of the request, for example req.query.orderBy(…), and return next(). Or repeat the condition of @restrict in your query, for example .where({ <element>: req.user.id }).',
        },
      },
    },
    fr: {
      title: 'Restriction de lignes perdue : requête remplacée',
      message: 'Le gestionnaire remplace la requête reçue, et avec elle la condition de @restrict pour {entity}.',
      why: 'La condition ne limite plus les lignes : des utilisateurs peuvent accéder à celles qu’elle exclut.',
      fix: 'Complétez la requête au lieu de la remplacer, par exemple req.query.where({ … }). Ou reprenez la condition de @restrict dans la nouvelle requête, par exemple .where({ <élément>: req.user.id }).',
      variants: {
        where: {
          title: 'Restriction de lignes perdue : conditions de la requête écartées',
          message: 'Le gestionnaire écarte les conditions de la requête reçue, y compris celle de @restrict pour {entity}.',
          fix: 'Conservez les conditions existantes et ajoutez les vôtres, par exemple avec req.query.where({ … }).',
        },
        fresh: {
          title: 'Restriction de lignes perdue : requête propre au gestionnaire',
          message: 'Le gestionnaire exécute sa propre requête, sans la condition que @restrict prévoit pour {entity}.',
          fix: 'Déclarez le gestionnaire avec les paramètres (req, next), complétez la requête reçue, par exemple req.query.orderBy(…), et renvoyez next(). Ou reprenez la condition de @restrict dans votre requête, par exemple .where({ <élément>: req.user.id }).',
        },
      },
    },
  }),
})

function isHandlerBefore({ isCalled, phase, entities }: HandlerLink, kind: ReplacedCondition['kind']): boolean {
  if (isCalled) return false
  return kind === 'fresh' ? phase === 'on' && entities !== undefined : phase !== 'after'
}

/** A query of its own counts where it reads what the entity shows: the entity itself, or what that is a projection on. */
function readsRowsOf(from: string | undefined, { qualified }: CapElement, root: CapRoot): boolean {
  return (
    from === undefined || [qualified, ...root.projected(qualified)].some((one) => one.slice(one.lastIndexOf('.') + 1) === from)
  )
}

/** Some rows are for some users alone. */
function isRestricted({ kind, annotations }: CapElement): boolean {
  return kind === 'entity' && privilegesOf(annotations.get('restrict')?.value).some(({ where }) => where !== undefined)
}

function isOf({ events, entities }: Pick<ReplacedCondition, 'events' | 'entities'>, { name, annotations }: CapElement): boolean {
  if (entities !== undefined && !entities.includes(name.slice(name.lastIndexOf('.') + 1))) return false
  const limited = privilegesOf(annotations.get('restrict')?.value).filter(({ where }) => where !== undefined)
  return limited.some((privilege) => {
    const own = eventsOf(privilege)
    return own === undefined || events.length === 0 || events.some((event) => event === '*' || own.has(event))
  })
}
