import { placeOf, type Route } from '../../model/approuter/index.ts'
import { at } from '../../parse/data.ts'
import { gradeDescriptor } from './_settings.ts'
import { defineRule, type Rule } from '../rule.ts'

/** A descriptor that switches the login off for all its routes, whatever they say, and the CSRF check with it.
 *  Facts: @sap/approuter 23.0.0 README, "authenticationMethod"; the approuter warns that scopes are ignored then. */
export const authenticationNoneGlobal: Rule = defineRule({
  id: 'approuter/authentication-none-global',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [306],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#authenticationmethod-property',
  on: 'approuter',

  *check(approuter) {
    if (approuter.authenticationMethod !== 'none') return
    const node = at(approuter.root, 'authenticationMethod')
    const backend = approuter.routes.find(leadsToBackend)
    yield {
      at: placeOf(approuter.file, node ?? approuter.root),
      args: { source: backend?.source ?? '', target: backend?.target.name ?? '' },
      ...(backend === undefined ? { severity: 'LOW', variant: 'static' } : { severity: gradeDescriptor(approuter, 'CRITICAL') }),
      // generators write the same descriptor into every app of a project
      sameAs: approuter.routes.map(({ source, target }) => `${source} ${target.name}`).join('\n'),
    }
  },

  text: {
    en: {
      title: 'No route asks for a login',
      message:
        '"authenticationMethod" is "none": every route is open to anybody, also those that name a type, and no CSRF token is asked for. The first one, {source}, leads to {target}.',
      why: 'Whoever can reach the approuter calls {target} without a login, and with the rights that its destination has.',
      fix: 'Remove "authenticationMethod": "none" (the default is "route") and write "authenticationType": "none" only in the routes that must be public.',
      variants: {
        static: {
          title: 'Static files are served without a login',
          message: '"authenticationMethod" is "none": nobody is asked for a login. The routes serve static files alone.',
          why: 'Everybody can load these files, and the next route to a backend that somebody adds is open as well.',
        },
      },
    },
    fr: {
      title: 'Aucune route ne demande de connexion',
      message:
        '« authenticationMethod » vaut « none » : chaque route est ouverte à tous, même celles qui indiquent un type, et aucun jeton CSRF n’est exigé. La première, {source}, mène à {target}.',
      why: 'Quiconque atteint l’approuter appelle {target} sans se connecter, avec les droits de sa destination.',
      fix: 'Supprimez « "authenticationMethod": "none" » (la valeur par défaut est « route ») et n’écrivez « "authenticationType": "none" » que dans les routes qui doivent être publiques.',
      variants: {
        static: {
          title: 'Des fichiers statiques sont servis sans connexion',
          message:
            '« authenticationMethod » vaut « none » : personne n’est authentifié. Les routes ne servent que des fichiers statiques.',
          why: 'Tout le monde peut charger ces fichiers, et la prochaine route vers un backend que quelqu’un ajoutera sera ouverte elle aussi.',
        },
      },
    },
  },
})

function leadsToBackend({ target, purpose }: Route): boolean {
  return (target.kind === 'destination' || target.kind === 'service') && (purpose === undefined || purpose === 'management')
}
