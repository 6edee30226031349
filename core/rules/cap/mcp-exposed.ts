import {
  createAnswers,
  dependencyOf,
  openElements,
  servedServices,
  type CapElement,
  type CapService,
} from '../../model/cap/index.ts'
import { defineRule, type Rule } from '../rule.ts'
import { listElements } from './_matches.ts'
import { gradeOpen } from './_model/open-services.ts'

/**
 * A service that AI agents use as tools over MCP without an authorization check, or with actions that prompt injection can trigger.
 * Facts: capire, "MCP Protocol Adapter" (no defence against prompt injection, no rate limit, no approval); @cap-js/mcp 1.1.0, lib/index.js.
 * Impact: agents, and what their prompts make them do, read and change what no role protects; actions of services that check a role take a prompt injection
 * first.
 */
export const mcpExposed: Rule = defineRule({
  id: 'cap/mcp-exposed',
  impact: 'data',
  grades: { actions: { impact: 'defence', reach: 'user' } },
  confidence: 'high',
  cwe: [306],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/protocols/mcp',
  on: 'cap-root',

  *check(root, project) {
    if (dependencyOf(root, project.files, '@cap-js/mcp') === 'development') return
    const answers = createAnswers(root, project.npm)
    for (const service of servedServices(root)) {
      const endpoint = service.endpoints.find(({ kind }) => kind === 'mcp')
      if (endpoint === undefined) continue
      const open = openElements(service)
      const { kind } = service.access
      const isUnprotected = kind !== 'roles' && kind !== 'authenticated'
      const said = isUnprotected ? open : open.filter(isUnboundAction)
      if (said.length === 0) continue
      yield {
        at: endpoint.place,
        args: { service: service.name, path: endpoint.path, elements: listElements(said.map(({ name }) => name)) },
        ...(isUnprotected
          ? { ...gradeOpen(service, said, { root, reach: project.reach, answers }), ...variantOf(service) }
          : ({ confidence: 'medium', variant: 'actions' } as const)),
      }
    }
  },

  text: () => ({
    en: {
      title: 'Missing authorization on an MCP service',
      message:
        'The service {service} exposes {elements:and} over MCP at {path} without @requires or @restrict: any authenticated user has access.',
      why: 'An AI agent can call the service with the token of any user, and a prompt injection in content that the agent reads can trigger calls that the user did not request.',
      fix: "Add annotate {service} with @(requires: '<role>'); to the model, with a role for agent users, or expose only a smaller service over MCP that requires this role.",
      variants: {
        public: {
          title: 'Missing authentication on an MCP service',
          message: 'The service {service} exposes {elements:and} over MCP at {path} without authentication.',
          why: 'An unauthenticated attacker can list and call the service’s tools, and the MCP adapter applies no rate limit.',
        },
        any: {
          title: 'Missing authentication on an MCP service',
          message:
            "The service {service} exposes {elements:and} over MCP at {path} and has @requires: 'any', so callers need no authentication.",
          why: 'An unauthenticated attacker can list and call the service’s tools, and the MCP adapter applies no rate limit.',
          fix: "Replace 'any' in @requires on {service} with a role for agent users, or expose only a smaller service over MCP that requires this role.",
        },
        unknown: {
          message:
            'The service {service} exposes {elements:and} over MCP at {path} without @requires or @restrict: any authenticated user has access and, with CAP Java 5, so do unauthenticated callers.',
        },
        actions: {
          title: 'Actions callable by AI agents over MCP',
          message: 'The service {service} exposes {elements:and} over MCP at {path} to every user of the service.',
          why: 'The MCP adapter does not defend against prompt injection: the content of a record can make a user’s agent call an action that the user did not request.',
          fix: "Add @requires: '<role>' to {elements:and}, with a dedicated role, or put @mcp on another service that does not contain {elements:and}.",
        },
      },
    },
    fr: {
      title: 'Absence d’autorisation sur un service MCP',
      message:
        'Le service {service} expose {elements:et} via MCP sous {path} sans @requires ni @restrict : tout utilisateur authentifié peut y accéder.',
      why: 'Un agent IA peut appeler le service avec le jeton de n’importe quel utilisateur, et une injection de prompt dans un contenu lu par l’agent peut déclencher des appels que l’utilisateur n’a pas demandés.',
      fix: "Ajoutez annotate {service} with @(requires: '<rôle>'); au modèle CDS, avec un rôle pour les utilisateurs d’agents IA, ou n’exposez via MCP qu’un service plus restreint qui exige ce rôle.",
      variants: {
        public: {
          title: 'Absence d’authentification sur un service MCP',
          message: 'Le service {service} expose {elements:et} via MCP sous {path} sans authentification.',
          why: 'Un attaquant non authentifié peut lister et appeler les outils du service, et l’adaptateur MCP n’applique aucune limite de débit.',
        },
        any: {
          title: 'Absence d’authentification sur un service MCP',
          message:
            "Le service {service} expose {elements:et} via MCP sous {path} et porte @requires: 'any' : les appelants n’ont pas à s’authentifier.",
          why: 'Un attaquant non authentifié peut lister et appeler les outils du service, et l’adaptateur MCP n’applique aucune limite de débit.',
          fix: "Remplacez 'any' dans @requires sur {service} par un rôle pour les utilisateurs d’agents IA, ou n’exposez via MCP qu’un service plus restreint qui exige ce rôle.",
        },
        unknown: {
          message:
            'Le service {service} expose {elements:et} via MCP sous {path} sans @requires ni @restrict : tout utilisateur authentifié peut y accéder et, avec CAP Java 5, tout appelant non authentifié.',
        },
        actions: {
          title: 'Actions que des agents IA peuvent appeler via MCP',
          message: 'Le service {service} expose {elements:et} via MCP sous {path} à tous ses utilisateurs.',
          why: 'L’adaptateur MCP ne protège pas contre l’injection de prompt : le contenu d’un enregistrement peut amener l’agent d’un utilisateur à appeler une action que celui-ci n’a pas demandée.',
          fix: "Ajoutez @requires: '<rôle>' à {elements:et}, avec un rôle dédié, ou placez @mcp sur un autre service qui ne contienne pas {elements:et}.",
        },
      },
    },
  }),
})

function variantOf({ access }: CapService): { readonly variant?: string } {
  if (access.kind === 'public' || access.kind === 'default-public')
    return { variant: access.kind === 'public' ? 'any' : 'public' }
  return access.kind === 'default-unknown' ? { variant: 'unknown' } : {}
}

/** The adapter offers unbound actions and functions only. */
function isUnboundAction({ kind, entity }: CapElement): boolean {
  return kind === 'action' && entity === undefined
}
