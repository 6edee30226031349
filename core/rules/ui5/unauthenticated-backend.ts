import { isPublicByNature } from '../../model/deployment/index.ts'
import {
  givenAddresses,
  hostReads,
  hostReadsOf,
  hostRequests,
  hostRequestsOf,
  isPlayground,
  requestSetups,
  type HostRequest,
  type Ui5App,
} from '../../model/ui5/index.ts'
import { classifyHost, isWorkspacePreview } from '../../secrets/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { loginDecisions } from './_login-comparisons.ts'

/**
 * A page that changes data on a host of another origin and sends nothing by which the host could know its user.
 * Facts: Fetch standard, "credentials mode": requests to another origin carry no cookies unless `include` says so; jQuery API, `xhrFields`. OWASP API Security
 * Top 10 2023, API2 (broken authentication). What anybody can read in the page, the host answers to anybody.
 * Impact: data is changed by whoever knows the address. That the host looks at something else (its network, certificates) is not in the project. A port of a developer's
 * workspace asks for the developer's login, unless he opens it. A host of a private network is reached by those inside it. Where other requests carry a token of the user,
 * the host knows sessions, and may well refuse a change that comes without one: somebody has to try. What the page reads without one and shows, the host answers.
 * Where a page compares the entered password with what the host sends before anybody has logged in, it is shown that the host answers strangers.
 * Where the page only reads from an application of BTP, what it gets may be meant for all.
 */
export const unauthenticatedBackend: Rule = defineRule({
  id: 'ui5/unauthenticated-backend',
  impact: 'data',
  reach: 'anyone',
  evidence: 'assumed',
  confidence: 'medium',
  cwe: [306],
  since: '0.2.0',
  docs: 'https://owasp.org/API-Security/editions/2023/en/0xa2-broken-authentication/',
  extracts: [givenAddresses, hostRequests, hostReads, requestSetups, loginDecisions],
  grades: { bare: { reach: 'user' }, 'only-read': { impact: 'bounded', evidence: 'shown' } },
  on: 'ui5-app',

  *check(app, { files }) {
    const { root, scripts } = app
    const requests = hostRequestsOf(app)
    if (requests.length === 0) return
    const prepared = new Set(scripts.get(requestSetups).map(({ value }) => value))
    const own = new Set(requests.flatMap(({ host, path }) => (isOfProject(path, files) ? [host] : [])))
    const open = openHosts(requests.filter(({ via, host }) => !prepared.has(via) && !own.has(host)))
    const answering = new Set(scripts.get(loginDecisions).flatMap(({ value }) => (value.variant === 'open' ? [value.host] : [])))
    for (const { file, at, host, changes, via, shared, isLogin } of requests) {
      if (isLogin || !open.has(host) || prepared.has(via)) continue
      const kind = shared !== undefined ? 'shared' : changes ? 'write' : 'read'
      yield {
        at: { file, span: at },
        args: { host, ...(shared !== undefined && { header: shared }) } satisfies Match['args'],
        ...(kind !== 'write' && { variant: kind }),
        ...(kind === 'read' && answering.has(host) && { evidence: 'shown' as const }),
        ...reachOfHost(host),
        groupKey: `${root} ${host} ${kind}`,
      }
    }
    const bare = requests.filter(({ via, host }) => !prepared.has(via) && !own.has(host))
    yield* judgeBare(app, bare, prepared.has('jquery'))
    yield* judgeReads(root, bare, open)
  },

  text: () => ({
    en: {
      title: 'Backend called without authentication',
      message: 'The page changes data on {host}, and none of its requests to this host carries a token or another credential.',
      why: 'An attacker who knows the address can send the same requests, without this page and without a login, and change the data there.',
      fix: 'Require authentication on {host}. Call it through a destination of the approuter (a relative URL, "authenticationType": "xsuaa"), so that the user’s token is forwarded, and let the backend check it.',
      variants: {
        shared: {
          title: 'Backend called with a password that the page contains',
          message:
            'The page calls {host} with the same "{header}" header for every user, and its value is written in the code of the page.',
          why: 'Any visitor of the page can read this header in the developer tools and call {host} with it, outside the app: it identifies the page, not the user. A hash that is sent as a password is a password.',
          fix: 'Change this password and remove it from the page. Call {host} through a destination of the approuter (a relative URL, "authenticationType": "xsuaa") that holds the credentials, and let the backend check the user’s token.',
        },
        bare: {
          message:
            'The page changes data on {host} without a credential, while its other requests to this host carry a "{header}" header.',
          why: 'If {host} accepts it, an attacker who knows the address can send the same request without a login, and change the data there.',
          fix: 'Send the "{header}" header with this request too, and let {host} refuse requests without a valid one and those that the user may not make.',
        },
        'bare-read': {
          message:
            'The page reads data of persons from {host} without a credential, while its other requests to this host carry a "{header}" header.',
          why: 'If {host} accepts it, an attacker who knows the address can send the same request without a login, and read the data of all persons there.',
          fix: 'Send the "{header}" header with this request too, and let {host} refuse requests without a valid one and those that the user may not make.',
        },
        'only-read': {
          message:
            'The page reads data from {host}, an application of its landscape, and none of its requests to this host carries a token or another credential.',
          why: 'An attacker who knows the address can send the same requests, without this page and without a login, and read the data there, also that of other ids and filters.',
        },
        read: {
          message:
            'The page reads data from {host}, where it also changes data, and none of its requests to this host carries a token or another credential.',
          why: 'An attacker who knows the address can send the same requests, without this page and without a login, and read the data there.',
        },
      },
    },
    fr: {
      title: 'Backend appelé sans authentification',
      message:
        'La page modifie des données sur {host}, et aucune de ses requêtes vers cet hôte ne porte de jeton ni d’autre identifiant.',
      why: 'Un attaquant qui connaît l’adresse peut envoyer les mêmes requêtes, sans cette page et sans connexion, et modifier les données.',
      fix: 'Exigez une authentification sur {host}. Appelez-le par une destination de l’approuter (URL relative, "authenticationType": "xsuaa") pour transmettre le jeton de l’utilisateur, et faites-le vérifier par le backend.',
      variants: {
        shared: {
          title: 'Backend appelé avec un mot de passe contenu dans la page',
          message:
            'La page appelle {host} avec le même en-tête "{header}" pour tous les utilisateurs, et sa valeur figure dans le code de la page.',
          why: 'Tout visiteur de la page peut lire cet en-tête dans les outils de développement et s’en servir pour appeler {host}, hors de l’application : il identifie la page, et non l’utilisateur. Un hachage envoyé comme mot de passe est un mot de passe.',
          fix: 'Changez ce mot de passe et retirez-le de la page. Appelez {host} par une destination de l’approuter (URL relative, "authenticationType": "xsuaa") qui contient les identifiants, et faites vérifier le jeton de l’utilisateur par le backend.',
        },
        bare: {
          message:
            'La page modifie des données sur {host} sans identifiant, alors que ses autres requêtes vers cet hôte portent un en-tête "{header}".',
          why: 'Si {host} l’accepte, un attaquant qui connaît l’adresse peut envoyer la même requête sans connexion et modifier les données.',
          fix: 'Envoyez aussi l’en-tête "{header}" avec cette requête, et faites refuser par {host} les requêtes sans en-tête valide et celles que l’utilisateur ne doit pas faire.',
        },
        'bare-read': {
          message:
            'La page lit des données de personnes sur {host} sans identifiant, alors que ses autres requêtes vers cet hôte portent un en-tête "{header}".',
          why: 'Si {host} l’accepte, un attaquant qui connaît l’adresse peut envoyer la même requête sans connexion et lire les données de toutes les personnes.',
          fix: 'Envoyez aussi l’en-tête "{header}" avec cette requête, et faites refuser par {host} les requêtes sans en-tête valide et celles que l’utilisateur ne doit pas faire.',
        },
        'only-read': {
          message:
            'La page lit des données sur {host}, une application de son paysage, et aucune de ses requêtes vers cet hôte ne porte de jeton ni d’autre identifiant.',
          why: 'Un attaquant qui connaît l’adresse peut envoyer les mêmes requêtes, sans cette page et sans connexion, et lire les données, y compris avec d’autres identifiants et filtres.',
        },
        read: {
          message:
            'La page lit des données sur {host}, où elle en modifie aussi, et aucune de ses requêtes vers cet hôte ne porte de jeton ni d’autre identifiant.',
          why: 'Un attaquant qui connaît l’adresse peut envoyer les mêmes requêtes, sans cette page et sans connexion, et lire les données.',
        },
      },
    },
  }),
})

/** `/shop/services/Orders.xsjs`, where `services/Orders.xsjs` is a file of the project: its server sends the page, too. */
function isOfProject(path: string, files: { has(path: string): boolean }): boolean {
  const steps = path.replace(/[?#].*$/s, '').split('/')
  if (!/\.(?:xsjs|xsodata)$/i.test(steps.at(-1) ?? '')) return false
  return steps.some((_, from) => files.has(steps.slice(from).join('/')))
}

/** Hosts on which the app changes data, and to which it never sends anything that tells who asks. */
function openHosts(requests: readonly HostRequest[]): ReadonlySet<string> {
  const identifying = new Set(requests.flatMap(({ host, identifies, isLogin }) => (identifies && !isLogin ? [host] : [])))
  return new Set(
    requests.flatMap(({ host, changes }) => (changes && !identifying.has(host) && !isPlayground(host) ? [host] : [])),
  )
}

/** Requests without the credential of the user that other requests of the app to the same host carry. */
function* judgeBare(app: Ui5App, requests: readonly HostRequest[], isPrepared: boolean): Generator<Match> {
  const headers = new Map<string, string>()
  for (const { host, credential, isLogin } of requests)
    if (credential !== undefined && !isLogin && !isPlayground(host) && !isPublicByNature(host) && !headers.has(host))
      headers.set(host, credential)
  if (headers.size === 0) return
  const bare = requests.filter(
    ({ identifies, isLogin, isEdit, readsPersons }) => !identifies && !isLogin && (isEdit || readsPersons),
  )
  const reads = isPrepared ? [] : hostReadsOf(app).filter(({ readsPersons }) => readsPersons)
  for (const { file, at, host, readsPersons, usesAnswer } of [...bare, ...reads.map((one) => ({ ...one, usesAnswer: true }))]) {
    const header = headers.get(host)
    if (header === undefined) continue
    const variant = readsPersons ? 'bare-read' : 'bare'
    yield {
      at: { file, span: at },
      args: { host, header },
      variant,
      // whether the host gave the data nothing tells
      ...(readsPersons && !usesAnswer && { reach: 'user' as const }),
      ...reachOfHost(host),
      groupKey: `${app.root} ${host} ${variant}${readsPersons && !usesAnswer ? ' unused' : ''}`,
    }
  }
}

/**
 * Applications of customers on BTP. Facts: SAP BTP, "Regions and API Endpoints Available for the Cloud Foundry Environment" (`cfapps.<region>.hana.ondemand.com`); Kyma, "Expose a Workload"
 * (`<name>.<cluster>.kyma.ondemand.com`).
 */
const APPLICATION = /\.cfapps\.[\w-]{1,20}\.(?:hana\.ondemand\.com|platform\.sapcloud\.cn)$|\.kyma\.ondemand\.com$/i

/** Files, texts, and what an application says of itself. */
const OF_NO_DATA =
  /\.(?:json|properties|xml|svg|png|jpe?g|gif|ico|css|js|html?|txt|md|ya?ml|pdf|woff2?)$|(?:^|\/)(?:i18n|version|health\w{0,10}|ping|status|info|metrics|\$metadata)\/?$|(?:^|\/)user-api\//i

/** Data of an application of BTP that a page only reads, where no request of the app identifies its user to that host. */
function* judgeReads(root: string, requests: readonly HostRequest[], open: ReadonlySet<string>): Generator<Match> {
  const identified = new Set(requests.flatMap(({ host, identifies }) => (identifies ? [host] : [])))
  for (const { file, at, host, path, readsOwnData, usesAnswer, isLogin } of requests) {
    if (OF_NO_DATA.test(path)) continue
    if (!readsOwnData || !usesAnswer || isLogin || open.has(host) || identified.has(host) || !APPLICATION.test(host)) continue
    const groupKey = `${root} ${host} only-read`
    yield { at: { file, span: at }, args: { host }, variant: 'only-read', groupKey }
  }
}

/** What stands before a host by where it is. */
function reachOfHost(host: string): Pick<Match, 'reach' | 'evidence'> {
  return {
    ...(isWorkspacePreview(host) && { evidence: 'guessed' as const }),
    ...(classifyHost(host) === 'private' && { reach: 'user' as const }),
  }
}
