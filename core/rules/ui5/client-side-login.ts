import { requiresLogin } from '../../model/approuter/index.ts'
import { isDeveloperFile, isOfUi5App, isToolFile, PASSWORD_KEYWORDS } from '../../model/script/index.ts'
import { folderOf } from '../../paths.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { addressLogins } from './_address-logins.ts'
import { createMethodLookup } from './_app-methods.ts'
import { bodyWrappers } from './_body-wrappers.ts'
import { chosenPasswords } from './_chosen-passwords.ts'
import { codeSteps } from './_code-steps.ts'
import { authorizationHeaders } from './_fixed-headers.ts'
import { ignoredPasswords } from './_ignored-passwords.ts'
import { loginDecisions, loginDecisionsIn, mayDecideLogin, type LoginDecision } from './_login-comparisons.ts'
import { keptGrade, loginGrade, openGrade, OWN_DATA, senderGrade } from './_login-grades.ts'
import { namelessLogins } from './_nameless-logins.ts'
import { pageCodes } from './_page-codes.ts'
import { pageResets } from './_page-resets.ts'
import { requestSenders } from './_request-senders.ts'
import { appAround } from './_row-writers.ts'
import { askingScripts, quietOpenings, uncheckedLogins } from './_unchecked-logins.ts'

/**
 * A page compares the password that the user enters with one that it has got itself: of an account that a service sent, of a list, a model or the
 * storage of its own, or one that is written in its code. Or it asks for a password and opens the next page whatever was entered, or for whatever user a service has,
 * or takes its user from the address.
 * Facts: OWASP Authentication Cheat Sheet; CWE-603, "Use of Client-Side Authentication": the client decides, and it has what it compares with.
 * Impact: the passwords of the accounts are in the browser, and where the request for them names a host and carries no credential, anyone gets them. What the accounts open besides is not in the page. Accounts that the same
 * user has entered into the storage of the browser are that user's own. Where the descriptors of the project ask for no login, anyone becomes the user whose name is entered. Where an OData request asks about the password and the
 * page alone goes on, later requests carry nothing of that login; whether the services ask for another one is not in the page, unless all requests have the same user of the code, or none. Where it filters a table of accounts by the password, that can be asked for each letter of it.
 */
export const clientSideLogin: Rule = defineRule({
  id: 'ui5/client-side-login',
  impact: 'takeover',
  reach: 'user',
  confidence: 'medium',
  cwe: [603, 522],
  since: '0.2.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/Authentication_Cheat_Sheet.html',
  keywords: PASSWORD_KEYWORDS,
  prefilter: mayDecideLogin,
  grades: {
    open: { impact: 'takeover', reach: 'anyone', evidence: 'shown' },
    list: { impact: 'takeover', reach: 'user', evidence: 'assumed' },
    code: { impact: 'takeover', reach: 'user', evidence: 'assumed' },
    answered: { impact: 'data', reach: 'user', evidence: 'assumed' },
    queried: { impact: 'takeover', reach: 'user', evidence: 'shown' },
    unchecked: { impact: 'data', reach: 'user', evidence: 'assumed' },
    // no service whose data it would open
    sketch: { impact: 'defence', reach: 'user', evidence: 'shown' },
    ignored: { impact: 'data', reach: 'user', evidence: 'assumed' },
    unread: { impact: 'data', reach: 'user', evidence: 'assumed' },
    nameless: { impact: 'data', reach: 'user', evidence: 'assumed' },
    address: { impact: 'data', reach: 'user', evidence: 'assumed' },
    addressFixed: { impact: 'data', reach: 'user', evidence: 'assumed' },
    reset: { impact: 'takeover', reach: 'anyone', evidence: 'assumed' },
    chosen: { impact: 'takeover', reach: 'user', evidence: 'shown' },
    step: { impact: 'data', reach: 'user', evidence: 'assumed' },
    drawn: { impact: 'data', reach: 'user', evidence: 'assumed' },
  },
  extracts: [
    chosenPasswords,
    ignoredPasswords,
    addressLogins,
    authorizationHeaders,
    quietOpenings,
    askingScripts,
    pageResets,
    bodyWrappers,
    namelessLogins,
    codeSteps,
    pageCodes,
    loginDecisions,
    requestSenders,
  ],

  checks: {
    *'browser-script'({ path, text, content: { facts }, budget }): Generator<Match> {
      // what stands behind those of an app, the app tells
      if (isOfUi5App(path)) return
      for (const one of loginDecisionsIn(facts, text, (count) => budget.step(count))) yield decisionMatch(path, one)
    },
    *project({ scripts, ui5Apps, once }): Generator<Match> {
      const found = scripts.get(ignoredPasswords).filter(({ file }) => !isDeveloperFile(file) && !isToolFile(file))
      for (const { file, value } of found)
        yield {
          at: { file, span: value.at },
          args: { name: value.name },
          variant: value.isUnread ? 'unread' : 'ignored',
          ...loginGrade(appAround(file, ui5Apps), file, once),
        }
      for (const decision of scripts.get(loginDecisions)) {
        const { file, value } = decision
        const { variant } = value
        const app = appAround(file, ui5Apps)
        yield {
          ...decisionMatch(file, value),
          ...(variant === 'answered' && loginGrade(app, file, once)),
          ...(variant === 'queried' && openGrade(app?.root ?? folderOf(file), once)),
          ...((variant === 'code' || variant === 'list') && keptGrade(app, decision, once)),
        }
      }
    },
    *'ui5-app'(app, { approuters, capRoots, once }): Generator<Match> {
      // asked where something is found: most apps have no login of their own
      const grade = () => loginGrade(app, '', once)
      // the account that is chosen behind that of the approuter is the one that requests name
      for (const { file, value } of app.scripts.get(namelessLogins))
        yield {
          at: { file, span: value.at },
          args: { name: value.field },
          variant: 'nameless',
          groupKey: `${app.root} nameless`,
          ...grade(),
        }
      // the approuter asks for a login in front of the services: that of the page is decoration
      if (requiresLogin(approuters)) return
      for (const { file, value } of app.scripts.get(addressLogins)) {
        const { at: span, field, parameter } = value
        const headers = app.scripts.get(authorizationHeaders)
        // all requests have the same user, so that the services cannot ask for another login
        const isFixed = headers.length > 0 && headers.every((header) => header.value === 'fixed')
        const opened = grade()
        yield {
          at: { file, span },
          args: { name: field, parameter },
          variant: isFixed ? 'addressFixed' : 'address',
          ...opened,
          ...(isFixed && opened.reach === 'anyone' && { evidence: 'shown' as const }),
        }
      }
      for (const { at, view, handler, isSketch } of uncheckedLogins(app))
        yield {
          at,
          args: { view, handler },
          ...(isSketch ? { variant: 'sketch' } : { variant: 'unchecked', ...senderGrade(app) }),
        }
      for (const { file, value } of app.scripts.get(pageCodes))
        yield { at: { file, span: value.at }, args: { name: value.name }, variant: 'drawn', groupKey: `${file} drawn` }
      const sentBy = createMethodLookup(app.scripts.get(bodyWrappers))
      for (const { file, value } of app.scripts.get(pageResets)) {
        if (value.by !== undefined && sentBy(file, value.by) === undefined) continue
        yield { at: { file, span: value.at }, args: { name: value.field }, variant: 'reset' }
      }
      for (const { file, value } of app.scripts.get(chosenPasswords))
        yield { at: { file, span: value.at }, args: { name: value.field }, variant: 'chosen', ...openGrade(app.root, once) }
      // handlers of the project may remember that the code was right
      if (capRoots.some(({ test, services }) => !test && services.length > 0)) return
      for (const { file, value } of app.scripts.get(codeSteps)) {
        const { at: span, field, checkedBy, writtenBy } = value
        if ([checkedBy, writtenBy].some((by) => by !== undefined && sentBy(file, by) === undefined)) continue
        yield { at: { file, span }, args: { name: field }, variant: 'step' }
      }
    },
  },

  text: () => ({
    en: {
      title: 'Login decided in the browser',
      message: 'The page compares the entered password with "{name}" of an account that a service sent to it.',
      why: 'Any caller of this service can read the passwords of its accounts and log in with them. The comparison protects nothing: it can be skipped in the developer tools.',
      fix: 'Remove this comparison, and remove the password from what the service returns: let the approuter authenticate users (XSUAA or Identity Authentication), or let the server check the password against a salted hash.',
      variants: {
        open: {
          message:
            'The page compares the entered password with "{name}" of an account that {host} sends it; the request for it carries no credential.',
          why: 'Anyone who sends this request gets the passwords of the accounts, without this page and without a login, and can log in with them.',
        },
        code: {
          message: 'The page compares the entered password ("{name}") with one that is written in its code.',
          why: 'Any user who can open the page can read the password in its code, or guess it. The comparison protects nothing: it can be skipped in the developer tools.',
          fix: 'Remove this comparison: let the approuter authenticate users (XSUAA or Identity Authentication), or let the server check the password against a salted hash.',
        },
        answered: {
          message:
            'The page sends the password to an OData service, and opens the next page or keeps the user as logged in if the answer is positive.',
          why: 'Any user who can open the page can skip this step in the developer tools, or by the address of the next page. Later requests carry no proof of this login, so the services cannot know who sends them.',
          fix: 'Remove this login: let the approuter or SAP Gateway authenticate users, and let the services read the user from that session instead of from what the page sends.',
        },
        queried: {
          message:
            'The page looks for the account in {set} by a filter on the password ("{name}"), and opens the next page or keeps the user as logged in if there is a row.',
          why: 'Any caller of this service can find out the passwords of all accounts with such filters (startswith, gt), if it does not return them anyway, and log in with them. The decision of the page protects nothing.',
          fix: 'Remove this login, and the password from {set}: let the approuter or SAP Gateway authenticate users, and let the services read the user from that session.',
        },
        ignored: {
          title: 'Login that ignores the password',
          message:
            'The page reads the entered password into {name} but never uses it: it logs in every user whose name the service finds.',
          why: 'Any user who can open the page can log in as another user with the name alone. Later requests carry no proof of a login, so unless the services ask for one of their own, the data of all users is open.',
          fix: 'Remove this login: let the approuter or SAP Gateway authenticate users, and let the services read the user from that session.',
        },
        unread: {
          title: 'Login that ignores the password',
          message:
            'The page has a field for the password ("{name}") that no code reads: it logs in every user whose name the service finds.',
          why: 'Any user who can open the page can log in as another user with the name alone. Later requests carry no proof of a login, so unless the services ask for one of their own, the data of all users is open.',
          fix: 'Remove this login: let the approuter or SAP Gateway authenticate users, and let the services read the user from that session.',
        },
        nameless: {
          title: 'Login without a password',
          message:
            'The page finds an account by what was entered ("{name}"), and makes it the user of the app: nothing proves that it is theirs.',
          why: 'Any user who can open the page can act as another user, whose number or name is enough. Later requests carry no proof of a login, so unless the services ask for one of their own, the data of all users is open.',
          fix: 'Remove this login: let the approuter or SAP Gateway authenticate users, and let the services read the user from that session.',
        },
        address: {
          title: 'Login by parameters of the address',
          message:
            'The page takes its user ("{name}") from the parameter "{parameter}" of its address and marks this user as logged in: no request or signature proves it.',
          why: 'Anyone who can open the page becomes any user by writing the name into the address, or logs others in as a user of their choice by a link. Unless the services authenticate users themselves, the data of all users is open.',
          fix: 'Remove this login: let the approuter or SAP Gateway authenticate users, and let the services read the user from that session.',
        },
        addressFixed: {
          title: 'Login by parameters of the address',
          message:
            'The page takes its user ("{name}") from the parameter "{parameter}" of its address, and its requests carry one Basic login of the code: no service knows who sends them.',
          why: 'Anyone who can open the page becomes any user by writing the name into the address. The services see the same login for every user, so they cannot refuse the data of others.',
          fix: 'Remove this login and the one in the code: let the approuter authenticate users and forward their identity through a destination, and let the services read the user from it.',
        },
        unchecked: {
          title: 'Login that checks nothing',
          message:
            '{view} asks for a password, but {handler} opens the next page whatever was entered: no request carries the password.',
          why: 'Any user who can open the page gets in with any password, or by the address of the next page. Later requests carry no proof of a login, so unless the services ask for one of their own, every user can read and change their data.',
          fix: 'Remove this login: let the approuter or SAP Gateway authenticate users, and let the services read the user from that session.',
        },
        sketch: {
          title: 'Login that checks nothing',
          message:
            '{view} asks for a password, but {handler} only looks whether one was entered, and opens the next page: nothing compares it, no request carries it.',
          why: 'Any user who can open the page gets in with any password, or by the address of the next page. The app shows no data of a service yet; those that it gets later are not protected by this login.',
          fix: 'Remove this login: let the approuter authenticate users (XSUAA or Identity Authentication), and let the services read the user from that session.',
        },
        reset: {
          title: 'Password reset guarded by the page alone',
          message:
            'This request sets a new password ("{name}") for a user who has forgotten it, without the one-time code: the page asks for the code in another request, and goes on by itself.',
          why: 'If the server accepts this request as the page sends it, anyone can send it with the id or the mail address of another user, without any code, and log in as that user.',
          fix: 'Send the one-time code together with the new password, and let the server check both in one step; or let the server answer the right code with a token that is valid once and for minutes, and demand it here.',
        },
        chosen: {
          title: 'Password of any account set by the page',
          message:
            'This request of the login page sets a new password ("{name}") for the account that is entered beside it; nothing in it proves whose account that is.',
          why: 'An attacker enters the address of another user and a password, and then logs in as that user. The page alone decides; the request carries neither the old password nor a token.',
          fix: 'Let Identity Authentication or a server reset passwords, which asks for the old password or a one-time token that is sent to the address of the account.',
        },
        step: {
          title: 'One-time code checked by the page alone',
          message:
            'A request checks the one-time code ("{name}"), but only this condition in the page waits for the answer: the next request that writes carries neither the code nor a token.',
          why: 'A user can send the next request from the browser console, without any code. If the server does not remember for this user that the code was right, the code protects nothing.',
          fix: 'Send the code with the request that it protects and let the server check both in one step, or let the server answer the right code with a token that is valid once and for minutes, and demand it there.',
        },
        drawn: {
          title: 'One-time code made and checked by the page',
          message: 'The page draws the one-time code ("{name}") itself and compares it with what the user enters.',
          why: 'An attacker who knows the password of another user reads the code in the developer tools or skips the comparison: the second factor proves nothing.',
          fix: 'Remove the code from the page: let the server draw it, send it and check it, valid once and for a few minutes, or let Identity Authentication ask for a second factor.',
        },
        list: {
          message: 'The page compares the entered password with "{name}" of an account in its own data.',
          why: 'Any user who can open the page can read the passwords in the developer tools and log in with them. The comparison protects nothing: it can be skipped there too.',
          fix: 'Remove this comparison, and remove the passwords from the data of the page: let the approuter authenticate users (XSUAA or Identity Authentication), or let the server check the password against a salted hash.',
        },
      },
    },
    fr: {
      title: 'Connexion décidée dans le navigateur',
      message: 'La page compare le mot de passe saisi avec "{name}" d’un compte que lui a envoyé un service.',
      why: 'Tout appelant de ce service peut lire les mots de passe de ses comptes et s’en servir. La comparaison ne protège rien : les outils de développement permettent de la contourner.',
      fix: 'Supprimez cette comparaison et retirez le mot de passe de la réponse du service : laissez l’approuter authentifier les utilisateurs (XSUAA ou Identity Authentication), ou laissez le serveur vérifier le mot de passe avec un hachage salé.',
      variants: {
        open: {
          message:
            'La page compare le mot de passe saisi avec "{name}" d’un compte que lui envoie {host} ; la requête qui le demande ne porte aucun identifiant.',
          why: 'Un attaquant qui envoie cette requête obtient les mots de passe des comptes, sans cette page et sans connexion, et peut se connecter avec eux.',
        },
        code: {
          message: 'La page compare le mot de passe saisi ("{name}") avec un mot de passe inscrit dans son code.',
          why: 'Tout utilisateur qui peut ouvrir la page peut lire ce mot de passe dans son code, ou le deviner. La comparaison ne protège rien : les outils de développement permettent de la contourner.',
          fix: 'Supprimez cette comparaison : laissez l’approuter authentifier les utilisateurs (XSUAA ou Identity Authentication), ou laissez le serveur vérifier le mot de passe avec un hachage salé.',
        },
        answered: {
          message:
            'La page envoie le mot de passe à un service OData et, si la réponse est positive, ouvre la page suivante ou retient l’utilisateur comme connecté.',
          why: 'Tout utilisateur qui peut ouvrir la page peut contourner cette étape avec les outils de développement ou par l’adresse de la page suivante. Les requêtes suivantes ne portent aucune preuve de cette connexion : les services ne peuvent pas savoir qui les envoie.',
          fix: 'Supprimez cette connexion : laissez l’approuter ou SAP Gateway authentifier les utilisateurs, et faites lire l’utilisateur par les services dans cette session plutôt que dans ce que la page envoie.',
        },
        queried: {
          message:
            'La page cherche le compte dans {set} par un filtre sur le mot de passe ("{name}") et, si une ligne existe, ouvre la page suivante ou retient l’utilisateur comme connecté.',
          why: 'Tout appelant de ce service peut trouver les mots de passe de tous les comptes par de tels filtres (startswith, gt), si le service ne les renvoie pas déjà, et s’en servir. La décision de la page ne protège rien.',
          fix: 'Supprimez cette connexion et retirez le mot de passe de {set} : laissez l’approuter ou SAP Gateway authentifier les utilisateurs, et faites lire l’utilisateur par les services dans cette session.',
        },
        ignored: {
          title: 'Connexion qui ignore le mot de passe',
          message:
            'La page lit le mot de passe saisi dans {name} sans jamais l’utiliser : elle connecte tout utilisateur dont le service trouve le nom.',
          why: 'Tout utilisateur qui peut ouvrir la page peut se connecter à la place d’un autre avec le seul nom. Les requêtes suivantes ne portent aucune preuve de connexion : si les services n’en demandent pas une, les données de tous sont accessibles.',
          fix: 'Supprimez cette connexion : laissez l’approuter ou SAP Gateway authentifier les utilisateurs, et faites lire l’utilisateur par les services dans cette session.',
        },
        unread: {
          title: 'Connexion qui ignore le mot de passe',
          message:
            'La page a un champ pour le mot de passe ("{name}") qu’aucun code ne lit : elle connecte tout utilisateur dont le service trouve le nom.',
          why: 'Tout utilisateur qui peut ouvrir la page peut se connecter à la place d’un autre avec le seul nom. Les requêtes suivantes ne portent aucune preuve de connexion : si les services n’en demandent pas une, les données de tous sont accessibles.',
          fix: 'Supprimez cette connexion : laissez l’approuter ou SAP Gateway authentifier les utilisateurs, et faites lire l’utilisateur par les services dans cette session.',
        },
        nameless: {
          title: 'Connexion sans mot de passe',
          message:
            'La page trouve un compte par la valeur saisie ("{name}") et en fait l’utilisateur de l’application : rien ne prouve qu’il est le sien.',
          why: 'Tout utilisateur qui peut ouvrir la page peut agir à la place d’un autre avec son seul numéro ou nom. Les requêtes suivantes ne portent aucune preuve de connexion : si les services n’en demandent pas une, les données de tous sont accessibles.',
          fix: 'Supprimez cette connexion : laissez l’approuter ou SAP Gateway authentifier les utilisateurs, et faites lire l’utilisateur par les services dans cette session.',
        },
        address: {
          title: 'Connexion par des paramètres de l’adresse',
          message:
            'La page prend son utilisateur ("{name}") dans le paramètre "{parameter}" de son adresse et le considère comme connecté : ni requête ni signature ne le prouve.',
          why: 'Un attaquant qui peut ouvrir la page devient l’utilisateur de son choix en écrivant son nom dans l’adresse, ou connecte d’autres personnes sous ce nom par un lien. Sans connexion propre aux services, les données de tous sont accessibles.',
          fix: 'Supprimez cette connexion : laissez l’approuter ou SAP Gateway authentifier les utilisateurs, et faites lire l’utilisateur par les services dans cette session.',
        },
        addressFixed: {
          title: 'Connexion par des paramètres de l’adresse',
          message:
            'La page prend son utilisateur ("{name}") dans le paramètre "{parameter}" de son adresse, et ses requêtes portent un même identifiant Basic inscrit dans le code : aucun service ne sait qui les envoie.',
          why: 'Un attaquant qui peut ouvrir la page devient l’utilisateur de son choix en écrivant son nom dans l’adresse. Les services voient le même identifiant quel que soit l’appelant et ne peuvent refuser les données d’autrui.',
          fix: 'Supprimez cette connexion et l’identifiant du code : laissez l’approuter authentifier les utilisateurs et transmettre leur identité par une destination, et faites lire l’utilisateur par les services dans celle-ci.',
        },
        unchecked: {
          title: 'Connexion qui ne vérifie rien',
          message:
            '{view} demande un mot de passe, mais {handler} ouvre la page suivante quoi qu’on ait saisi : aucune requête ne porte le mot de passe.',
          why: 'Tout utilisateur qui peut ouvrir la page entre avec n’importe quel mot de passe, ou par l’adresse de la page suivante. Les requêtes suivantes ne portent aucune preuve de connexion : si les services n’en demandent pas une, chacun peut lire et modifier leurs données.',
          fix: 'Supprimez cette connexion : laissez l’approuter ou SAP Gateway authentifier les utilisateurs, et faites lire l’utilisateur par les services dans cette session.',
        },
        sketch: {
          title: 'Connexion qui ne vérifie rien',
          message:
            '{view} demande un mot de passe, mais {handler} regarde seulement s’il a été saisi, puis ouvre la page suivante : rien ne le compare, aucune requête ne le transmet.',
          why: 'Tout utilisateur qui peut ouvrir la page entre avec n’importe quel mot de passe, ou par l’adresse de la page suivante. L’application n’affiche encore aucune donnée d’un service ; celles qu’elle recevra ne seront pas protégées par cette connexion.',
          fix: 'Supprimez cette connexion : laissez l’approuter authentifier les utilisateurs (XSUAA ou Identity Authentication), et les services lire l’utilisateur dans cette session.',
        },
        reset: {
          title: 'Réinitialisation du mot de passe protégée par la page seule',
          message:
            'Cette requête définit un nouveau mot de passe ("{name}") pour un utilisateur qui l’a oublié, sans le code à usage unique : la page demande le code dans une autre requête, et continue d’elle-même.',
          why: 'Si le serveur accepte cette requête telle quelle, un attaquant peut l’envoyer avec l’identifiant ou l’adresse e-mail d’un autre utilisateur, sans aucun code, et se connecter à sa place.',
          fix: 'Envoyez le code à usage unique avec le nouveau mot de passe et faites vérifier les deux par le serveur en une seule étape ; ou faites répondre au bon code par un jeton valable une fois et quelques minutes, et exigez-le ici.',
        },
        chosen: {
          title: 'Mot de passe de n’importe quel compte modifié par la page',
          message:
            'Cette requête de la page de connexion définit un nouveau mot de passe ("{name}") pour le compte saisi à côté ; rien n’y prouve à qui ce compte appartient.',
          why: 'Un attaquant saisit l’adresse d’un autre utilisateur et un mot de passe, puis se connecte à sa place. La page décide seule ; la requête ne porte ni ancien mot de passe ni jeton.',
          fix: 'Faites réinitialiser les mots de passe par Identity Authentication ou par un serveur, qui exige l’ancien mot de passe ou un jeton à usage unique envoyé à l’adresse du compte.',
        },
        step: {
          title: 'Code à usage unique vérifié par la page seule',
          message:
            'Une requête vérifie le code à usage unique ("{name}"), mais seule cette condition de la page attend la réponse : la requête d’écriture suivante ne porte ni code ni jeton.',
          why: 'Un utilisateur peut envoyer la requête suivante depuis la console du navigateur, sans aucun code. Si le serveur ne retient pas pour cet utilisateur que le code était juste, celui-ci ne protège rien.',
          fix: 'Envoyez le code avec la requête qu’il protège et faites vérifier les deux ensemble par le serveur, ou faites-lui répondre au bon code par un jeton valable une fois et quelques minutes, qu’il exige ensuite.',
        },
        drawn: {
          title: 'Code à usage unique créé et vérifié par la page',
          message: 'La page tire elle-même le code à usage unique ("{name}") et le compare à ce que l’utilisateur saisit.',
          why: 'Un attaquant qui connaît le mot de passe d’un autre utilisateur lit le code dans les outils de développement ou contourne la comparaison : le second facteur ne prouve rien.',
          fix: 'Retirez le code de la page : faites-le tirer, envoyer et vérifier par le serveur, une seule fois et pendant quelques minutes, ou laissez Identity Authentication demander un second facteur.',
        },
        list: {
          message: 'La page compare le mot de passe saisi avec "{name}" d’un compte de ses propres données.',
          why: 'Tout utilisateur qui peut ouvrir la page peut lire les mots de passe dans les outils de développement et s’en servir. La comparaison ne protège rien : on peut aussi l’y contourner.',
          fix: 'Supprimez cette comparaison et retirez les mots de passe des données de la page : laissez l’approuter authentifier les utilisateurs (XSUAA ou Identity Authentication), ou laissez le serveur vérifier le mot de passe avec un hachage salé.',
        },
      },
    },
  }),
})

function decisionMatch(file: string, { at: span, variant, name, host, set, isOwn }: LoginDecision): Match {
  return {
    at: { file, span },
    args: { name, host, ...(set !== undefined && { set }) },
    ...(variant !== undefined && { variant }),
    ...(isOwn && OWN_DATA),
    // one login asks for the same password in several conditions
    ...(variant === 'code' && { groupKey: `${file} code ${name}` }),
  }
}
