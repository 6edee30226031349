import { anonymousXsjs, usageByPath } from '../../model/reach/index.ts'
import { at, booleanOf, itemsOf, memberOf, stringOf, type DataNode } from '../../parse/data.ts'
import type { Span } from '../../types.ts'
import type { Project } from '../subjects.ts'
import { createDestinationReader, openDestinations } from './_xs/destinations.ts'
import { xsLogins } from './_xs/logins.ts'
import { passedCookies } from './_xs/passed-cookies.ts'
import { idleXsScripts, xsScripts } from './_xs/services.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { groupBy } from '../../lists.ts'
import { folderOf, ownerOf } from '../../paths.ts'

/**
 * A package of XS classic without authentication, CSRF protection or TLS, and its successor on Node.js with anonymous access.
 * Facts: SAP HANA Developer Guide for XS classic, "The Application-Access File" (.xsaccess: exposed, authentication, prevent_xsrf, force_ssl; cors without `allowOrigin` is for all) and
 * "HTTP Destination Configuration" (.xshttpdest: authType, useSSL, proxyType); README of @sap/xsjs 6.7.9 (`anonymous` disables authentication, for local tests).
 * Impact: pages are opened by their author on purpose, data of scripts that ask for no privilege are not, and neither is a system that scripts log in to with a password of their own; CSRF takes a victim and single requests, TLS is off by default; of a server without authentication
 * every service is open; credentials in cleartext are for who sits on the network path, which is the internet unless the host is one of an own network; of a destination that no script reads, or whose host is none, none are sent, and what tests alone read is assumed to hold some.
 */
export const xsjsLegacy: Rule = defineRule({
  id: 'cap/xsjs-legacy',
  impact: 'data',
  reach: 'anyone',
  grades: {
    xsrf: { impact: 'bounded' },
    cookies: { impact: 'bounded' },
    ssl: { impact: 'defence' },
    // browsers send no session along unless the answer allows it
    cors: { impact: 'defence' },
    destination: { impact: 'takeover', reach: 'privileged' },
  },
  confidence: 'high',
  cwe: [306, 1104],
  since: '0.1.0',
  docs: 'https://help.sap.com/docs/SAP_HANA_PLATFORM/b3d0daf2a98e49ada00bf31b7ca7a42e/a9fc5c220d744180850996e2f5d34d6c.html?version=2.0.03',
  docsByVariant: {
    anonymous: 'https://www.npmjs.com/package/@sap/xsjs',
    destination: 'https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html',
  },
  keywords: ['authentication', 'prevent_xsrf', 'force_ssl', 'useSSL', 'authType', 'anonymous', 'cors'],
  extracts: [xsScripts, xsLogins, anonymousXsjs, idleXsScripts, passedCookies],
  checks: {
    *data({ path: file, kind, content }) {
      const [root] = content.roots
      if (kind.role !== 'xsaccess' || booleanOf(at(root, 'exposed')) === false) return
      const args = { file }
      const authentication = memberOf(root, 'authentication')?.value
      for (const [key, variant] of SWITCHES) {
        // without a login there is no session that a forged request could use
        if (variant === 'xsrf' && authentication?.kind === 'null') continue
        const value = memberOf(root, key)?.value
        if (booleanOf(value) === false && value !== undefined)
          yield { at: { file, span: { start: value.start, end: value.end } }, args, variant, ...usageOf(file) }
      }
      const open = openCors(root)
      if (open !== undefined)
        yield { at: { file, span: { start: open.start, end: open.end } }, args, variant: 'cors', ...usageOf(file) }
    },

    *project({ files, reach, scripts, step }) {
      yield* anonymousServers({ files, scripts, step })
      const destinations = openDestinations(files)
      const packages = openPackages(files)
      if (packages.length + destinations.length === 0) return
      const found = scripts.get(xsScripts)
      const logins = scripts.get(xsLogins)
      step(found.length + logins.length)
      const useOf = createDestinationReader(files, logins)
      for (const { file, span, host, isInside, isBroken } of destinations) {
        const use = isBroken ? 'none' : useOf(file)
        yield {
          at: { file, span },
          args: { file, host },
          variant: 'destination',
          ...(!isInside && { reach: 'user' as const }),
          ...(use !== 'app' && { evidence: use === 'tests' ? ('assumed' as const) : ('guessed' as const) }),
          ...usageOf(file),
        }
      }
      const checking = new Set(found.flatMap(({ file, value }) => (value.kind === 'check' ? [file] : [])))
      const reading = new Set(found.flatMap(({ file, value }) => (value.kind === 'reads' ? [file] : [])))
      const opened = new Set(logins.flatMap(({ file, value }) => (value.kind === 'login' ? [file] : [])))
      for (const file of opened) reading.add(file)
      const services = [...files.values()].flatMap(({ path, kind }) =>
        !kind.test &&
        (kind.role === 'xsodata' || (reading.has(path) && !checking.has(path))) &&
        (opened.has(path) || !reach.isWithoutDatabase(path))
          ? [path]
          : [],
      )
      // a package below may say something else
      const told = new Set([...files.values()].flatMap(({ path, kind }) => (kind.role === 'xsaccess' ? folderOf(path) : [])))
      const passing = scripts.get(passedCookies).map(({ file }) => ({ script: file, owner: ownerOf(file, told) }))
      for (const { file, folder, span, xsrf } of packages) {
        step(services.length + packages.length + passing.length)
        // without a login of XS the session is that of the system behind
        const passes = xsrf && passing.find(({ owner }) => owner === folderOf(file))
        if (xsrf !== undefined && passes !== undefined)
          yield { at: { file, span: xsrf }, args: { file, script: passes.script }, variant: 'cookies', ...usageOf(file) }
        const servesData = services.some((path) => path.startsWith(folder))
        yield {
          at: { file, span },
          args: { file },
          // packages below repeat what the one around them says
          groupKey: `authentication ${packages.find((one) => folder.startsWith(one.folder))?.folder ?? folder}`,
          ...(!servesData && { circumstance: 'visible' as const }),
        }
      }
    },
  },

  text: () => ({
    en: {
      title: 'Missing authentication on an XS classic package',
      message: '"authentication" is null in {file}: everything in this package accepts unauthenticated requests.',
      why: 'An unauthenticated attacker can call all services of the package.',
      fix: 'Set "authentication": [{ "method": "Form" }] and "prevent_xsrf": true in {file}, and move what has to be public into a separate package.',
      variants: {
        xsrf: {
          title: 'CSRF protection disabled for an XS classic package',
          message: '"prevent_xsrf" is false in {file}: requests that change data are accepted without a CSRF token.',
          why: 'Where browsers send the session cookie with requests from other sites, a malicious page can change data on behalf of a logged-in user.',
          fix: 'Set "prevent_xsrf": true in {file}. UI5 OData models fetch and send the CSRF token automatically.',
        },
        cookies: {
          title: 'CSRF protection disabled for an XS classic package',
          message:
            '"prevent_xsrf" is false in {file}, and {script} uses cookies of the browser as the session of another system: requests of other sites are accepted.',
          why: 'Where browsers send these cookies with requests from other sites, a malicious page can change data of that system on behalf of its user.',
          fix: 'Set "prevent_xsrf": true in {file}, with "authentication": [{ "method": "Form" }], since the token belongs to a session of XS. UI5 OData models fetch and send it automatically.',
        },
        ssl: {
          title: 'Cleartext HTTP allowed for an XS classic package',
          message: '"force_ssl" is false in {file}: requests over cleartext HTTP are accepted.',
          why: 'An attacker on the network path can read the session cookie and the data.',
          fix: 'Set "force_ssl": true in {file}.',
        },
        cors: {
          title: 'CORS allows any origin for an XS classic package',
          message:
            '"cors" is enabled in {file} without a list of origins in "allowOrigin": pages of all sites may read the responses.',
          why: 'A page on any site can read what the package answers to its requests, from inside the network of the user too.',
          fix: 'List the origins that need it in {file}: "cors": { "enabled": true, "allowOrigin": ["https://<host>"] }, or set "enabled": false.',
        },
        anonymous: {
          title: 'Authentication disabled for an XSJS server',
          message:
            'The options of the XSJS server in {file} set "anonymous" to true: the server accepts requests without a token.',
          why: 'An unauthenticated attacker can call every .xsjs and .xsodata service of the server. These services run with the privileges of the technical database user.',
          fix: 'Remove "anonymous" from the options, bind an XSUAA service instance to the app, and add its credentials to the options: Object.assign(options, xsenv.getServices({ uaa: { tag: "xsuaa" } })).',
        },
        destination: {
          title: 'Credentials sent over cleartext HTTP by an XS destination',
          message: '{file} sends a user name and password to {host} ("authType" is basic) over HTTP: "useSSL" is not true.',
          why: 'An attacker on the network path can read the credentials, and read and change the data.',
          fix: 'Set useSSL = true and the HTTPS port in {file}, and, in the XS Administration Tool, select a trust store that contains the certificate of the host.',
        },
      },
    },
    fr: {
      title: 'Absence d’authentification sur un paquet XS classic',
      message: '"authentication" vaut null dans {file} : tout le contenu de ce paquet est accessible sans authentification.',
      why: 'Un attaquant non authentifié peut appeler tous les services du paquet.',
      fix: 'Définissez "authentication": [{ "method": "Form" }] et "prevent_xsrf": true dans {file}, et déplacez ce qui doit être public dans un paquet distinct.',
      variants: {
        xsrf: {
          title: 'Protection CSRF désactivée pour un paquet XS classic',
          message:
            '"prevent_xsrf" vaut false dans {file} : les requêtes qui modifient des données sont acceptées sans jeton CSRF.',
          why: 'Si le navigateur joint le cookie de session aux requêtes venant d’autres sites, une page malveillante peut modifier des données au nom d’un utilisateur connecté.',
          fix: 'Définissez "prevent_xsrf": true dans {file}. Les modèles OData d’UI5 récupèrent et envoient automatiquement le jeton CSRF.',
        },
        cookies: {
          title: 'Protection CSRF désactivée pour un paquet XS classic',
          message:
            '"prevent_xsrf" vaut false dans {file}, et {script} utilise des cookies du navigateur comme session d’un autre système : les requêtes d’autres sites sont acceptées.',
          why: 'Si le navigateur joint ces cookies aux requêtes venant d’autres sites, une page malveillante peut modifier des données de ce système au nom de son utilisateur.',
          fix: 'Définissez "prevent_xsrf": true dans {file}, avec "authentication": [{ "method": "Form" }], car le jeton dépend d’une session XS. Les modèles OData d’UI5 le récupèrent et l’envoient automatiquement.',
        },
        ssl: {
          title: 'HTTP en clair autorisé pour un paquet XS classic',
          message: '"force_ssl" vaut false dans {file} : les requêtes HTTP en clair sont acceptées.',
          why: 'Un attaquant placé sur le réseau peut lire le cookie de session et les données.',
          fix: 'Définissez "force_ssl": true dans {file}.',
        },
        cors: {
          title: 'CORS autorise toute origine pour un paquet XS classic',
          message:
            '"cors" est activé dans {file} sans liste d’origines dans "allowOrigin" : les pages de tous les sites peuvent lire les réponses.',
          why: 'Une page de n’importe quel site peut lire ce que le paquet répond à ses requêtes, y compris depuis le réseau interne de l’utilisateur.',
          fix: 'Indiquez dans {file} les origines nécessaires : "cors": { "enabled": true, "allowOrigin": ["https://<hôte>"] }, ou donnez à "enabled" la valeur false.',
        },
        anonymous: {
          title: 'Authentification désactivée pour un serveur XSJS',
          message:
            'Les options du serveur XSJS dans {file} donnent à "anonymous" la valeur true : le serveur accepte des requêtes sans jeton.',
          why: 'Un attaquant non authentifié peut appeler tous les services .xsjs et .xsodata du serveur. Ces services s’exécutent avec les privilèges de l’utilisateur technique de la base de données.',
          fix: 'Supprimez "anonymous" des options, liez une instance du service XSUAA à l’application et ajoutez ses identifiants aux options : Object.assign(options, xsenv.getServices({ uaa: { tag: "xsuaa" } })).',
        },
        destination: {
          title: 'Identifiants envoyés en clair (HTTP) par une destination XS',
          message:
            '{file} envoie un nom d’utilisateur et un mot de passe à {host} ("authType" vaut basic) par HTTP : "useSSL" ne vaut pas true.',
          why: 'Un attaquant placé sur le réseau peut lire les identifiants, et lire ou modifier les données.',
          fix: 'Définissez useSSL = true et le port HTTPS dans {file}, puis, dans XS Administration Tool, choisissez un magasin de confiance contenant le certificat de l’hôte.',
        },
      },
    },
  }),
})

const SWITCHES = [
  ['prevent_xsrf', 'xsrf'],
  ['force_ssl', 'ssl'],
] as const

/** `"cors": { "enabled": true }` and no origins, or all of them; `"cors": [{ "enabled": true }]` is what the editor of HANA writes. */
function openCors(root: DataNode | undefined): DataNode | undefined {
  const set = at(root, 'cors')
  const cors = set?.kind === 'array' ? itemsOf(set)[0] : set
  const enabled = memberOf(cors, 'enabled')?.value
  if (enabled === undefined || booleanOf(enabled) !== true) return undefined
  const origins = at(cors, 'allowOrigin')
  return origins === undefined || stringOf(origins) === '*' || itemsOf(origins).some((one) => stringOf(one) === '*')
    ? enabled
    : undefined
}

/** Servers without a login. Where all that one runs is a script that answers a constant text, nothing stands behind the open door yet. */
function* anonymousServers({ files, scripts, step }: Pick<Project, 'files' | 'scripts' | 'step'>): Generator<Match> {
  const servers = scripts.get(anonymousXsjs).filter(({ file }) => files.get(file)?.kind.test !== true)
  if (servers.length === 0) return
  const folders = new Set(servers.map(({ file }) => folderOf(file)))
  const idle = new Set(scripts.get(idleXsScripts).map(({ file }) => file))
  step(files.size)
  const served = groupBy(
    [...files.keys()].filter((path) => /\.xs(?:js|odata)$/i.test(path)),
    (path) => ownerOf(path, folders),
  )
  for (const { file, value } of servers) {
    const own = served.get(folderOf(file)) ?? []
    const isIdle = own.length > 0 && own.every((path) => idle.has(path))
    yield { at: { file, span: value }, args: { file }, variant: 'anonymous', ...(isIdle && { impact: 'defence' as const }) }
  }
}

/** A repository is delivered with all of its packages: one that is called `dev` is that of a landscape. Fact: SAP HANA Developer Guide for XS classic, "Maintaining Delivery Units". */
function usageOf(file: string): Pick<Match, 'usage'> {
  return /(?:^|\/)dev\//i.test(file) && usageByPath(file.replaceAll(/(^|\/)dev\//gi, '$1')) === 'deployed'
    ? { usage: 'deployed' }
    : {}
}

interface OpenPackage {
  readonly file: string
  readonly folder: string
  readonly span: Span
  /** Where it turns off the check of requests for a token. */
  readonly xsrf?: Span
}

/** Packages that say that nobody has to log in, those around others first. A package below without a file of its own takes over what it says. */
function openPackages(files: Project['files']): readonly OpenPackage[] {
  const found = [...files.values()].flatMap(({ path: file, kind, content }) => {
    if (kind.role !== 'xsaccess' || kind.test || content.as !== 'data') return []
    const [root] = content.roots
    const authentication = memberOf(root, 'authentication')?.value
    if (authentication?.kind !== 'null' || booleanOf(at(root, 'exposed')) === false) return []
    const { start, end } = authentication
    const xsrf = memberOf(root, 'prevent_xsrf')?.value
    return {
      file,
      folder: file.slice(0, file.lastIndexOf('/') + 1),
      span: { start, end },
      ...(xsrf !== undefined && booleanOf(xsrf) === false && { xsrf: { start: xsrf.start, end: xsrf.end } }),
    }
  })
  return found.sort((a, b) => a.folder.length - b.folder.length)
}
