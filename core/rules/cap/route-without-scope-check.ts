import { quoteWord } from '../../quote.ts'
import { isDeveloperFile } from '../../model/script/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * A route that changes the row that the client names and looks at nothing but the login, while other routes of the same file check a scope, a role or an owner; one that
 * reads or changes it, while another route of the app gives users their own rows of that table alone.
 * Facts: @sap/xssec 4 (README: a valid token says who calls, `checkLocalScope` what they may do); OWASP API Security Top 10 2023, API1 and API5.
 * Impact: every user changes any row; that the check is missing and not left out on purpose is assumed.
 */
export const routeWithoutScopeCheck: Rule = defineRule({
  id: 'cap/route-without-scope-check',
  impact: 'data',
  reach: 'user',
  evidence: 'assumed',
  confidence: 'medium',
  cwe: [862, 639],
  since: '0.3.0',
  docs: 'https://www.npmjs.com/package/@sap/xssec#usage',
  on: 'flow',
  // of a route without any login that rule says more
  yieldsTo: ['cap/express-route-unauthenticated'],

  *check({ at, sink, part, compared }) {
    if (compared === undefined || isDeveloperFile(at.file)) return
    yield {
      at,
      args: { route: quoteWord(sink), key: part, other: quoteWord(compared.route), check: compared.check },
      ...(compared.isOwner && { variant: 'owner' }),
    }
  },

  text: {
    en: {
      title: 'Missing authorization check on a server route',
      message:
        'The route {route} changes the row that {key} names and checks no scope, role or owner, although {other} does ({check}).',
      why: 'A login only says who calls: every user with a token can change or delete any row by sending its key.',
      fix: 'Check the scope before the handler, as the other route does ({check}), or compare the owner of the row with the user of the request and answer 403 if they differ.',
      variants: {
        owner: {
          title: 'Missing ownership check on a server route',
          message:
            'The route {route} selects rows of {check} by {key} and looks at no user, although {other} limits {check} to the rows of the user.',
          why: 'A login only says who calls: every user can read or change the rows of others by sending their key.',
          fix: 'Add the user to the condition of the query, as {other} does, and answer 404 if no row is found. Or load the row first, compare its owner with the user of the request, and answer 403 if they differ.',
        },
      },
    },
    fr: {
      title: 'Absence de contrôle d’autorisation sur une route de serveur',
      message:
        'La route {route} modifie la ligne que désigne {key} sans vérifier ni scope, ni rôle, ni propriétaire, alors que {other} le fait ({check}).',
      why: 'Une connexion dit seulement qui appelle : tout utilisateur muni d’un jeton peut modifier ou supprimer n’importe quelle ligne en envoyant sa clé.',
      fix: 'Vérifiez le scope avant le gestionnaire, comme le fait l’autre route ({check}), ou comparez le propriétaire de la ligne à l’utilisateur de la requête et répondez 403 s’ils diffèrent.',
      variants: {
        owner: {
          title: 'Absence de contrôle de propriété sur une route de serveur',
          message:
            'La route {route} choisit des lignes de {check} d’après {key} sans tenir compte de l’utilisateur, alors que {other} limite {check} aux lignes de l’utilisateur.',
          why: 'Une connexion dit seulement qui appelle : tout utilisateur peut lire ou modifier les lignes des autres en envoyant leur clé.',
          fix: 'Ajoutez l’utilisateur à la condition de la requête, comme le fait {other}, et répondez 404 si aucune ligne n’est trouvée. Ou lisez d’abord la ligne, comparez son propriétaire à l’utilisateur de la requête et répondez 403 s’ils diffèrent.',
        },
      },
    },
  },
})
