import {
  dependencyOf,
  keyIn,
  openElements,
  servedServices,
  wordsOf,
  type CapRoot,
  type CapService,
} from '../../model/cap/index.ts'
import { booleanOf } from '../../parse/data.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { listNames } from './_matches.ts'

/** A GraphQL endpoint with its query editor in production, or with entities that its adapter hands out without a login.
 *  Facts: @cap-js/graphql 0.10.1, lib/GraphQLAdapter.js (`graphiql` is true by default; no limit of depth or cost; no check of the service's own
 *  restrictions: measured with @sap/cds 8.9.10 and NODE_ENV=production, OData answers 401 where GraphQL answers with data); @sap/cds 9.9.3, generic/auth/service.js. */
export const graphqlExposed: Rule = defineRule({
  id: 'cap/graphql-exposed',
  severity: 'LOW',
  confidence: 'medium',
  cwe: [770, 306],
  since: '0.1.0',
  docs: 'https://github.com/cap-js/graphql',
  on: 'cap-root',

  *check(root, project) {
    if (dependencyOf(root, project.files, '@cap-js/graphql') === 'development' || root.runtime === 'java') return
    const served = servedServices(root).flatMap((service) => {
      const endpoint = service.endpoints.find(({ kind }) => kind === 'graphql')
      return endpoint === undefined ? [] : [{ service, endpoint }]
    })
    const [first] = served
    if (first === undefined) return
    const services = listNames(served.map(({ service }) => service.name))
    let isSaid = false
    for (const { service, endpoint } of served) {
      const open = openToAnybody(service)
      if (open.length === 0) continue
      isSaid = true
      const args = { service: service.name, path: endpoint.path, elements: listNames(open) }
      yield { at: endpoint.place, args, severity: 'MEDIUM', variant: 'anonymous' }
    }
    for (const match of editors(root, services, first.endpoint.path)) {
      if (match.variant === undefined && isSaid) continue
      yield match.variant === undefined ? { ...match, at: first.endpoint.place } : match
    }
  },

  text: {
    en: {
      title: 'The query editor of GraphQL is on in production',
      message:
        '{services} are served by GraphQL at {path}, and GraphiQL is on: the adapter’s default is true, and nothing sets protocols.graphql.graphiql to false.',
      why: 'Everybody who reaches the address sees all types and fields, and nests them as deeply as they like: a few such queries occupy the database.',
      fix: 'Set "cds": { "protocols": { "graphql": { "graphiql": false, "[development]": { "graphiql": true } } } }, and limit the size of queries in front of it.',
      variants: {
        configured: {
          message: '{key} is true in {file}, and that holds in production: {services} have GraphiQL at {path}.',
          fix: 'Set {key} to false, and to true in "[development]" only; limit the size of queries in front of it.',
        },
        anonymous: {
          title: 'GraphQL hands out data without a login',
          message:
            'The service {service} is served by GraphQL at {path}: its adapter does not ask for the login that OData asks for by default, so anybody reads {elements}.',
          why: 'Whoever reaches the address reads these entities, and changes them where that is possible, without a token: the default of production stands in the adapters for OData and REST only.',
          fix: "Write it down, on {service} (@requires, checked from CAP 9 on) and on the entities themselves: @(requires: 'authenticated-user') or a role.",
        },
      },
    },
    fr: {
      title: 'L’éditeur de requêtes GraphQL est actif en production',
      message:
        '{services} sont servis par GraphQL sous {path}, et GraphiQL est actif : l’adaptateur prend true par défaut, et rien ne met protocols.graphql.graphiql à false.',
      why: 'Quiconque atteint l’adresse voit tous les types et champs et les imbrique à volonté : quelques requêtes de ce genre occupent la base de données.',
      fix: 'Écrivez "cds": { "protocols": { "graphql": { "graphiql": false, "[development]": { "graphiql": true } } } }, et limitez en amont la taille des requêtes.',
      variants: {
        configured: {
          message: '{key} vaut true dans {file}, et cela vaut en production : {services} offrent GraphiQL sous {path}.',
          fix: 'Mettez {key} à false, et à true dans « [development] » seulement ; limitez en amont la taille des requêtes.',
        },
        anonymous: {
          title: 'GraphQL livre des données sans connexion',
          message:
            'Le service {service} est servi par GraphQL sous {path} : son adaptateur n’exige pas la connexion qu’OData exige par défaut, n’importe qui lit donc {elements}.',
          why: 'Quiconque atteint l’adresse lit ces entités, et les modifie là où c’est possible, sans jeton : la valeur par défaut de production ne vit que dans les adaptateurs OData et REST.',
          fix: "Écrivez-le, sur {service} (@requires, vérifié à partir de CAP 9) et sur les entités elles-mêmes : @(requires: 'authenticated-user') ou un rôle.",
        },
      },
    },
  },
})

/** Entities that neither say themselves who may read them nor have a service that does so in a way that the adapter checks. */
function openToAnybody(service: CapService): string[] {
  const { access, annotations } = service
  // who is let in without a login by OData too is the finding of other rules
  if (access.kind === 'public' || access.kind === 'default-public') return []
  if (wordsOf(annotations.get('requires')?.value).length > 0) return []
  return openElements(service).flatMap(({ kind, name }) => (kind === 'entity' ? [name] : []))
}

/** Once for each place that switches the editor on; at no place of its own where nothing does. */
function* editors(root: CapRoot, services: string, path: string): Generator<Match> {
  const seen = new Set<string>()
  for (const configuration of root.productive()) {
    const setting = configuration.value('protocols', 'graphql', 'graphiql')
    if (booleanOf(setting?.node) === false) continue
    const key = setting === undefined ? '' : `${setting.place.file} ${setting.place.span?.start}`
    if (seen.has(key)) continue
    seen.add(key)
    const args = { services, path }
    if (setting === undefined) yield { at: { file: '' }, args }
    else {
      const named = { ...args, key: keyIn(setting, 'protocols', 'graphql', 'graphiql'), file: setting.place.file }
      yield { at: setting.place, args: named, variant: 'configured' }
    }
  }
}
