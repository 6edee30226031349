import { dependencyOf, openElements, servedServices, type CapElement, type CapService } from '../../model/cap/index.ts'
import { defineRule, type Rule } from '../rule.ts'
import { listNames } from './_matches.ts'

/** A service that agents use as tools, although nobody said who may, or with actions that data can talk an agent into.
 *  Facts: capire, "MCP Protocol Adapter" (no defence against prompt injection, no rate limit, no approval); @cap-js/mcp 1.1.0, lib/index.js. */
export const mcpExposed: Rule = defineRule({
  id: 'cap/mcp-exposed',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [306],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/protocols/mcp',
  on: 'cap-root',

  *check(root, project) {
    if (dependencyOf(root, project.files, '@cap-js/mcp') === 'development') return
    for (const service of servedServices(root)) {
      const endpoint = service.endpoints.find(({ kind }) => kind === 'mcp')
      if (endpoint === undefined) continue
      const open = openElements(service)
      const { kind } = service.access
      const asksNobody = kind !== 'roles' && kind !== 'authenticated'
      const said = asksNobody ? open : open.filter(isUnboundAction)
      if (said.length === 0) continue
      yield {
        at: endpoint.place,
        args: { service: service.name, path: endpoint.path, elements: listNames(said.map(({ name }) => name)) },
        ...(asksNobody ? gradeOf(service) : ({ severity: 'LOW', confidence: 'medium', variant: 'actions' } as const)),
      }
    }
  },

  text: {
    en: {
      title: 'Agents may use a service that asks for no role',
      message:
        'The service {service} is served to agents at {path}, and nothing says who may call {elements}: any authenticated user may.',
      why: 'An agent asks for whatever the texts that it reads tell it to: with the rights of a user for whom nothing was left out, and without any limit on how much.',
      fix: "Write who may: @requires: '<role of the agents>' on {service}, or serve a smaller service by @mcp.",
      variants: {
        public: {
          title: 'A service is served to agents without a login',
          message: 'The service {service} is served to agents at {path}, and anybody may call {elements} without a login.',
          why: 'Whoever reaches the address lets a tool list, query and call all of it; nothing tells who it was, and nothing limits how much.',
        },
        unknown: {
          message:
            'The service {service} is served to agents at {path}, and nothing says who may call {elements}: any authenticated user may, and from CAP Java 5 on anybody.',
        },
        actions: {
          title: 'Agents may call actions that change data',
          message:
            'The service {service} is served to agents at {path}: everybody who may call the service lets an agent call {elements}.',
          why: 'The adapter does not look for instructions hidden in data: a text in a record can talk the agent of the next reader into the call.',
          fix: 'Give {elements} a role of their own (@requires), or serve a service without them by @mcp.',
        },
      },
    },
    fr: {
      title: 'Des agents utilisent un service qui n’exige aucun rôle',
      message:
        'Le service {service} est offert aux agents sous {path}, et rien ne dit qui peut appeler {elements} : tout utilisateur authentifié.',
      why: 'Un agent demande ce que lui dictent les textes qu’il lit : avec les droits d’un utilisateur à qui rien n’est refusé, et sans limite de quantité.',
      fix: "Écrivez qui le peut : @requires: '<rôle des agents>' sur {service}, ou n’offrez par @mcp qu’un service plus petit.",
      variants: {
        public: {
          title: 'Un service est offert aux agents sans connexion',
          message:
            'Le service {service} est offert aux agents sous {path}, et n’importe qui peut appeler {elements} sans connexion.',
          why: 'Quiconque atteint l’adresse fait lister, interroger et appeler tout le service par un outil ; rien ne dit qui c’était, rien ne limite la quantité.',
        },
        unknown: {
          message:
            'Le service {service} est offert aux agents sous {path}, et rien ne dit qui peut appeler {elements} : tout utilisateur authentifié, et à partir de CAP Java 5 n’importe qui.',
        },
        actions: {
          title: 'Des agents peuvent appeler des actions qui modifient des données',
          message:
            'Le service {service} est offert aux agents sous {path} : quiconque peut appeler le service fait appeler {elements} par un agent.',
          why: 'L’adaptateur ne cherche pas d’instructions cachées dans les données : un texte d’un enregistrement peut amener l’agent du prochain lecteur à cet appel.',
          fix: 'Donnez à {elements} un rôle propre (@requires), ou offrez par @mcp un service qui ne les contient pas.',
        },
      },
    },
  },
})

function gradeOf({ access }: CapService): { severity?: 'HIGH'; variant?: string } {
  if (access.kind === 'public' || access.kind === 'default-public') return { severity: 'HIGH', variant: 'public' }
  return access.kind === 'default-unknown' ? { variant: 'unknown' } : {}
}

/** The adapter offers unbound actions and functions only. */
function isUnboundAction({ kind, entity }: CapElement): boolean {
  return kind === 'action' && entity === undefined
}
