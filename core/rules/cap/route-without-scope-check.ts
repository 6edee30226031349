import { quoteWord } from '../../quote.ts'
import { isDeveloperFile } from '../../model/script/index.ts'
import type { Localized } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { personsOfTable } from './_rows/person-rows.ts'
import { unknownCallerExtracts, unknownCallers } from './_rows/unknown-callers.ts'

const OWNER_TITLE: Localized<string> = {
  en: 'Missing ownership check on a server route',
  fr: 'Absence de contrôle de propriété sur une route de serveur',
}

const OWNER_FIX: Localized<string> = {
  en: 'Add the user to the condition of the query, as {other} does, and answer 404 if no row is found. Or load the row first, compare its owner with the user of the request, and answer 403 if they differ.',
  fr: 'Ajoutez l’utilisateur à la condition de la requête, comme le fait {other}, et répondez 404 si aucune ligne n’est trouvée. Ou lisez d’abord la ligne, comparez son propriétaire à l’utilisateur de la requête et répondez 403 s’ils diffèrent.',
}

const RELATED_FIX: Localized<string> = {
  en: 'Load the row first, compare its {other} with the user whom the login has put on the request (req.user), and answer 403 if they differ. Or check the role of those who may change the rows of others.',
  fr: 'Lisez d’abord la ligne, comparez son {other} à l’utilisateur que la connexion a placé sur la requête (req.user) et répondez 403 s’ils diffèrent. Ou vérifiez le rôle de ceux qui peuvent modifier les lignes des autres.',
}

const NAMED_FIX: Localized<string> = {
  en: 'Use the ID of the user whom the login has put on the request (req.user.id) instead of {key}. If some callers may act for others, check their role first and answer 403 otherwise.',
  fr: 'Utilisez l’identifiant de l’utilisateur que la connexion a placé sur la requête (req.user.id) au lieu de {key}. Si certains appelants peuvent agir pour d’autres, vérifiez d’abord leur rôle et répondez 403 sinon.',
}

const PARTY_FIX: Localized<string> = {
  en: 'Keep the party of each account with it and in its token, compare {other} of the row with it (req.user.{other}) unless the caller has another role, and answer 403 if they differ.',
  fr: 'Gardez la partie de chaque compte dans celui-ci et dans son jeton, comparez-la au {other} de la ligne (req.user.{other}) sauf si l’appelant a un autre rôle, et répondez 403 s’ils diffèrent.',
}

const ROLE_WHY: Localized<string> = {
  en: 'The role says what its holders may do, not with whose rows: each of them can change the rows of the others by sending their key.',
  fr: 'Le rôle dit ce que ses titulaires peuvent faire, non avec les lignes de qui : chacun peut modifier celles des autres en envoyant leur clé.',
}

/**
 * A route that changes the row that the client names and looks at nothing but the login, while other routes of the same file check a scope, a role or an owner; one that
 * reads or changes it, while another route of the app gives users their own rows of that table alone, or while the model leads from the row to a user. One for the user
 * whom its path names, behind a middleware that knows who calls. Any change by the client's key, where the login of the project keeps nothing of the token.
 * One by which each party from outside reaches rows of the others, where a column refers to the party whose role a check names, `vendorId` and `Vendor`.
 * Facts: @sap/xssec 4 (README: a valid token says who calls, `checkLocalScope` what they may do); OWASP API Security Top 10 2023, API1 and API5.
 * Impact: every user changes any row; that the check is missing and not left out on purpose is assumed, unless another route refuses whoever does not own the row, or gives
 * the same callers their own rows alone: all of them, or all but those of the role that both refuse. Whoever is written into the row may take one that waits for somebody.
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
  extracts: unknownCallerExtracts,
  // of a route without any login that rule says more
  yieldsTo: ['cap/express-route-unauthenticated'],

  checks: {
    *flow({ at, sink, part, compared }, { capRoots }) {
      if (compared === undefined || isDeveloperFile(at.file)) return
      const { route, check, owner } = compared
      const args = {
        route: quoteWord(sink),
        key: part,
        other: quoteWord(route),
        check,
        role: quoteWord(owner?.refused ?? owner?.role ?? ''),
      }
      if (owner?.own === 'related') {
        const person = capRoots.flatMap((root) => (root.test ? [] : personsOfTable(check, root)))[0]
        if (person !== undefined) yield { at, args: { ...args, other: person }, variant: 'related' }
        return
      }
      if (owner?.own === 'named') {
        const variant = owner.isAdded ? 'namedAdd' : owner.isChanged ? 'namedChange' : 'named'
        yield { at, args, variant }
        return
      }
      if (owner?.own === 'listed') return yield { at, args, variant: 'lists' }
      if (owner?.own === 'party') {
        const variant = owner.isAdded ? 'partyAdds' : owner.isChanged ? 'party' : 'partyLists'
        yield { at, args, variant, ...(owner.isListed !== true && { evidence: 'shown' }) }
        return
      }
      if (owner?.refused !== undefined) return yield { at, args, variant: 'refusedRole', evidence: 'shown' }
      if (owner === undefined) return yield { at, args }
      const own = owner.own === 'written' ? 'made' : owner.isChanged ? 'ownerChange' : 'owner'
      const isOfAll = owner.role === undefined
      // the callers whom the other route gives their own rows alone change any here
      const isShown =
        owner.own === 'compared' || (isOfAll && owner.isChanged && owner.isTaken !== true && owner.isListed !== true)
      yield { at, args, ...(isShown && { evidence: 'shown' }), variant: isOfAll ? own : `${own.replace('Change', '')}Role` }
    },

    project: (project) => unknownCallers(project),
  },

  text: () => ({
    en: {
      title: 'Missing authorization check on a server route',
      message:
        'The route {route} changes the row that {key} names and checks no scope, role or owner, although {other} does ({check}).',
      why: 'A login only says who calls: every user with a token can change or delete any row by sending its key.',
      fix: 'Check the scope before the handler, as the other route does ({check}), or compare the owner of the row with the user of the request and answer 403 if they differ.',
      variants: {
        owner: {
          title: OWNER_TITLE.en,
          message:
            'The route {route} selects rows of {check} by {key} and looks at no user, although {other} limits {check} to the rows of the user.',
          why: 'A login only says who calls: every user can read or change the rows of others by sending their key.',
          fix: OWNER_FIX.en,
        },
        ownerChange: {
          title: OWNER_TITLE.en,
          message:
            'The route {route} changes rows of {check} by {key} and looks at no user, although {other} limits {check} to the rows of the user.',
          why: 'A login only says who calls: every user can change the rows of others by sending their key.',
          fix: OWNER_FIX.en,
        },
        ownerRole: {
          title: OWNER_TITLE.en,
          message:
            'The route {route} changes rows of {check} by {key} for every caller with the role {role}, although {other} limits {check} to the rows of the user.',
          why: ROLE_WHY.en,
          fix: OWNER_FIX.en,
        },
        refusedRole: {
          title: OWNER_TITLE.en,
          message:
            'The route {route} changes rows of {check} by {key} for every caller without the role {role}, although {other} limits {check} to the rows of the user.',
          why: ROLE_WHY.en,
          fix: OWNER_FIX.en,
        },
        related: {
          title: OWNER_TITLE.en,
          message:
            'The route {route} changes the row of {check} that {key} names and looks at no user, although {other} of the entity tells which user the row belongs to.',
          why: 'A login only says who calls: every user can change the rows of others by sending their key.',
          fix: RELATED_FIX.en,
        },
        named: {
          title: OWNER_TITLE.en,
          message:
            'The route {route} reads rows of {check} for the user that {key} names, and does not compare that user with the caller.',
          why: 'A login only says who calls: every user can read the data of another one by putting that ID into the path.',
          fix: NAMED_FIX.en,
        },
        namedChange: {
          title: OWNER_TITLE.en,
          message:
            'The route {route} changes rows of {check} for the user that {key} names, and does not compare that user with the caller.',
          why: 'A login only says who calls: every user can change the data of another one by putting that ID into the path.',
          fix: NAMED_FIX.en,
        },
        namedAdd: {
          title: OWNER_TITLE.en,
          message:
            'The route {route} adds a row of {check} for the user that {key} names, and does not compare that user with the caller.',
          why: 'A login only says who calls: every user can enter data for another one, in that name, by putting that ID into the path.',
          fix: NAMED_FIX.en,
        },
        unknownChanges: {
          title: OWNER_TITLE.en,
          message:
            'This statement changes or deletes the row of {check} that {key} names for every caller: the login in {other} verifies the token and keeps nothing of it, so no route knows who calls.',
          why: 'A valid token is all that is checked: every user can change or delete the rows of others by sending their key.',
          fix: 'Keep the verified payload in {other}, req.user = jwt.verify(token, key), and compare the owner of the row with req.user here, or check the role of req.user. Answer 403 otherwise.',
        },
        unknownReads: {
          title: 'Personal data of all rows for any user',
          message:
            'This response contains all rows of {check}, with personal data, for every caller: the login in {other} verifies the token and keeps nothing of it, so no route knows who calls.',
          why: 'A valid token is all that is checked: every user can read the personal data of all others.',
          fix: 'Keep the verified payload in {other}, req.user = jwt.verify(token, key), and check here the role of req.user, or limit the query to the rows of this user.',
        },
        party: {
          title: OWNER_TITLE.en,
          message:
            'The route {route} changes rows of {check} by {key} for every caller with the role {role}, although each row belongs to one party with this role ({other}).',
          why: ROLE_WHY.en,
          fix: PARTY_FIX.en,
        },
        partyAdds: {
          title: OWNER_TITLE.en,
          message:
            'The route {route} adds a row to {check} for the row that {key} names, for every caller with the role {role}, although each row belongs to one party with this role ({other}).',
          why: 'The role says what its holders may do, not with whose rows: each of them can send the key of a row of another party and add data to it.',
          fix: PARTY_FIX.en,
        },
        lists: {
          title: 'All rows for every user with a login',
          message:
            'The route {route} returns all rows of {check} to every user with a login, although {other} limits {check} to the rows of the user.',
          why: 'A login only says who calls: every user can read the rows of all the others.',
          fix: 'Add the user of the request to the condition of the query, as {other} does. Or check in front of the handler the role of those who may read all rows, and answer 403 to others.',
        },
        partyLists: {
          title: 'All rows for every user with a login',
          message:
            'The route {route} returns all rows of {check} to every user with a login, although each row belongs to one party ({other}) and users with the role {role} log in too.',
          why: 'A login only says who calls: each party can read the data of all the others. Other routes of the router check a role.',
          fix: 'Check the role in front of the handler, as the other routes do. For callers with the role {role}, keep their party with the account and add it to the condition of the query ({other}).',
        },
        madeRole: {
          title: OWNER_TITLE.en,
          message:
            'The route {route} changes rows of {check} by {key} for every caller with the role {role}, although {other} stores which user each of them belongs to.',
          why: ROLE_WHY.en,
          fix: 'Unless the caller is an administrator, compare the user whom the row names with the user of the request, and answer 403 if they differ. Leave that column out of what this route writes.',
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
          title: OWNER_TITLE.fr,
          message:
            'La route {route} choisit des lignes de {check} d’après {key} sans tenir compte de l’utilisateur, alors que {other} limite {check} aux lignes de l’utilisateur.',
          why: 'Une connexion dit seulement qui appelle : tout utilisateur peut lire ou modifier les lignes des autres en envoyant leur clé.',
          fix: OWNER_FIX.fr,
        },
        ownerChange: {
          title: OWNER_TITLE.fr,
          message:
            'La route {route} modifie des lignes de {check} d’après {key} sans tenir compte de l’utilisateur, alors que {other} limite {check} aux lignes de l’utilisateur.',
          why: 'Une connexion dit seulement qui appelle : tout utilisateur peut modifier les lignes des autres en envoyant leur clé.',
          fix: OWNER_FIX.fr,
        },
        ownerRole: {
          title: OWNER_TITLE.fr,
          message:
            'La route {route} modifie des lignes de {check} d’après {key} pour tout appelant du rôle {role}, alors que {other} limite {check} aux lignes de l’utilisateur.',
          why: ROLE_WHY.fr,
          fix: OWNER_FIX.fr,
        },
        refusedRole: {
          title: OWNER_TITLE.fr,
          message:
            'La route {route} modifie des lignes de {check} d’après {key} pour tout appelant sans le rôle {role}, alors que {other} limite {check} aux lignes de l’utilisateur.',
          why: ROLE_WHY.fr,
          fix: OWNER_FIX.fr,
        },
        related: {
          title: OWNER_TITLE.fr,
          message:
            'La route {route} modifie la ligne de {check} que désigne {key} sans tenir compte de l’utilisateur, alors que {other} de l’entité dit à quel utilisateur elle appartient.',
          why: 'Une connexion dit seulement qui appelle : tout utilisateur peut modifier les lignes des autres en envoyant leur clé.',
          fix: RELATED_FIX.fr,
        },
        named: {
          title: OWNER_TITLE.fr,
          message:
            'La route {route} lit des lignes de {check} pour l’utilisateur que désigne {key}, sans le comparer à l’appelant.',
          why: 'Une connexion dit seulement qui appelle : tout utilisateur peut lire les données d’un autre en mettant son identifiant dans le chemin.',
          fix: NAMED_FIX.fr,
        },
        namedChange: {
          title: OWNER_TITLE.fr,
          message:
            'La route {route} modifie des lignes de {check} pour l’utilisateur que désigne {key}, sans le comparer à l’appelant.',
          why: 'Une connexion dit seulement qui appelle : tout utilisateur peut modifier les données d’un autre en mettant son identifiant dans le chemin.',
          fix: NAMED_FIX.fr,
        },
        namedAdd: {
          title: OWNER_TITLE.fr,
          message:
            'La route {route} ajoute une ligne de {check} pour l’utilisateur que désigne {key}, sans le comparer à l’appelant.',
          why: 'Une connexion dit seulement qui appelle : tout utilisateur peut saisir des données au nom d’un autre en mettant son identifiant dans le chemin.',
          fix: NAMED_FIX.fr,
        },
        unknownChanges: {
          title: OWNER_TITLE.fr,
          message:
            'Cette instruction modifie ou supprime la ligne de {check} que désigne {key} pour tout appelant : la connexion dans {other} vérifie le jeton sans rien en garder, et aucune route ne sait qui appelle.',
          why: 'Seul un jeton valide est exigé : tout utilisateur peut modifier ou supprimer les lignes des autres en envoyant leur clé.',
          fix: 'Gardez le contenu vérifié dans {other}, req.user = jwt.verify(token, key), puis comparez ici le propriétaire de la ligne à req.user, ou vérifiez le rôle de req.user. Répondez 403 sinon.',
        },
        unknownReads: {
          title: 'Données personnelles de toutes les lignes pour tout utilisateur',
          message:
            'Cette réponse contient toutes les lignes de {check}, avec des données personnelles, pour tout appelant : la connexion dans {other} vérifie le jeton sans rien en garder, et aucune route ne sait qui appelle.',
          why: 'Seul un jeton valide est exigé : tout utilisateur peut lire les données personnelles de tous les autres.',
          fix: 'Gardez le contenu vérifié dans {other}, req.user = jwt.verify(token, key), et vérifiez ici le rôle de req.user, ou limitez la requête aux lignes de cet utilisateur.',
        },
        party: {
          title: OWNER_TITLE.fr,
          message:
            'La route {route} modifie des lignes de {check} d’après {key} pour tout appelant du rôle {role}, alors que chaque ligne appartient à une seule partie de ce rôle ({other}).',
          why: ROLE_WHY.fr,
          fix: PARTY_FIX.fr,
        },
        partyAdds: {
          title: OWNER_TITLE.fr,
          message:
            'La route {route} ajoute une ligne à {check} pour celle que désigne {key}, pour tout appelant du rôle {role}, alors que chaque ligne appartient à une seule partie de ce rôle ({other}).',
          why: 'Le rôle dit ce que ses titulaires peuvent faire, non avec les lignes de qui : chacun peut envoyer la clé d’une ligne d’une autre partie et y ajouter des données.',
          fix: PARTY_FIX.fr,
        },
        lists: {
          title: 'Toutes les lignes pour tout utilisateur connecté',
          message:
            'La route {route} renvoie toutes les lignes de {check} à tout utilisateur connecté, alors que {other} limite {check} aux lignes de l’utilisateur.',
          why: 'Une connexion dit seulement qui appelle : tout utilisateur peut lire les lignes de tous les autres.',
          fix: 'Ajoutez l’utilisateur de la requête à la condition de la lecture, comme le fait {other}. Ou vérifiez avant le gestionnaire le rôle de ceux qui peuvent lire toutes les lignes, et répondez 403 aux autres.',
        },
        partyLists: {
          title: 'Toutes les lignes pour tout utilisateur connecté',
          message:
            'La route {route} renvoie toutes les lignes de {check} à tout utilisateur connecté, alors que chacune appartient à une seule partie ({other}) et que des utilisateurs du rôle {role} se connectent aussi.',
          why: 'Une connexion dit seulement qui appelle : chaque partie peut lire les données de toutes les autres. D’autres routes du routeur vérifient un rôle.',
          fix: 'Vérifiez le rôle avant le gestionnaire, comme le font les autres routes. Pour les appelants du rôle {role}, gardez leur partie dans le compte et ajoutez-la à la condition de la requête ({other}).',
        },
        madeRole: {
          title: OWNER_TITLE.fr,
          message:
            'La route {route} modifie des lignes de {check} d’après {key} pour tout appelant du rôle {role}, alors que {other} enregistre à quel utilisateur chacune appartient.',
          why: ROLE_WHY.fr,
          fix: 'Sauf pour un administrateur, comparez l’utilisateur que la ligne désigne à celui de la requête et répondez 403 s’ils diffèrent. N’incluez pas cette colonne dans ce que la route écrit.',
        },
      },
    },
  }),
})
