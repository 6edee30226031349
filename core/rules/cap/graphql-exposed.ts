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
import type { Exposure, Match } from '../../types.ts'
import { listNames } from '../../arguments.ts'
import { defineRule, type Rule } from '../rule.ts'
import { listElements } from './_matches.ts'

/**
 * A GraphQL endpoint with its query editor in production, or with entities that its adapter serves without authentication.
 * Facts: @cap-js/graphql 0.10.1, lib/GraphQLAdapter.js (`graphiql` is true by default; no limit of depth or cost; no check of the service's own
 * restrictions: measured with @sap/cds 8.9.10 and NODE_ENV=production, OData answers 401 where GraphQL answers with data); @sap/cds 9.9.3, generic/auth/service.js.
 * Impact: the editor helps to find what is served; of entities without authentication anybody reads and changes the data.
 */
export const graphqlExposed: Rule = defineRule({
  id: 'cap/graphql-exposed',
  impact: 'defence',
  grades: { anonymous: { impact: 'data' } },
  reach: 'anyone',
  confidence: 'medium',
  cwe: [770, 306],
  since: '0.1.0',
  docs: 'https://github.com/cap-js/graphql#readme',
  docsByVariant: { anonymous: 'https://cap.cloud.sap/docs/guides/security/authorization#requires' },
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
    let isReported = false
    for (const { service, endpoint } of served) {
      const open = openToAnybody(service)
      if (open.length === 0) continue
      isReported = true
      const args = { service: service.name, path: endpoint.path, elements: listElements(open) }
      const exposure: Exposure = { ...project.reach.ofService(service), reach: 'anyone' }
      yield { at: endpoint.place, args, exposure, variant: 'anonymous' }
    }
    for (const match of editors(root, services, first.endpoint.path)) {
      if (match.variant === undefined && isReported) continue
      yield match.variant === undefined ? { ...match, at: first.endpoint.place } : match
    }
  },

  text: () => ({
    en: {
      title: 'GraphiQL query editor enabled in production',
      message:
        'The GraphQL endpoint {path} serves {services:and}: @cap-js/graphql enables GraphiQL by default, and protocols.graphql.graphiql is not set to false.',
      why: 'The editor shows an attacker all types and fields of the schema, and lets them write and run queries in the browser.',
      fix: 'Set "cds": { "protocols": { "graphql": { "graphiql": false, "[development]": { "graphiql": true } } } } in package.json.',
      variants: {
        configured: {
          message: '{key} is true in {file} and applies to production: GraphiQL is served at {path} for {services:and}.',
          fix: 'Set {key} to false in {file}, and to true in "[development]" only.',
        },
        anonymous: {
          title: 'Missing authentication on a GraphQL endpoint',
          message:
            'The service {service} is served over GraphQL at {path}: unlike the OData adapter, the GraphQL adapter does not require authentication by default, so unauthenticated requests can access {elements:and}.',
          why: 'An unauthenticated attacker can read this data and, if the service allows it, change it.',
          fix: "Annotate {elements:and} with @requires: 'authenticated-user' or @requires: '<role>'. With @sap/cds 9 or later, @requires on the service {service} is enough.",
        },
      },
    },
    fr: {
      title: 'Éditeur de requêtes GraphiQL actif en production',
      message:
        'Le point de terminaison GraphQL {path} expose {services:et} : @cap-js/graphql active GraphiQL par défaut, et protocols.graphql.graphiql ne vaut pas false.',
      why: 'L’éditeur montre à un attaquant tous les types et champs du schéma, et lui permet d’écrire et d’exécuter des requêtes dans le navigateur.',
      fix: 'Définissez "cds": { "protocols": { "graphql": { "graphiql": false, "[development]": { "graphiql": true } } } } dans package.json.',
      variants: {
        configured: {
          message:
            '{key} vaut true dans {file} et s’applique à la production : GraphiQL est accessible sous {path} pour {services:et}.',
          fix: 'Donnez à {key} la valeur false dans {file}, et true dans "[development]" seulement.',
        },
        anonymous: {
          title: 'Absence d’authentification sur un point de terminaison GraphQL',
          message:
            'Le service {service} est exposé via GraphQL sous {path} : contrairement à l’adaptateur OData, l’adaptateur GraphQL n’exige pas d’authentification par défaut, et des requêtes non authentifiées peuvent accéder à {elements:et}.',
          why: 'Un attaquant non authentifié peut lire ces données et, si le service le permet, les modifier.',
          fix: "Annotez {elements:et} avec @requires: 'authenticated-user' ou @requires: '<rôle>'. À partir de @sap/cds 9, un @requires sur le service {service} suffit.",
        },
      },
    },
  }),
})

/** Entities without a restriction of their own, in a service without one that the adapter checks. */
function openToAnybody(service: CapService): string[] {
  const { access, annotations } = service
  // a service that is public by OData too is another fault, reported by rules of its own
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
