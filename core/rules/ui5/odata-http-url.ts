import { ADDRESS_PROPERTIES } from '../../flow/tables/controls.ts'
import { classifyHost } from '../../secrets/index.ts'
import { isInternal, isLoopback, isPublicByNature } from '../../model/deployment/index.ts'
import {
  givenAddresses,
  resourcePathOf,
  readRemote,
  scriptRequests,
  serviceAddressesOf,
  type Ui5App,
} from '../../model/ui5/index.ts'
import { loginTargets, plainLoginsOf } from './_login-targets.ts'
import { plainDocuments } from './_plain-documents.ts'
import { plainSockets } from './_plain-sockets.ts'
import type { Match, Reach } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * A service that a productive app calls over plain HTTP or opens in a window, a WebSocket that it opens without TLS, and a link over plain HTTP that carries data of a model.
 * Facts: documentation of SAPUI5, "Transport Security"; sap/ui/core/Component (@openui5/sap.ui.core 1.120.0) resolves the URI of a data source
 * against the component that declares it.
 * Impact: an attacker on the network path reads the credentials of the user and acts as that user; a link takes a click, and carries no session. A credential that
 * a script puts into a header of the request is shown; that cookies go along, and that the page comes over HTTP too, is assumed.
 */
export const odataHttpUrl: Rule = defineRule({
  id: 'ui5/odata-http-url',
  impact: 'takeover',
  attacker: 'network',
  // the page itself has to come over HTTP too
  evidence: 'assumed',
  grades: {
    link: { impact: 'bounded', evidence: 'shown' },
    credential: { evidence: 'shown' },
    login: { evidence: 'shown' },
    opened: { evidence: 'shown' },
  },
  confidence: 'high',
  cwe: [319],
  since: '0.1.0',
  docs: 'https://github.com/SAP-docs/sapui5/blob/main/docs/05_Developing_Apps/transport-security-91f3e60.md',
  extracts: [givenAddresses, scriptRequests, loginTargets, plainSockets, plainDocuments],
  on: 'ui5-app',

  *check(app) {
    const logins = judgeLogins(app)
    yield* logins
    const told = new Set(logins.map(({ args }) => args.host))
    for (const { address, at, isOfCard, carries, isOff } of serviceAddressesOf(app)) {
      const remote = readRemote(address)
      if (remote?.scheme !== 'http' || isLoopback(remote.host) || isPublicByNature(remote.host)) continue
      const path = remote.path.split(/[?#]/u, 1)[0]?.replace(/^\/+/u, '') || 'backend/'
      const args = { host: remote.host, path, module: resourcePathOf(app, path), header: carries ?? '' }
      const isOfScript = !isOfCard && at.file !== app.manifest?.file
      if (isOfScript && carries === undefined && told.has(remote.host)) continue
      const variant = isOfCard ? 'card' : isOfScript ? (carries === undefined ? 'script' : 'credential') : undefined
      yield {
        at,
        args,
        // of the requests of scripts to one host the one with a credential is told
        groupKey: isOfScript ? `script ${remote.host}` : address,
        reach: reachOf(remote.host),
        ...(variant !== undefined && { variant }),
        // somebody has to switch it on
        ...(variant === 'credential' && isOff && { evidence: 'assumed' as const }),
      }
    }
    yield* judgeLinks(app)
    yield* judgeSockets(app)
    yield* judgeDocuments(app)
  },

  text: () => ({
    en: {
      title: 'Backend called over unencrypted HTTP',
      message: 'Requests to {host} are sent over plain HTTP.',
      why: 'An attacker on the network path can read and change the data, and read the credentials or session cookies sent with it; in a page served over HTTPS, browsers block these requests (mixed content).',
      fix: 'Set "uri": "{path}" in manifest.json (no leading slash: UI5 resolves it relative to the component, even in a launchpad) and, in xs-app.json, route it to a destination with an https:// URL or a Cloud Connector host; or at least use an https:// URL here.',
      variants: {
        script: {
          fix: 'Build the URL with sap.ui.require.toUrl("{module}"), which gives a path within the app, and, in xs-app.json, route that path to a destination with an https:// URL or a Cloud Connector host; or at least use an https:// URL here.',
        },
        credential: {
          title: 'Credential sent over unencrypted HTTP',
          message: 'A request to {host} is sent over plain HTTP, with a credential in its "{header}" header.',
          why: 'An attacker on the network path can read this header and act as the user, and can read and change the data.',
          fix: 'Build the URL with sap.ui.require.toUrl("{module}"), which gives a path within the app, and, in xs-app.json, route that path to a destination with an https:// URL or a Cloud Connector host; or at least use an https:// URL here.',
        },
        login: {
          title: 'Password sent over unencrypted HTTP',
          message: 'A request to {host} is sent over plain HTTP, with a password ("{header}") in its body.',
          why: 'An attacker on the network path can read this password and act as the user; in a page served over HTTPS, browsers block the request (mixed content).',
          fix: 'Call the backend by a path of the same origin, served over HTTPS, or at least by an https:// URL.',
        },
        socket: {
          title: 'WebSocket without encryption',
          message: 'The WebSocket to {host} is opened over plain ws://.',
          why: 'An attacker on the network path can read and change the messages, and read the session cookies sent when it is opened; in a page served over HTTPS, browsers block it (mixed content).',
          fix: 'Use wss://{host} instead of ws://{host} in this URL.',
        },
        ownSocket: {
          title: 'WebSocket without encryption',
          message: 'The page opens a WebSocket to its own host over plain ws://.',
          why: 'An attacker on the network path can read and change the messages, and read the session cookies sent when it is opened; in a page served over HTTPS, browsers block it (mixed content).',
          fix: 'Use wss:// instead of ws:// in this URL, and serve the page over HTTPS.',
        },
        opened: {
          title: 'Backend service opened over unencrypted HTTP',
          message: 'The page opens a service of {host} in the browser over plain HTTP ({path}).',
          why: 'The user logs on to this system in the browser. An attacker on the network path can read the password or the session cookie, and act as the user.',
          fix: 'Open a path of the app instead, such as sap.ui.require.toUrl("{module}"), and, in xs-app.json, route it to a destination with an https:// URL or a Cloud Connector host; or at least use an https:// URL here.',
        },
        card: {
          fix: 'Use https://{host} instead of http://{host} in this URL.',
        },
        link: {
          title: 'Link with data over unencrypted HTTP',
          message: 'This link opens {host} over plain HTTP, with the value of {value} in the URL.',
          why: 'An attacker on the network path can read the data in the URL, and respond with a page of their own instead of the one that the user expects.',
          fix: 'Use https://{host} instead of http://{host} in this URL.',
        },
      },
    },
    fr: {
      title: 'Backend appelé en HTTP non chiffré',
      message: 'Les requêtes vers {host} sont envoyées en HTTP sans chiffrement.',
      why: 'Un attaquant placé sur le réseau peut lire et modifier les données, et lire les identifiants ou cookies de session qui les accompagnent ; dans une page servie en HTTPS, les navigateurs bloquent ces requêtes (contenu mixte).',
      fix: 'Définissez "uri": "{path}" dans manifest.json (sans barre initiale : UI5 résout l’URI par rapport au composant, y compris dans un launchpad) et ajoutez dans xs-app.json une route de ce chemin vers une destination dont l’URL est en https:// ou passe par le Cloud Connector ; à défaut, utilisez ici une URL en https://.',
      variants: {
        script: {
          fix: 'Construisez l’URL avec sap.ui.require.toUrl("{module}"), qui donne un chemin dans l’application, et ajoutez dans xs-app.json une route de ce chemin vers une destination dont l’URL est en https:// ou passe par le Cloud Connector ; à défaut, utilisez ici une URL en https://.',
        },
        credential: {
          title: 'Identifiant envoyé en HTTP non chiffré',
          message:
            'Une requête vers {host} est envoyée en HTTP sans chiffrement, avec un identifiant dans son en-tête "{header}".',
          why: 'Un attaquant placé sur le réseau peut lire cet en-tête et agir à la place de l’utilisateur, et peut lire et modifier les données.',
          fix: 'Construisez l’URL avec sap.ui.require.toUrl("{module}"), qui donne un chemin dans l’application, et ajoutez dans xs-app.json une route de ce chemin vers une destination dont l’URL est en https:// ou passe par le Cloud Connector ; à défaut, utilisez ici une URL en https://.',
        },
        login: {
          title: 'Mot de passe envoyé en HTTP non chiffré',
          message:
            'Une requête vers {host} est envoyée en HTTP sans chiffrement, avec un mot de passe ("{header}") dans son corps.',
          why: 'Un attaquant placé sur le réseau peut lire ce mot de passe et agir à la place de l’utilisateur ; dans une page servie en HTTPS, les navigateurs bloquent la requête (contenu mixte).',
          fix: 'Appelez le backend par un chemin de la même origine, servie en HTTPS, ou au moins par une URL en https://.',
        },
        socket: {
          title: 'WebSocket sans chiffrement',
          message: 'La connexion WebSocket vers {host} est ouverte en ws://, sans chiffrement.',
          why: 'Un attaquant placé sur le réseau peut lire et modifier les messages, et lire les cookies de session envoyés à l’ouverture ; dans une page servie en HTTPS, les navigateurs la bloquent (contenu mixte).',
          fix: 'Utilisez wss://{host} au lieu de ws://{host} dans cette URL.',
        },
        ownSocket: {
          title: 'WebSocket sans chiffrement',
          message: 'La page ouvre en ws://, sans chiffrement, une connexion WebSocket vers son propre hôte.',
          why: 'Un attaquant placé sur le réseau peut lire et modifier les messages, et lire les cookies de session envoyés à l’ouverture ; dans une page servie en HTTPS, les navigateurs la bloquent (contenu mixte).',
          fix: 'Utilisez wss:// au lieu de ws:// dans cette URL, et servez la page en HTTPS.',
        },
        opened: {
          title: 'Service du backend ouvert en HTTP non chiffré',
          message: 'La page ouvre un service de {host} dans le navigateur, en HTTP sans chiffrement ({path}).',
          why: 'L’utilisateur s’authentifie auprès de ce système dans le navigateur. Un attaquant placé sur le réseau peut lire le mot de passe ou le cookie de session, et agir à sa place.',
          fix: 'Ouvrez plutôt un chemin de l’application, comme sap.ui.require.toUrl("{module}"), et ajoutez dans xs-app.json une route vers une destination en https:// ou un hôte du Cloud Connector ; ou utilisez au moins une URL en https://.',
        },
        card: {
          fix: 'Utilisez https://{host} au lieu de http://{host} dans cette URL.',
        },
        link: {
          title: 'Lien transmettant des données en HTTP non chiffré',
          message: 'Ce lien ouvre {host} en HTTP sans chiffrement, avec la valeur de {value} dans l’URL.',
          why: 'Un attaquant placé sur le réseau peut lire les données de l’URL, et répondre par sa propre page à la place de celle que l’utilisateur attend.',
          fix: 'Utilisez https://{host} au lieu de http://{host} dans cette URL.',
        },
      },
    },
  }),
})

/** Who may sit on the path to a host. */
function reachOf(host: string): Reach {
  return isInternal(host) ? 'privileged' : 'user'
}

/** Passwords in the bodies of requests. */
function judgeLogins(app: Ui5App): readonly (Match & { readonly args: { readonly host: string } })[] {
  return [...plainLoginsOf(app)].flatMap(({ at, field, address }) => {
    const remote = readRemote(address)
    if (remote === undefined || isLoopback(remote.host)) return []
    const { host, path } = remote
    const args = { host, path, module: path, header: field }
    // nobody reaches the network of a private address from outside
    const evidence = isInternal(host) ? 'assumed' : 'shown'
    return [{ at, args, variant: 'login', reach: reachOf(host), evidence, groupKey: `login ${host}` } as const]
  })
}

/** WebSockets without TLS. That of the page's own host works only in a page that comes over HTTP, too. */
function* judgeSockets({ scripts }: Ui5App): Generator<Match> {
  for (const { file, value } of scripts.get(plainSockets)) {
    const { at: span, host } = value
    if (host !== undefined && (isLoopback(host) || isPublicByNature(host))) continue
    yield {
      at: { file, span },
      args: { host: host ?? '', path: '', module: '', header: '' },
      variant: host === undefined ? 'ownSocket' : 'socket',
      reach: host === undefined ? 'user' : reachOf(host),
      groupKey: `socket ${host ?? ''}`,
    }
  }
}

/** Services of an ABAP system in windows of their own. A page that comes over HTTPS opens them as well: it loads nothing of them. */
function* judgeDocuments(app: Ui5App): Generator<Match> {
  for (const { file, value } of app.scripts.get(plainDocuments)) {
    const { at: span, host, path } = value
    // a placeholder is nobody's system
    if (isLoopback(host) || isPublicByNature(host) || classifyHost(host) === 'documentation') continue
    yield {
      at: { file, span },
      args: { host, path, module: resourcePathOf(app, path), header: '' },
      variant: 'opened',
      reach: reachOf(host),
      groupKey: `opened ${host}`,
    }
  }
}

/** The beginning of an address, by itself or as a text of an expression. */
const IN_LINK = /(?:^|["'`])\s{0,10}(http:\/\/[^\s"'`{}]{1,300})/u
/** Behind the address, in the same text or joined to it: a condition in front of it is no part of it. */
const CONTINUED = /^["'`]?\s{0,10}(?:\+[^:?{}]{0,100})?\{((?!=)[^{}:]{1,200})\}/u

/** Addresses of links that a binding completes: `href="{= 'http://host/' + ${id} }"`. */
function* judgeLinks({ views }: Ui5App): Generator<Match> {
  for (const { file, test, controls } of views) {
    if (test) continue
    for (const { type, properties } of controls)
      for (const row of ADDRESS_PROPERTIES) {
        const href = row.type === type ? properties.get(row.property) : undefined
        if (href === undefined || href.binding.kind === 'constant') continue
        const address = IN_LINK.exec(href.value)
        const remote = readRemote(address?.[1] ?? '')
        const bound = address === null ? undefined : CONTINUED.exec(href.value.slice(address.index + address[0].length))?.[1]
        if (remote === undefined || bound === undefined || isLoopback(remote.host)) continue
        const at = { file, span: href.at }
        const args = { host: remote.host, value: bound }
        yield { at, args, variant: 'link', reach: reachOf(remote.host), groupKey: `link ${remote.host}` }
      }
  }
}
