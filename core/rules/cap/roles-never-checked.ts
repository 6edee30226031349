import { accepts, servedServices, type CapElement, type CapRoot, type CapService } from '../../model/cap/index.ts'
import { groupBy } from '../../lists.ts'
import { quoteWord } from '../../quote.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { Project } from '../subjects.ts'
import { anonymousXsjs } from '../../model/reach/index.ts'
import { scopesOfRoutesAlone } from './_callers/approuter-scopes.ts'
import { allGuardedWrites, guardedWrites, registeredWrites } from './_rows/guarded-writes.ts'
import { listElements, listRoles } from './_matches.ts'
import { handedApps } from './_callers/handed-apps.ts'
import { promisedRoles } from './_callers/promised-roles.ts'
import { sentRequests } from './_callers/propagated-tokens.ts'
import { askedScopes } from './_callers/scopes.ts'
import { roleTests } from './_callers/role-tests.ts'
import { roleTalk, unaskedRoles, unaskedServerRoles } from './_callers/unasked-roles.ts'
import { unaskedAuthorities } from './_java/unasked-authorities.ts'

/**
 * Roles that the descriptor of a project defines and that nothing asks for, beside services that all authenticated users may write, or routes that change something
 * behind `passport.authenticate("JWT")` or a login of Spring Security. A scope that a route of the approuter asks for, and the server behind it, which has an address of its own, does not.
 * Facts: SAP BTP, "Application Security Descriptor Configuration Syntax" (a scope has the effect that the application gives it); capire, "Authorization".
 * Impact: every user has the rights of every role. What a route of a server changes its path and method alone tell, unless its script has a database.
 */
export const rolesNeverChecked: Rule = defineRule({
  id: 'cap/roles-never-checked',
  impact: 'data',
  confidence: 'medium',
  cwe: [862],
  since: '0.3.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authorization#requires',
  docsByVariant: {
    spring: 'https://docs.spring.io/spring-security/reference/servlet/authorization/authorize-http-requests.html',
  },
  extracts: [
    roleTalk,
    roleTests,
    askedScopes,
    guardedWrites,
    registeredWrites,
    handedApps,
    promisedRoles,
    sentRequests,
    anonymousXsjs,
  ],
  grades: {
    server: { reach: 'user', evidence: 'assumed' },
    // the other system gets the token of the caller, and asks for rights of its own
    propagated: { reach: 'user', impact: 'bounded' },
    promised: { reach: 'user', evidence: 'assumed' },
    routes: { reach: 'user', evidence: 'assumed' },
    spring: { reach: 'user' },
  },

  checks: {
    *'cap-root'(root, project) {
      const open = servedServices(root).filter(
        (service) => service.access.kind === 'authenticated' && writtenIn(service).length > 0,
      )
      const [first] = open
      const found = first === undefined ? undefined : unaskedRoles(root, project)
      if (first === undefined || found === undefined) return
      for (const service of open)
        yield {
          at: service.place,
          args: {
            services: listElements(open.map(({ name }) => name)),
            entities: listElements(writtenIn(first).map(({ name }) => name)),
            roles: listRoles(found.roles),
            descriptor: found.descriptor,
          },
          exposure: project.reach.ofService(service),
          groupKey: found.descriptor,
        }
    },
    *project(project) {
      yield* promisedAlone(project)
      for (const { at, route, scopes, server } of scopesOfRoutesAlone(project))
        yield { at, variant: 'routes', args: { source: route.source, roles: listRoles(scopes), server }, groupKey: server }
      for (const { at, call, routes, roles, descriptor } of unaskedAuthorities(project))
        yield {
          at,
          variant: 'spring',
          args: { call, routes: listElements(routes), roles: listRoles(roles), descriptor },
          groupKey: descriptor,
        }
      const guarded = allGuardedWrites(project)
      // a service without members serves nobody
      if (guarded.length === 0 || project.capRoots.some(hasServices)) return
      const found = unaskedServerRoles(project)
      if (found === undefined) return
      // one request that goes without it does what it does with rights of the server
      const sent = project.scripts.get(sentRequests)
      const isPropagated = sent.length > 0 && sent.every((one) => one.value.isPropagated)
      for (const { file, value } of guarded)
        yield {
          at: { file, span: value.at },
          variant: isPropagated && !value.hasDatabase ? 'propagated' : 'server',
          ...(value.hasDatabase && { evidence: 'shown' as const }),
          args: { routes: listElements(value.routes), roles: listRoles(found.roles), descriptor: found.descriptor },
          groupKey: found.descriptor,
        } satisfies Match
    },
  },

  text: () => ({
    en: {
      title: 'Roles defined but never checked',
      message:
        '{descriptor} defines {roles:and}, but no annotation, code or route asks for these roles: all authenticated users of {services:and} can write {entities:and}.',
      why: 'The roles have no effect: every user can do what only some should, with a direct request. That a page hides buttons protects nothing.',
      fix: "Annotate the entities with @restrict, for example [{ grant: 'READ', to: '<role>' }, { grant: '*', to: '<role>' }], or the services with @requires: '<role>'. Remove scopes that are not needed from {descriptor}.",
      variants: {
        server: {
          message:
            '{descriptor} defines {roles:and}, but no code or route asks for these roles: behind this check of the token, every authenticated user can call {routes:and}.',
          why: 'The roles have no effect: a valid token only says who calls, so every user can change what only some should, with a direct request.',
          fix: 'Check the scope in each of these routes, for example if (!req.authInfo.checkLocalScope("<role>")) return res.sendStatus(403), or set "scope" on the routes of xs-app.json if only the approuter reaches this server.',
        },
        propagated: {
          message:
            '{descriptor} defines {roles:and}, but no code or route asks for these roles: behind this check of the token, every authenticated user can call {routes:and}.',
          why: 'The roles have no effect. The code forwards the token of the caller, so the other system still checks the permissions of that user; users with these permissions, but without the role, can use the application all the same.',
          fix: 'Check the scope before these routes, for example if (!req.authInfo.checkLocalScope("<role>")) return res.sendStatus(403), or set "scope" on the routes of xs-app.json if only the approuter reaches this server.',
        },
        spring: {
          message:
            '{descriptor} defines {roles:and}, but no rule, annotation or code asks for these roles: {call} lets every authenticated user call {routes:and}.',
          why: 'The roles have no effect: authenticated() only checks that the token is valid, so every user can change what only some should, with a direct request.',
          fix: 'Require an authority before {call}, for example .requestMatchers(HttpMethod.POST, "/**").hasAuthority("<role>"), or annotate the methods with @PreAuthorize("hasAuthority(\'<role>\')") under @EnableMethodSecurity.',
        },
        promised: {
          title: 'Middleware named after a role checks the token alone',
          message: '{name} checks that the token is valid, but no scope or role: every authenticated user can call {routes:and}.',
          why: 'The name promises a role, but a valid token only says who calls: every user can do what only some should, with a direct request.',
          fix: 'Check the scope in this function before next(), for example if (!securityContext.checkLocalScope("<role>")) return res.sendStatus(403).',
        },
        routes: {
          title: 'Scope checked by the approuter alone',
          message:
            'The route "{source}" requires {roles:or}, but the module {server} behind it has a public route of its own, and none of its code checks a scope.',
          why: 'The scope of the route does not apply to requests that reach {server} directly: any valid token of the application is enough, whatever the roles of its user.',
          fix: 'Check the scope in the code of {server} too: if (!req.authInfo.checkLocalScope("<role>")) return res.sendStatus(403), in XSJS $.session.assertAppPrivilege("<role>").',
        },
      },
    },
    fr: {
      title: 'Rôles définis mais jamais vérifiés',
      message:
        '{descriptor} définit {roles:et}, mais aucune annotation, aucun code ni aucune route n’exige ces rôles : tout utilisateur authentifié de {services:et} peut écrire dans {entities:et}.',
      why: 'Les rôles sont sans effet : tout utilisateur peut faire, par une requête directe, ce qui est réservé à certains. Qu’une page masque des boutons ne protège rien.',
      fix: "Annotez les entités avec @restrict, par exemple [{ grant: 'READ', to: '<rôle>' }, { grant: '*', to: '<rôle>' }], ou les services avec @requires: '<rôle>'. Supprimez de {descriptor} les scopes inutiles.",
      variants: {
        server: {
          message:
            '{descriptor} définit {roles:et}, mais aucun code ni aucune route n’exige ces rôles : derrière ce contrôle du jeton, tout utilisateur authentifié peut appeler {routes:et}.',
          why: 'Les rôles sont sans effet : un jeton valide dit seulement qui appelle, et chacun peut modifier, par une requête directe, ce qui est réservé à certains.',
          fix: 'Vérifiez le scope dans chacune de ces routes, par exemple if (!req.authInfo.checkLocalScope("<role>")) return res.sendStatus(403), ou indiquez "scope" sur les routes de xs-app.json si seul l’approuter atteint ce serveur.',
        },
        propagated: {
          message:
            '{descriptor} définit {roles:et}, mais aucun code ni aucune route n’exige ces rôles : derrière ce contrôle du jeton, tout utilisateur authentifié peut appeler {routes:et}.',
          why: 'Les rôles sont sans effet. Le code transmet le jeton de l’appelant : l’autre système vérifie encore les droits de cet utilisateur ; quiconque a ces droits, mais pas le rôle, se sert tout de même de l’application.',
          fix: 'Vérifiez le scope avant ces routes, par exemple if (!req.authInfo.checkLocalScope("<role>")) return res.sendStatus(403), ou indiquez "scope" sur les routes de xs-app.json si seul l’approuter atteint ce serveur.',
        },
        spring: {
          message:
            '{descriptor} définit {roles:et}, mais aucune règle, annotation ni aucun code n’exige ces rôles : {call} laisse tout utilisateur authentifié appeler {routes:et}.',
          why: 'Les rôles sont sans effet : authenticated() vérifie seulement que le jeton est valide, et chacun peut modifier, par une requête directe, ce qui est réservé à certains.',
          fix: 'Exigez une autorité avant {call}, par exemple .requestMatchers(HttpMethod.POST, "/**").hasAuthority("<rôle>"), ou annotez les méthodes avec @PreAuthorize("hasAuthority(\'<rôle>\')") sous @EnableMethodSecurity.',
        },
        promised: {
          title: 'Middleware nommé d’après un rôle qui ne vérifie que le jeton',
          message:
            '{name} vérifie que le jeton est valide, mais ni scope ni rôle : tout utilisateur authentifié peut appeler {routes:et}.',
          why: 'Le nom promet un rôle, mais un jeton valide dit seulement qui appelle : chacun peut faire, par une requête directe, ce qui est réservé à certains.',
          fix: 'Vérifiez le scope dans cette fonction avant next(), par exemple if (!securityContext.checkLocalScope("<role>")) return res.sendStatus(403).',
        },
        routes: {
          title: 'Scope vérifié par le seul approuter',
          message:
            'La route "{source}" exige {roles:ou}, mais le module {server} qu’elle dessert a sa propre route publique, et aucun code de ce module ne vérifie de scope.',
          why: 'Le scope de la route ne s’applique pas aux requêtes qui atteignent {server} directement : tout jeton valide de l’application suffit, quels que soient les rôles de son utilisateur.',
          fix: 'Vérifiez aussi le scope dans le code de {server} : if (!req.authInfo.checkLocalScope("<role>")) return res.sendStatus(403), en XSJS $.session.assertAppPrivilege("<role>").',
        },
      },
    },
  }),
})

function hasServices({ services }: CapRoot): boolean {
  return services.some(({ elements }) => elements.length > 0)
}

/** Functions in front of routes that promise a role by their names alone. */
function* promisedAlone({ scripts, step }: Project): Generator<Match> {
  const found = scripts.get(promisedRoles)
  step(found.length)
  const byName = groupBy(found, ({ value }) => value.name)
  for (const { file, value } of found) {
    if (value.at === undefined) continue
    const behind = byName.get(value.name) ?? []
    const routes = [...new Set(behind.flatMap(({ value: other }) => other.routes))]
    const isShown = behind.some(({ value: other }) => other.isChanging === true)
    const args = { name: quoteWord(value.name), routes: listElements(routes) }
    if (routes.length > 0)
      yield { at: { file, span: value.at }, args, variant: 'promised', ...(isShown && { evidence: 'shown' as const }) }
  }
}

/** The entities that every user of a service may write. */
function writtenIn({ elements }: CapService): readonly CapElement[] {
  return elements.filter(
    (element) =>
      element.access === undefined &&
      element.writable &&
      (['CREATE', 'UPDATE', 'DELETE'] as const).some((event) => accepts(element, event)),
  )
}
