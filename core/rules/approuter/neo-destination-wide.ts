import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { constantOf, valuesOf } from '../../facts/index.ts'
import { at, membersOf, stringOf } from '../../parse/data.ts'
import { folderOf, isBelow } from '../../paths.ts'
import { quoteValue, quoteWord } from '../../quote.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { Project } from '../subjects.ts'
import { unprotectedRoutes, type NeoRoute } from '../../model/approuter/index.ts'

/** What hands on the user. Fact: SAP BTP, Neo environment, "HTTP Destinations" (OAuth2SAMLBearerAssertion: a token of the user who is logged on). */
const PROPAGATES = /\bprincipal[\s_-]{0,3}propagation\b|\b(?:OAuth_?2?[\s_-]{0,3})?SAML_?2?[\s_-]{0,3}Bearer/i
/** Words for an authentication by one user for all. */
const SAYS_SO =
  /\bbasic[\s_-]{0,3}auth(?:entication)?\b|\b(?:technical|service|system|generic)[\s_-]{0,3}user\b|\busuario (?:t[eé]cnico|gen[eé]rico)\b|\btechnische[rn]? (?:user|benutzer)\b|\butente tecnico\b|\butilisateur technique\b/i
/** The same in a name of a destination, where words are joined. */
const NAMED_SO = /(?:^|[_\W])(?:basic(?:auth)?|technical(?:user)?|tech(?:user)|sysuser|serviceuser)(?:$|[_\W])/i

const ADDRESS = /^\/[\w./;=,~-]{1,200}(?:$|[?#])/

/**
 * `config: { serviceUrl: "/ERP/sap/opu/odata/…" }` in the metadata of a component, as apps without a manifest have it.
 * Fact: SAPUI5 documentation, "Component Metadata" (`config`); templates of SAP Web IDE up to UI5 1.28.
 */
const componentServices: Extract<string> = defineExtract({
  name: 'ui5-component-services',
  keywords: ['serviceUrl'],
  isFor: (path) => /(?:^|\/)Component\.js$/.test(path),
  *collect({ facts }) {
    for (const { value } of valuesOf(facts)) {
      if (value.kind !== 'object') continue
      for (const { key, value: given } of value.fields) {
        const address = key === 'serviceUrl' ? constantOf(given) : undefined
        if (typeof address === 'string' && ADDRESS.test(address)) yield address
      }
    }
  },
})

/**
 * A route of a Neo application to all paths of a back end by a destination that logs on with one technical user, and that no security constraint protects.
 * Facts: SAP BTP, Neo environment, "Configure Application Routes" (`entryPath`; without it the whole back end is reached) and "Authorization" (`securityConstraints`).
 * Most routes of Neo apps lead to a destination that hands on the user: without a word of a technical one it is only told of those that are wider than the app needs, which its
 * data sources show: services of an ABAP system or of SAP HANA XS on the same host, by this route or by another one. APIs of SAP S/4HANA Cloud are called as a communication user.
 * Impact: any user of the app sends requests to every service of the back end as the technical user. That the destination is what its name or the description of the route says, is assumed; where
 * nothing says it, so is that it has one. Where the app uses the route, the usual set-up hands on the user, who has the rights that the back end gives.
 */
export const neoDestinationWide: Rule = defineRule({
  id: 'approuter/neo-destination-wide',
  impact: 'data',
  reach: 'user',
  evidence: 'assumed',
  confidence: 'medium',
  cwe: [284, 441],
  since: '0.3.0',
  docs: 'https://help.sap.com/docs/btp/sap-btp-neo-environment/configure-application-routes',
  grades: { used: { impact: 'bounded', evidence: 'shown' } },
  extracts: [componentServices],
  on: 'project',

  *check(project): Generator<Match> {
    const { files, step } = project
    for (const { path: file, kind, content } of files.values()) {
      if (kind.role !== 'neo-app' || kind.test || content.as !== 'data') continue
      const [root] = content.roots
      // all callers are strangers then, which another rule tells
      if (stringOf(at(root, 'authenticationMethod')) === 'none') continue
      const routes = unprotectedRoutes(root)
      const addresses = addressesBeside(file, project)
      step(addresses.length * routes.length)
      const asking = routes.flatMap((route) => {
        const service = serviceAsked(route, addresses)
        return service === undefined ? [] : [{ route, service }]
      })
      for (const route of routes) {
        step()
        const { entryPath = '/' } = route
        const place = { file, span: { start: route.node.start, end: route.node.end } }
        const args = {
          path: quoteValue(route.path),
          destination: quoteWord(route.destination),
          below: quoteValue(entryPath),
          by: '',
          service: '',
        }
        const names = `${route.destination} ${route.description}`
        const api = ODATA.test(entryPath) && CLOUD.test(names) && !ON_PREMISE.test(names) ? apiAsked(route, addresses) : undefined
        if (ALL.test(entryPath) && saysTechnicalUser(route)) yield { at: place, args }
        else if (api !== undefined && !PROPAGATES.test(route.description))
          yield { at: place, args: { ...args, service: quoteValue(api) }, variant: 'cloud' }
        else if (WIDE.test(entryPath)) {
          step(addresses.length + asking.length)
          const variant = asking.some((one) => one.route === route) ? 'used' : 'beside'
          const beside = asking.find((other) => other.route.destination === route.destination)
          if (beside === undefined || (variant === 'beside' && addresses.some((one) => isBy(route, one)))) continue
          const by = quoteValue(beside.route.path)
          yield {
            at: place,
            args: { ...args, by, service: quoteValue(beside.service) },
            variant,
            ...ofSystem(beside.service, variant),
            ...ofUser(route, variant),
          }
        }
      }
    }
  },

  text: () => ({
    en: {
      title: 'Neo route to all paths of a back end as a technical user',
      message:
        'The route {path} leads to all paths of the destination {destination}, which logs on with a technical user: it has no "entryPath", and no "securityConstraints" protect it.',
      why: 'Any user of the app can send requests to every service of this back end, and read and change data with the permissions of the technical user.',
      fix: 'Set "entryPath" to the service that the app uses, such as "/sap/opu/odata/sap/<service>", and protect the path with "securityConstraints". Better: set the destination to PrincipalPropagation.',
      variants: {
        beside: {
          title: 'Neo route to all paths of a back end',
          message:
            'The route {path} leads to all paths below {below} of the destination {destination}; the data sources of the app go by the route {by}.',
          why: 'If the destination logs on with a technical user, any user of the app can send requests to every service of this back end, and read and change data with the permissions of that user.',
          fix: 'Remove this route, or set its "entryPath" to the service that needs it, such as "/sap/opu/odata/sap/<service>". Set the destination to PrincipalPropagation.',
        },
        cloud: {
          title: 'Neo route to all OData services of an SAP S/4HANA Cloud system',
          message:
            'The route {path} leads to all paths below {below} of the destination {destination}, an SAP S/4HANA Cloud system whose APIs the app uses ({service}); no "securityConstraints" protect it.',
          why: 'APIs are called as a communication user: if the destination holds it, any user of the app can send any request to every API of its communication arrangements, and read and change data there.',
          fix: 'Set "path" and "entryPath" to the services that the app uses, such as {service}, one route for each, and protect those that change data with "securityConstraints". Set the destination to OAuth2SAMLBearerAssertion.',
        },
        used: {
          title: 'Neo route to more of a back end than the app uses',
          message:
            'The route {path} leads to all paths below {below} of the destination {destination}; the data sources of the app are OData services of it.',
          why: 'If the destination logs on with a technical user, any user of the app can send requests to every service of this back end, and read and change data with the permissions of that user.',
          fix: 'Set "path" and "entryPath" to the service that the app uses, {service}, with the same address in the app; one route for each service. Set the destination to PrincipalPropagation.',
        },
      },
    },
    fr: {
      title: 'Route Neo vers tous les chemins d’un backend avec un utilisateur technique',
      message:
        'La route {path} mène à tous les chemins de la destination {destination}, qui se connecte avec un utilisateur technique : elle n’a pas d’"entryPath", et aucun "securityConstraints" ne la protège.',
      why: 'Tout utilisateur de l’application peut envoyer des requêtes à chaque service de ce backend, et lire ou modifier des données avec les droits de l’utilisateur technique.',
      fix: 'Limitez "entryPath" au service que l’application utilise, par exemple "/sap/opu/odata/sap/<service>", et protégez le chemin par "securityConstraints". Mieux encore : passez la destination à PrincipalPropagation.',
      variants: {
        beside: {
          title: 'Route Neo vers tous les chemins d’un backend',
          message:
            'La route {path} mène à tous les chemins sous {below} de la destination {destination} ; les sources de données de l’application passent par la route {by}.',
          why: 'Si la destination se connecte avec un utilisateur technique, tout utilisateur de l’application peut envoyer des requêtes à chaque service de ce backend, et lire ou modifier des données avec les droits de cet utilisateur.',
          fix: 'Supprimez cette route, ou limitez son "entryPath" au service qui en a besoin, par exemple "/sap/opu/odata/sap/<service>". Passez la destination à PrincipalPropagation.',
        },
        cloud: {
          title: 'Route Neo vers tous les services OData d’un système SAP S/4HANA Cloud',
          message:
            'La route {path} mène à tous les chemins sous {below} de la destination {destination}, un système SAP S/4HANA Cloud dont l’application utilise les API ({service}) ; aucun "securityConstraints" ne la protège.',
          why: 'Les API s’appellent avec un utilisateur de communication : si la destination le contient, tout utilisateur de l’application peut envoyer toute requête à chaque API de ses accords de communication, et y lire ou modifier des données.',
          fix: 'Limitez "path" et "entryPath" aux services utilisés, par exemple {service}, une route par service, et protégez par "securityConstraints" ceux qui modifient des données. Passez la destination à OAuth2SAMLBearerAssertion.',
        },
        used: {
          title: 'Route Neo plus large que ce que l’application utilise',
          message:
            'La route {path} mène à tous les chemins sous {below} de la destination {destination} ; les sources de données de l’application en sont des services OData.',
          why: 'Si la destination se connecte avec un utilisateur technique, tout utilisateur de l’application peut envoyer des requêtes à chaque service de ce backend, et lire ou modifier des données avec les droits de cet utilisateur.',
          fix: 'Limitez "path" et "entryPath" au service que l’application utilise, {service}, avec la même adresse dans l’application ; une route par service. Passez la destination à PrincipalPropagation.',
        },
      },
    },
  }),
})

/** All of a host, and all that its ABAP system answers. */
const ALL = /^\/?$/
const WIDE = /^\/?(?:sap\/?)?$/

/** Data sources of the apps in the folder of a neo-app.json: of their manifest, or of their component in its older form. */
function addressesBeside(file: string, { ui5Apps, step }: Project): readonly string[] {
  step(ui5Apps.length)
  const folder = folderOf(file)
  return ui5Apps.flatMap(({ root, manifest, scripts }) => {
    if (folder !== '' && root !== folder && !isBelow(root, folder)) return []
    const sources = membersOf(at(manifest?.root, 'sap.app', 'dataSources')).flatMap(({ value }) => {
      const uri = stringOf(at(value, 'uri'))
      // a relative one is of the host of the app, too
      return uri === undefined ? [] : /^(?:\/|[a-z]{1,20}:)/i.test(uri) ? uri : `/${uri.replace(/^(?:\.{1,2}\/){1,10}/, '')}`
    })
    return [...sources, ...scripts.get(componentServices).map(({ value }) => value)]
  })
}

/** Whether a route takes requests to an address. */
function isBy({ path }: NeoRoute, address: string): boolean {
  return path.length > 1 && address.startsWith(`${path.replace(/\/$/, '')}/`)
}

/** Services of an ABAP system, and those in a package of SAP HANA XS. Facts: SAP Gateway, `/sap/opu/odata`; SAP HANA Developer Guide (XS classic), "OData Services": the path of an .xsodata file begins with its packages. */
const SERVICE = /^\/(?:sap\/opu\/odata|(?:[\w.-]{1,60}\/){1,10}[\w.-]{1,60}\.xsodata(?:\/|$))/i

/** The service of the whole host that an app asks by a route, by its path on that host. */
function serviceAsked(route: NeoRoute, addresses: readonly string[]): string | undefined {
  const entry = (route.entryPath ?? '').replace(/\/$/, '').replace(/^(?=[^/])/, '/')
  const begin = route.path.replace(/\/$/, '').length
  const asked = addresses.flatMap((one) => (isBy(route, one) ? `${entry}${one.slice(begin)}` : []))
  return asked
    .find((path) => SERVICE.test(path))
    ?.split(/[?#]/, 1)[0]
    ?.replace(/\/$/, '')
}

/** All OData services of an ABAP system. */
const ODATA = /^\/?sap(?:\/opu(?:\/odata(?:\/sap)?)?)?\/?$/

/** Words for SAP S/4HANA Cloud in names: `S4HANA Cloud`, `ERP_S4HC`, `S4H_CLOUD_API`. */
const CLOUD = /(?:^|[^a-z])s\/?4[_\s-]{0,2}h(?:ana)?(?:c(?![a-z])|[_\s-]{0,2}cloud(?![_\s-]{0,2}conn))/i
/** The same system in the network of the customer, whose services are called as whoever the destination says. */
const ON_PREMISE = /cloud[_\s-]{0,2}connector|on[_\s-]{0,2}prem/i

/**
 * An API of SAP S/4HANA Cloud that an app asks by a route. Fact: SAP S/4HANA Cloud, "Communication Management": systems outside call APIs (`API_…`) and custom services in a communication
 * arrangement, as its communication user.
 */
function apiAsked(route: NeoRoute, addresses: readonly string[]): string | undefined {
  return serviceAsked(
    route,
    addresses.filter((one) => /\/API_[A-Z]/.test(one)),
  )
}

/** Packages of SAP HANA XS say for themselves who gets in: that others lie on the same system, and take the user of the destination, is assumed. */
function ofSystem(service: string, variant: 'used' | 'beside'): Pick<Match, 'evidence'> {
  return variant === 'used' && service.endsWith('.xsodata') ? { evidence: 'assumed' } : {}
}

/** Where the route says that the destination hands on the user, who has the rights that the back end gives. */
function ofUser({ description }: NeoRoute, variant: 'used' | 'beside'): Pick<Match, 'impact' | 'evidence'> {
  if (!PROPAGATES.test(description)) return {}
  return variant === 'beside' ? { impact: 'bounded', evidence: 'shown' } : { impact: 'hygiene' }
}

function saysTechnicalUser({ description, destination }: NeoRoute): boolean {
  return SAYS_SO.test(description) || NAMED_SO.test(destination)
}
