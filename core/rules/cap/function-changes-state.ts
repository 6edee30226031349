import { PSEUDO_ROLES, servedServices, type CapElement, type CapService } from '../../model/cap/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { changingGets } from './_routes/changing-gets.ts'
import { handlerLinks } from './_handlers/handler-links.ts'
import { requestChanges } from './_routes/request-changes.ts'
import { createChangeReader, stateChanges } from './_rows/state-changes.ts'
import { xsGets } from './_xs/writes.ts'

/**
 * An operation that changes data or sends something, declared as a function: clients call it with GET, for which nobody checks a CSRF token.
 * Facts: capire, "Actions & Functions" (functions are called with GET and shall have no side effects); @sap/approuter 23.0.0 README, "csrfProtection"
 * (GET and HEAD need no token); RFC 6265bis, "Lax" (cookies accompany GET of a link on another site).
 * The same of a script of XS classic that writes whatever the method is, and needs no body for it. Fact: SAP HANA Developer Guide for XS classic, "Server-Side JavaScript Security Considerations" (prevent_xsrf).
 * Where nobody logs in, neither at the package or server nor by cookies of the scripts, there is no session to use: the link adds nothing to a direct request.
 * The same of a route of Express whose path names a change.
 * Impact: a link makes the browser of a user do one thing that the user may do, or all of them, where the link holds the statement; without an approuter in the project, that users come with a session is assumed.
 */
export const functionChangesState: Rule = defineRule({
  id: 'cap/function-changes-state',
  impact: 'bounded',
  // a link that anybody can send to a user
  reach: 'anyone',
  grades: {
    // any statement, with all rights of whoever follows the link
    'xs-any': { impact: 'session' },
    // a session is what the link would use; without a login there is none yet
    'xs-open': { impact: 'defence' },
  },
  confidence: 'high',
  cwe: [352],
  since: '0.3.0',
  docs: 'https://cap.cloud.sap/docs/guides/providing-services#actions-functions',
  extracts: [stateChanges, requestChanges, handlerLinks, changingGets, xsGets],
  checks: {
    *'cap-root'(root, { approuters }) {
      if (root.test) return
      const changesOf = createChangeReader(root, stateChanges)
      const requestsOf = createChangeReader(root, requestChanges)
      for (const service of servedServices(root)) {
        for (const element of service.elements) {
          root.step()
          if (element.kind !== 'function' || !isForSessions(service, element)) continue
          const name = element.name.slice(element.name.lastIndexOf('.') + 1)
          if (READS.test(name)) continue
          const [change] = [
            ...changesOf(service, element),
            ...requestsOf(service, element).filter(({ isSure }) => isSure || DEEDS.test(name)),
          ]
          if (change === undefined) continue
          yield {
            at: element.place,
            args: { function: `${service.name}.${element.name}`, name, effect: change.effect, file: change.file },
            ...(approuters.length === 0 && { evidence: 'assumed' as const }),
            groupKey: `${element.place.file} ${service.name}`,
          }
        }
      }
    },

    *project({ files, scripts, approuters, reach, step }): Generator<Match> {
      const ofXs = scripts.get(xsGets)
      const hasOwnSessions = ofXs.some(({ value }) => value.kind === 'cookies')
      for (const { file, value } of ofXs) {
        step()
        if (value.kind === 'cookies' || files.get(file)?.kind.test === true) continue
        const at = { file, span: value.at }
        const { effect, chosen } = value
        const isOpen = chosen === undefined && !hasOwnSessions && reach.at(at).reach === 'anyone'
        yield {
          at,
          variant: chosen !== undefined ? 'xs-any' : isOpen ? 'xs-open' : 'xs',
          args: { effect, file, statement: chosen ?? effect },
        }
      }
      for (const { file, value } of scripts.get(changingGets)) {
        step()
        yield {
          at: { file, span: value.at },
          variant: 'route',
          args: { path: value.path, effect: value.effect },
          // without an approuter, that users come with a session is assumed
          ...(approuters.length === 0 && { evidence: 'assumed' as const }),
          groupKey: `${file} routes`,
        }
      }
    },
  },

  text: () => ({
    en: {
      title: 'State-changing operation declared as a function',
      message:
        'Clients call the function {function} with GET, but its handler changes data or triggers something: {effect} ({file}).',
      why: 'CSRF tokens are checked for POST, PUT, PATCH and DELETE only, and session cookies accompany links from other sites: a link is enough to start the operation in the session of a signed-in user.',
      fix: 'Declare it as action {name} instead of function {name} in the CDS model, so that clients have to call it with POST and the CSRF token.',
      variants: {
        route: {
          title: 'State-changing server route accepts GET',
          message: 'The route GET {path} changes data: {effect}.',
          why: 'CSRF tokens are checked for POST, PUT, PATCH and DELETE only, and session cookies accompany links from other sites: a link is enough to change data in the session of a signed-in user.',
          fix: 'Register the route with post, put, patch or delete instead of get, and let the page send that method with the CSRF token of the approuter.',
        },
        xs: {
          title: 'State-changing XSJS script accepts GET',
          message: 'The script {file} writes for parameters of the request ({effect}) and never looks at $.request.method.',
          why: 'CSRF tokens are checked for POST, PUT and DELETE only, and session cookies accompany links from other sites: a link is enough to change data in the session of a signed-in user.',
          fix: 'Refuse other methods before anything is written: if ($.request.method !== $.net.http.POST) { $.response.status = 405; } else { … }. Let the page send POST with the CSRF token.',
        },
        'xs-open': {
          title: 'State-changing XSJS script accepts GET',
          message:
            'The script {file} writes for parameters of the request ({effect}) and never looks at $.request.method; no login is required for it.',
          why: 'Crawlers, previews of links and caches request addresses with GET and so change data; once users log in, a link on another site is enough to change data in their session.',
          fix: 'Refuse other methods before anything is written: if ($.request.method !== $.net.http.POST) { $.response.status = 405; } else { … }. Let the page send POST with the CSRF token.',
        },
        'xs-any': {
          title: 'XSJS script runs SQL of the request for GET',
          message:
            'The script {file} runs a statement that the request names ({statement}), writes by it, and never looks at $.request.method.',
          why: 'Session cookies accompany links from other sites, and GET needs no CSRF token: one link runs any SQL of an attacker, such as DELETE or GRANT, with the permissions of the user who follows it.',
          fix: 'Write the statements in the script, with placeholders for values, and refuse other methods first: if ($.request.method !== $.net.http.POST) { $.response.status = 405; } else { … }.',
        },
      },
    },
    fr: {
      title: 'Opération qui modifie des données déclarée comme fonction',
      message:
        'Les clients appellent la fonction {function} par GET, alors que son gestionnaire modifie des données ou déclenche un traitement : {effect} ({file}).',
      why: 'Les jetons CSRF ne sont vérifiés que pour POST, PUT, PATCH et DELETE, et les cookies de session accompagnent les liens d’autres sites : un lien suffit pour lancer l’opération dans la session d’un utilisateur connecté.',
      fix: 'Remplacez function {name} par action {name} dans le modèle CDS : les clients doivent alors l’appeler par POST, avec le jeton CSRF.',
      variants: {
        route: {
          title: 'Route de serveur qui modifie des données par GET',
          message: 'La route GET {path} modifie des données : {effect}.',
          why: 'Les jetons CSRF ne sont vérifiés que pour POST, PUT, PATCH et DELETE, et les cookies de session accompagnent les liens d’autres sites : un lien suffit pour modifier des données dans la session d’un utilisateur connecté.',
          fix: 'Déclarez la route avec post, put, patch ou delete au lieu de get ; la page doit envoyer cette méthode avec le jeton CSRF de l’approuter.',
        },
        xs: {
          title: 'Script XSJS qui modifie des données par GET',
          message:
            'Le script {file} écrit d’après des paramètres de la requête ({effect}) sans jamais examiner $.request.method.',
          why: 'Les jetons CSRF ne sont vérifiés que pour POST, PUT et DELETE, et les cookies de session accompagnent les liens d’autres sites : un lien suffit pour modifier des données dans la session d’un utilisateur connecté.',
          fix: 'Refusez les autres méthodes avant toute écriture : if ($.request.method !== $.net.http.POST) { $.response.status = 405; } else { … }. La page doit envoyer POST avec le jeton CSRF.',
        },
        'xs-open': {
          title: 'Script XSJS qui modifie des données par GET',
          message:
            'Le script {file} écrit d’après des paramètres de la requête ({effect}) sans jamais examiner $.request.method ; aucune connexion n’est exigée.',
          why: 'Robots, aperçus de liens et caches appellent les adresses par GET et modifient ainsi des données ; dès que des utilisateurs se connectent, un lien d’un autre site suffit pour en modifier dans leur session.',
          fix: 'Refusez les autres méthodes avant toute écriture : if ($.request.method !== $.net.http.POST) { $.response.status = 405; } else { … }. La page doit envoyer POST avec le jeton CSRF.',
        },
        'xs-any': {
          title: 'Script XSJS qui exécute par GET le SQL de la requête',
          message:
            'Le script {file} exécute une instruction que nomme la requête ({statement}), écrit par elle, et n’examine jamais $.request.method.',
          why: 'Les cookies de session accompagnent les liens d’autres sites, et GET ne demande aucun jeton CSRF : un lien exécute n’importe quel SQL d’un attaquant, par exemple DELETE ou GRANT, avec les droits de l’utilisateur qui le suit.',
          fix: 'Écrivez les instructions dans le script, avec des paramètres pour les valeurs, et refusez d’abord les autres méthodes : if ($.request.method !== $.net.http.POST) { $.response.status = 405; } else { … }.',
        },
      },
    },
  }),
})

/** What reads by its name fills a cache or a copy at most. */
const READS =
  /^(?:get|read|fetch|find|list|search|count|is|has|can|check|preview|export|download|show|load|calculate|validate|simulate|ping|hello)(?=[A-Z_]|$)/

/** Names of what is done, not asked for: of a POST nothing else tells whether it only reads. */
const DEEDS =
  /^(?:create|post|send|submit|save|add|insert|update|upsert|change|set|write|delete|remove|cancel|approve|reject|release|confirm|book|order|trigger|start|stop|execute|transfer|upload|import|notify|assign|close|complete|publish|register|activate|deactivate|reset)(?=[A-Z_]|$)/

/** Users come with a session: not where everybody may call it anyway, and not where machines alone may. */
function isForSessions({ access: ofService }: CapService, { access = ofService }: CapElement): boolean {
  if (access.kind === 'none' || access.kind === 'public' || access.kind === 'default-public') return false
  return access.kind !== 'roles' || access.roles.some((role) => !PSEUDO_ROLES.has(role))
}
