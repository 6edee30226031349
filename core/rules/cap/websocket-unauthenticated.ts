import {
  createAnswers,
  dependencyOf,
  keyIn,
  openElements,
  servedServices,
  type CapElement,
  type CapRoot,
  type CapService,
} from '../../model/cap/index.ts'
import { booleanOf, itemsOf, stringOf, type DataNode } from '../../parse/data.ts'
import type { Evidence, Match } from '../../types.ts'
import { inEachLanguage } from '../../arguments.ts'
import type { Extracted } from '../../extracts/scripts.ts'
import { groupBy } from '../../lists.ts'
import { ownerOf } from '../../paths.ts'
import { defineRule, type Rule } from '../rule.ts'
import { listElements } from './_matches.ts'
import { gradeForUsers, gradeOpen, hasMockedUsers } from './_model/open-services.ts'
import { processListeners } from './_routes/process-listeners.ts'
import { socketErrors } from './_routes/socket-errors.ts'
import { socketUses, type SocketUse } from './_routes/socket-cookies.ts'
import { socketUpgrades, type Doubts } from './_routes/socket-handlers.ts'
import { socketListeners, socketServers } from './_routes/socket-servers.ts'

/**
 * A service over WebSocket without an authorization check, a socket.io server that accepts connections from any origin, or a server of the project's own
 * (ws, socket.io, engine.io) that serves whoever connects, takes the user from a cookie and accepts any origin, or ends with the first invalid frame.
 * Facts: @cap-js-community/websocket 1.10.5, README (protocol annotations, `cds.websocket.options`), src/index.js.
 * Version 1.11.2, src/socket/base.js (`enforceAuth` refuses anonymous users, but not with `mocked`, `basic` or without restrict_all_services; roles are
 * checked for actions and entities, not for connections).
 * RFC 6455, 10.2 ("Origin Considerations"): the server has to look at the header Origin; RFC 6265bis, "SameSite": Safari and Firefox take a missing one as None.
 * Impact: callers receive the events and call what no role protects; from another origin it takes a victim whose browser sends cookies across sites.
 */
export const websocketUnauthenticated: Rule = defineRule({
  id: 'cap/websocket-unauthenticated',
  impact: 'data',
  grades: {
    origin: { impact: 'session', reach: 'anyone', evidence: 'assumed' },
    // what stands in front of the server is not in the project
    server: { reach: 'anyone', evidence: 'assumed' },
    cookie: { impact: 'session', reach: 'anyone' },
    // one frame ends the process, for all users
    error: { impact: 'bounded', reach: 'anyone' },
  },
  confidence: 'medium',
  cwe: [306, 1385],
  since: '0.1.0',
  docs: 'https://github.com/cap-js-community/websocket#authentication--authorization',
  docsByVariant: {
    origin: 'https://socket.io/docs/v4/handling-cors/',
    server: 'https://cheatsheetseries.owasp.org/cheatsheets/WebSocket_Security_Cheat_Sheet.html',
    cookie: 'https://cheatsheetseries.owasp.org/cheatsheets/WebSocket_Security_Cheat_Sheet.html',
    error: 'https://github.com/websockets/ws/blob/master/doc/ws.md#event-error-1',
  },
  extracts: [socketServers, socketListeners, socketUses, socketErrors, socketUpgrades, processListeners],

  checks: {
    *project({ scripts, npm, approuters }) {
      const folders = new Set(npm.packages.map(({ folder }) => folder))
      const uses = groupBy(scripts.get(socketUses), ({ file }) => ownerOf(file, folders) ?? '')
      // an approuter checks the origin, and may be the only way to the server
      for (const own of uses.values()) yield* cookieUsers(own, approuters.length > 0)
      const handing = new Set(scripts.get(socketUpgrades).map(({ file }) => ownerOf(file, folders)))
      // nothing hands a connection to a server that waits for one
      const isNeverServed = (file: string, { waits }: Doubts): boolean => waits && !handing.has(ownerOf(file, folders))
      const evidenceOf = ({ waits, mayAsk }: Doubts): Evidence => (waits || mayAsk ? 'assumed' : 'shown')
      if (scripts.get(processListeners).length === 0)
        for (const { file, value } of scripts.get(socketErrors)) {
          const { start, end, doubts } = value
          if (isNeverServed(file, doubts)) continue
          yield { at: { file, span: { start, end } }, variant: 'error', evidence: evidenceOf(doubts) }
        }
      const usesElsewhere = scripts.get(socketListeners).length > 0
      for (const { file, value } of scripts.get(socketServers)) {
        const { start, end, does, doubts } = value
        if ((does === 'hands-over' && !usesElsewhere) || isNeverServed(file, doubts)) continue
        const isBounded = does === 'passes-on'
        yield {
          at: { file, span: { start, end } },
          variant: 'server',
          ...(isBounded && { impact: 'bounded', evidence: evidenceOf(doubts) }),
        }
      }
    },

    *'cap-root'(root, project) {
      yield* foreignOrigins(root)
      if (dependencyOf(root, project.files, '@cap-js-community/websocket') === 'development') return
      const isMocked = hasMockedUsers(root)
      const answers = createAnswers(root, project.npm)
      for (const service of servedServices(root)) {
        const endpoint = service.endpoints.find(({ kind }) => kind === 'ws' || kind === 'websocket')
        const { access } = service
        if (endpoint === undefined || access.kind === 'roles' || access.kind === 'authenticated') continue
        const open = connectable(service)
        if (open === undefined) continue
        const elements = open.length > 0 ? listElements(open.map(({ name }) => name)) : EVENTS
        yield {
          at: endpoint.place,
          args: { service: service.name, path: endpoint.path, elements },
          ...(access.kind === 'default-public' && { variant: 'public' }),
          // the adapter refuses anonymous connections whatever the service says
          ...(access.kind === 'public' && { variant: 'any' }),
          ...(access.kind === 'public' || isMocked
            ? gradeForUsers(service, open)
            : gradeOpen(service, open, { root, reach: project.reach, answers })),
        }
      }
    },
  },

  text: () => ({
    en: {
      title: 'Missing authorization on a WebSocket service',
      message:
        'Service {service} exposes {elements:and} over WebSocket at {path} without @requires or @restrict: any authenticated user has access.',
      why: 'By default, events are sent to all clients connected to the service: every user of the application can receive events intended for others.',
      fix: "Add annotate {service} with @(requires: '<role>'); to the model, and annotate its events with @ws.role: '<role>': @requires does not limit who receives them. To admit every logged-in user, 'authenticated-user' in @requires suffices.",
      variants: {
        public: {
          title: 'Missing authentication on a WebSocket service',
          message:
            'Service {service} exposes {elements:and} over WebSocket at {path}, and clients can connect without authentication.',
          why: 'An unauthenticated attacker can connect, receive events and use what the service exposes.',
          fix: 'Set cds.requires.auth to "xsuaa" or "ias" for production, without restrict_all_services: false, so that clients have to authenticate. Also add annotate {service} with @(requires: \'<role>\'); and, to its events, @ws.role: \'<role>\'.',
        },
        any: {
          message:
            "Service {service} exposes {elements:and} over WebSocket at {path} with @requires: 'any': any authenticated user has access.",
          fix: "Replace 'any' in @requires on {service} with a role, and annotate the events of the service with @ws.role: '<role>': @requires does not limit who receives them.",
        },
        server: {
          title: 'WebSocket server without authentication',
          message: 'This WebSocket server handles every connection: no option, middleware or handler checks who connects.',
          why: 'An unauthenticated attacker, or a malicious page in a user’s browser, can connect, send messages and receive what the server sends to its clients.',
          fix: 'Add io.use(…) that verifies socket.handshake.auth.token (socket.io), or pass { noServer: true } and verify the token and the Origin header in server.on("upgrade", …) before wss.handleUpgrade(…) (ws).',
        },
        cookie: {
          title: 'Cross-site WebSocket hijacking: Origin not checked',
          message: 'The user of a WebSocket connection is taken from {part}, and no Origin header is checked.',
          why: 'CORS does not apply to WebSocket: a malicious page opens a connection, browsers without a Lax default for SameSite, such as Safari and Firefox, send the cookie, and the page sends and receives messages as the logged-in user.',
          fix: 'Compare request.headers.origin with your own origins before accepting a connection: in verifyClient or server.on("upgrade", …) (ws), or in allowRequest (socket.io, engine.io).',
        },
        error: {
          title: 'Unhandled error event of a WebSocket connection',
          message:
            'The handler of connections has no listener for the event error of a connection, and nothing checks who connects. ws emits it for an invalid frame, and Node.js then ends the process.',
          why: 'An unauthenticated attacker ends the whole server, for all users, with one connection and two bytes that are no valid frame, and repeats it after each restart.',
          fix: "Add a listener first in the handler: socket.on('error', (error) => console.error(error)). ws closes the connection by itself.",
        },
        origin: {
          title: 'Cross-site WebSocket hijacking: any origin allowed',
          message: '{key} is {value} in {file} and applies to production: socket.io accepts connections from any origin.',
          why: 'Where browsers send the session cookie with requests from other sites, a malicious page can open a connection, and receive and send events as the logged-in user.',
          fix: 'Set {key} in {file} to your origins, such as ["https://app.example.com"]. CORS covers only HTTP polling: for WebSocket, also set cds.env.websocket.options.allowRequest in server.js to a function that checks the Origin header.',
        },
      },
    },
    fr: {
      title: 'Absence d’autorisation sur un service WebSocket',
      message:
        'Le service {service} expose {elements:et} via WebSocket sous {path} sans @requires ni @restrict : tout utilisateur authentifié y a accès.',
      why: 'Par défaut, les événements sont envoyés à tous les clients connectés au service : tout utilisateur de l’application peut recevoir les événements destinés aux autres.',
      fix: "Ajoutez annotate {service} with @(requires: '<rôle>'); au modèle CDS, et annotez ses événements avec @ws.role: '<rôle>' : @requires ne limite pas leurs destinataires. Pour admettre tout utilisateur connecté, 'authenticated-user' dans @requires suffit.",
      variants: {
        public: {
          title: 'Absence d’authentification sur un service WebSocket',
          message:
            'Le service {service} expose {elements:et} via WebSocket sous {path}, et les clients peuvent s’y connecter sans authentification.',
          why: 'Un attaquant non authentifié peut se connecter, recevoir des événements et utiliser ce que le service expose.',
          fix: 'Donnez à cds.requires.auth la valeur "xsuaa" ou "ias" pour la production, sans restrict_all_services: false, afin que les clients doivent s’authentifier. Ajoutez aussi annotate {service} with @(requires: \'<rôle>\'); et, sur les événements du service, @ws.role: \'<rôle>\'.',
        },
        any: {
          message:
            "Le service {service} expose {elements:et} via WebSocket sous {path} avec @requires: 'any' : tout utilisateur authentifié y a accès.",
          fix: "Remplacez 'any' dans @requires sur {service} par un rôle, et annotez les événements du service avec @ws.role: '<rôle>' : @requires ne limite pas leurs destinataires.",
        },
        server: {
          title: 'Serveur WebSocket sans authentification',
          message:
            'Ce serveur WebSocket traite toute connexion : aucune option, aucun middleware ni gestionnaire ne vérifie qui se connecte.',
          why: 'Un attaquant non authentifié, ou une page malveillante dans le navigateur d’un utilisateur, peut se connecter, envoyer des messages et recevoir ce que le serveur envoie à ses clients.',
          fix: 'Ajoutez io.use(…) qui vérifie socket.handshake.auth.token (socket.io), ou indiquez { noServer: true } et vérifiez le jeton et l’en-tête Origin dans server.on("upgrade", …) avant wss.handleUpgrade(…) (ws).',
        },
        cookie: {
          title: 'Détournement de WebSocket intersite : en-tête Origin non vérifié',
          message: 'L’utilisateur d’une connexion WebSocket est tiré de {part}, et aucun en-tête Origin n’est vérifié.',
          why: 'CORS ne s’applique pas à WebSocket : une page malveillante ouvre une connexion, les navigateurs sans Lax par défaut pour SameSite, comme Safari et Firefox, y joignent le cookie, et la page échange des messages au nom de l’utilisateur connecté.',
          fix: 'Comparez request.headers.origin à vos propres origines avant d’accepter une connexion : dans verifyClient ou server.on("upgrade", …) (ws), ou dans allowRequest (socket.io, engine.io).',
        },
        error: {
          title: 'Événement error non géré d’une connexion WebSocket',
          message:
            'Le gestionnaire des connexions n’écoute pas l’événement error d’une connexion, et rien ne vérifie qui se connecte. ws l’émet pour une trame invalide, et Node.js arrête alors le processus.',
          why: 'Un attaquant non authentifié arrête tout le serveur, pour tous les utilisateurs, avec une connexion et deux octets qui ne forment pas une trame valide, et recommence après chaque redémarrage.',
          fix: "Ajoutez d’abord un écouteur dans le gestionnaire : socket.on('error', (error) => console.error(error)). ws ferme lui-même la connexion.",
        },
        origin: {
          title: 'Détournement de WebSocket intersite : toute origine admise',
          message:
            '{key} vaut {value} dans {file} et s’applique à la production : socket.io accepte les connexions de toute origine.',
          why: 'Si le navigateur joint le cookie de session aux requêtes venant d’autres sites, une page malveillante peut ouvrir une connexion, puis recevoir et envoyer des événements au nom de l’utilisateur connecté.',
          fix: 'Indiquez dans {key} ({file}) les origines de vos applications, par exemple ["https://app.example.com"]. CORS ne couvre que l’interrogation par HTTP (polling) : pour WebSocket, affectez aussi à cds.env.websocket.options.allowRequest, dans server.js, une fonction qui vérifie l’en-tête Origin.',
        },
      },
    },
  }),
})

const EVENTS = inEachLanguage({ en: 'its events', fr: 'ses événements' })

/** Reachable for every connection; none, but the events, which have no restriction of their own. */
function connectable(service: CapService): readonly CapElement[] | undefined {
  const open = openElements(service).filter(({ name }) => !/^ws(?:Connect|Disconnect|Context)$/.test(name))
  return open.length > 0 || service.elements.every(({ access }) => access === undefined) ? open : undefined
}

/** Connections in the name of whom the cookie belongs to, whichever page opens them. */
function* cookieUsers(uses: readonly Extracted<SocketUse>[], isBehindApprouter: boolean): Generator<Match> {
  const kinds = new Set(uses.map(({ value }) => value.kind))
  if (!kinds.has('server') || kinds.has('checks-origin') || kinds.has('same-site')) return
  for (const { file, value } of uses)
    if (value.kind === 'cookie')
      yield {
        at: { file, span: value.at },
        variant: 'cookie',
        args: { part: value.part },
        ...(isBehindApprouter && { evidence: 'assumed' }),
      }
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

/** `true` reflects the origin of the request. */
function everyOrigin(node: DataNode): string | undefined {
  if (booleanOf(node) === true) return 'true'
  const words = [stringOf(node), ...itemsOf(node).map(stringOf)]
  return words.includes('*') ? '"*"' : undefined
}
