import { defineRule, type Rule } from '../rule.ts'

const ADMINISTRATION = /[/^(|](?:admin|administration|manage|management|internal|maintenance)(?:[/\\(.$]|$)/i

/** A route to an administration path that every authenticated user may call. Where the backend is a CAP project of the same upload, it
 *  says itself who may call it, and its own rules judge that.
 *  Facts: @sap/approuter 23.0.0 README, "scope".
 *  Impact: users without a role for it reach functions for administrators; the name of the path alone says that it is one, and the backend decides. */
export const routeNoScope: Rule = defineRule({
  id: 'approuter/route-no-scope',
  impact: 'data',
  reach: 'user',
  evidence: 'guessed',
  confidence: 'medium',
  cwe: [862],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#routes',
  on: 'approuter',

  *check(approuter, project) {
    if (project.capRoots.some(({ test }) => !test)) return
    for (const { source, target, authenticates, scopes, sourcePlace, purpose } of approuter.routes) {
      if (!authenticates || scopes !== undefined || purpose !== undefined || !ADMINISTRATION.test(source)) continue
      if (target.kind === 'destination' || target.kind === 'service')
        yield { at: sourcePlace, args: { source, target: target.name }, groupKey: `${source} ${target.name}` }
    }
  },

  text: {
    en: {
      title: 'Missing scope on an administration route',
      message:
        'Route "{source}" forwards requests from any authenticated user to the backend {target}; its path suggests administrative functions, but the route sets no "scope".',
      why: 'Any authenticated user can call administrative functions of the backend {target}, unless it checks authorizations itself.',
      fix: 'Add "scope": "$XSAPPNAME.Admin" to the route in xs-app.json, declare this scope and a role template for it in xs-security.json, and assign the role to the administrators.',
    },
    fr: {
      title: 'Scope absent sur une route d’administration',
      message:
        'La route "{source}" transmet au backend {target} les requêtes de tout utilisateur authentifié ; son chemin évoque l’administration, mais cette route ne définit pas de "scope".',
      why: 'Tout utilisateur authentifié peut appeler des fonctions d’administration du backend {target}, sauf si celui-ci vérifie lui-même les autorisations.',
      fix: 'Ajoutez "scope": "$XSAPPNAME.Admin" à la route dans xs-app.json, déclarez ce scope et un modèle de rôle associé ("role-templates") dans xs-security.json, et attribuez le rôle aux administrateurs.',
    },
  },
})
