import { dependencyOf, keyIn, openElements, servedServices, type CapRoot, type CapService } from '../../model/cap/index.ts'
import { booleanOf, itemsOf, stringOf, type DataNode } from '../../parse/data.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { listNames } from './_matches.ts'

/** A service over WebSocket of which nobody said who may connect, or a socket.io server that any page may talk to.
 *  Facts: @cap-js-community/websocket 1.10.5, README (protocol annotations, `cds.websocket.options`), src/socket/base.js (`enforceAuth`), src/index.js. */
export const websocketUnauthenticated: Rule = defineRule({
  id: 'cap/websocket-unauthenticated',
  severity: 'MEDIUM',
  confidence: 'medium',
  cwe: [306, 1385],
  since: '0.1.0',
  docs: 'https://github.com/cap-js-community/websocket',
  on: 'cap-root',

  *check(root, project) {
    yield* foreignOrigins(root)
    if (dependencyOf(root, project.files, '@cap-js-community/websocket') === 'development') return
    for (const service of servedServices(root)) {
      const endpoint = service.endpoints.find(({ kind }) => kind === 'ws' || kind === 'websocket')
      const { access } = service
      if (endpoint === undefined || access.kind === 'roles' || access.kind === 'authenticated') continue
      const elements = connectable(service)
      if (elements === undefined) continue
      const isPublic = access.kind === 'public' || access.kind === 'default-public'
      yield {
        at: endpoint.place,
        args: { service: service.name, path: endpoint.path, elements },
        ...(isPublic && ({ severity: 'HIGH', variant: 'public' } as const)),
      }
    }
  },

  text: {
    en: {
      title: 'A WebSocket service asks for no role',
      message:
        'The service {service} is served over WebSocket at {path}, and nothing says who may connect to {elements}: any authenticated user may.',
      why: 'Every event of the service is sent to every open connection: whoever connects listens to what was meant for others, and calls its actions.',
      fix: "Write who may: annotate {service} with @(requires: '<role>'); if every user is meant, 'authenticated-user'.",
      variants: {
        public: {
          title: 'A WebSocket service asks for no login',
          message:
            'The service {service} is served over WebSocket at {path}, and anybody may connect to {elements} without a login.',
        },
        origin: {
          title: 'Pages of any origin may talk to the WebSocket server',
          message: '{key} is {value} in {file}, and that holds in production: socket.io answers pages of every origin.',
          why: 'A page of somebody else opens a connection in the browser of your user, and reads and sends events in that user’s name.',
          fix: 'List the origins of your own applications in {key}, or remove it: behind the approuter none is needed.',
        },
      },
    },
    fr: {
      title: 'Un service WebSocket n’exige aucun rôle',
      message:
        'Le service {service} est servi par WebSocket sous {path}, et rien ne dit qui peut se connecter à {elements} : tout utilisateur authentifié.',
      why: 'Chaque événement du service part vers toutes les connexions ouvertes : quiconque se connecte écoute ce qui était destiné à d’autres, et appelle ses actions.',
      fix: "Écrivez qui le peut : annotate {service} with @(requires: '<rôle>') ; si tous sont visés, 'authenticated-user'.",
      variants: {
        public: {
          title: 'Un service WebSocket n’exige aucune connexion',
          message:
            'Le service {service} est servi par WebSocket sous {path}, et n’importe qui peut se connecter à {elements} sans s’identifier.',
        },
        origin: {
          title: 'Les pages de toute origine parlent au serveur WebSocket',
          message: '{key} vaut {value} dans {file}, et cela vaut en production : socket.io répond aux pages de toute origine.',
          why: 'La page d’un tiers ouvre une connexion dans le navigateur de votre utilisateur, puis lit et envoie des événements en son nom.',
          fix: 'Énumérez dans {key} les origines de vos applications, ou supprimez-la : derrière l’approuter, aucune n’est nécessaire.',
        },
      },
    },
  },
})

/** What anybody connected reaches; events alone have no restriction of their own. */
function connectable(service: CapService): string | undefined {
  const open = openElements(service).filter(({ name }) => !/^ws(?:Connect|Disconnect|Context)$/.test(name))
  if (open.length > 0) return listNames(open.map(({ name }) => name))
  return service.elements.every(({ access }) => access === undefined) ? service.name : undefined
}

function* foreignOrigins(root: CapRoot): Generator<Match> {
  const seen = new Set<string>()
  for (const configuration of root.productive()) {
    for (const path of [['websocket'], ['requires', 'websocket']]) {
      const kind = configuration.value('websocket', 'kind') ?? configuration.value('requires', 'websocket', 'kind')
      if (stringOf(kind?.node) !== 'socket.io') continue
      for (const inner of [['cors', 'origin'], ['cors']]) {
        const keys = [...path, 'options', ...inner]
        const setting = configuration.value(...keys)
        const value = setting === undefined ? undefined : everyOrigin(setting.node)
        const place = `${setting?.place.file} ${setting?.place.span?.start}`
        if (setting === undefined || value === undefined || seen.has(place)) continue
        seen.add(place)
        yield { at: setting.place, args: { key: keyIn(setting, ...keys), value, file: setting.place.file }, variant: 'origin' }
      }
    }
  }
}

/** `true` answers with the origin of the page that asks. */
function everyOrigin(node: DataNode): string | undefined {
  if (booleanOf(node) === true) return 'true'
  const words = [stringOf(node), ...itemsOf(node).map(stringOf)]
  return words.includes('*') ? '*' : undefined
}
