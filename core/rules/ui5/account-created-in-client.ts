import { lastName } from '../../paths.ts'
import { areServicesOpen, readOpenFolders } from '../../model/approuter/index.ts'
import { isPasswordName } from '../../model/script/index.ts'
import { hostRequests, hostRequestsOf, isPlayground, pathsOf, requestSetups, type Ui5App } from '../../model/ui5/index.ts'
import { defineRule, type Rule } from '../rule.ts'
import { accountUses, ROLE, SIGN_UP, type AccountUse } from './_account-uses.ts'
import { createMethodLookup, moduleNameOf } from './_app-methods.ts'
import { bodyWrappers } from './_body-wrappers.ts'
import { asksGateway } from './_page-accounts.ts'
import { requestHeaders, sendsOwnLogin, technicalAccounts } from './_technical-accounts.ts'

/**
 * A page that lets people register by writing an account, with its password, into an entity set, in an app that logs users in by itself.
 * Facts: OWASP Authentication Cheat Sheet, "Password Storage"; CWE-522. SAPUI5 API, ODataModel `create` and `createEntry`: the properties go to the service as they are.
 * Impact: where the page reads passwords of accounts, everybody reads what was registered. Else whether the service keeps the password as it is, or lets strangers create
 * accounts with any role, is not in the project. A sign-up that a page sends to a host which its code names, without anything that says who asks, anyone sends.
 */
export const accountCreatedInClient: Rule = defineRule({
  id: 'ui5/account-created-in-client',
  impact: 'takeover',
  reach: 'user',
  evidence: 'assumed',
  confidence: 'medium',
  cwe: [522, 269],
  since: '0.3.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html',
  extracts: [accountUses, bodyWrappers, technicalAccounts, requestHeaders, hostRequests, requestSetups],
  on: 'ui5-app',

  *check(app, { step, once }) {
    const { scripts, root } = app
    const uses = scripts.get(accountUses)
    const sentBy = createMethodLookup(scripts.get(bodyWrappers))
    let isOpen: boolean | undefined
    // without a login in front of the services nobody needs an account first
    const reached = (): { readonly reach?: 'anyone' } => {
      isOpen ??= areServicesOpen(root, once(readOpenFolders))
      return isOpen ? { reach: 'anyone' } : {}
    }
    let isSentOpenly: ReturnType<typeof openSenders> | undefined
    for (const { file, value } of uses) {
      if (value.kind !== 'sent' || (value.by !== undefined && sentBy(file, value.by) === undefined)) continue
      // a user and password that all pages send are no login of whoever registers
      const isShared = scripts.get(technicalAccounts).length > 0 && !sendsOwnLogin(scripts)
      isSentOpenly ??= openSenders(app)
      const grade = isShared || isSentOpenly(file, value) ? { reach: 'anyone' as const } : reached()
      // forms of several kinds of users, which one page sends
      const sender = value.parents?.find((name) => SIGN_UP.test(name))
      const group = sender === undefined ? {} : { groupKey: `${root} sent ${sender} ${value.field} ${value.role}` }
      yield { at: { file, span: value.at }, args: { field: value.field, role: value.role }, variant: 'sent', ...grade, ...group }
    }
    const signUps = new Set(uses.flatMap(({ file, value }) => (value.kind === 'sign-up' ? [file, ...value.modules] : [])))
    for (const { file, value } of uses) {
      if (value.kind !== 'directory' || !(signUps.has(file) || signUps.has(moduleNameOf(file)))) continue
      yield { at: { file, span: value.at }, variant: 'directory', groupKey: `${root} directory`, ...reached() }
    }
    // beside a login people register themselves; elsewhere somebody may administer users
    const ofLogin = new Set(uses.flatMap(({ file, value }) => (value.kind === 'login' ? file : [])))
    const logins = uses.flatMap(({ value }) => (value.kind === 'login' ? value : []))
    if (logins.length === 0) return
    const isRead = logins.some((login) => login.isRead) || uses.some(({ value }) => value.kind === 'gathered')
    // an account without a right is no more than what the caller of SAP Gateway has already, unless the system behind it makes it more
    const isOfGateway = () => asksGateway(app)
    let filled: ReadonlyMap<string, Filled> | undefined
    for (const { file, value } of uses) {
      if (value.kind === 'form' && (value.isSignUp || ofLogin.has(file))) {
        filled ??= fieldsFilled(app, step)
        const { password: field, role } = filled.get(value.model) ?? NONE
        if (field === undefined || role === undefined) continue
        const grade = isRead ? { evidence: 'shown' as const } : reached()
        yield { at: { file, span: value.at }, args: { field, role }, variant: 'role', ...grade }
      }
      if (value.kind !== 'created') continue
      const { at, field, role } = value
      yield {
        at: { file, span: at },
        args: { field, role: role ?? '' },
        ...(isRead && (role !== undefined || !isOfGateway()) ? { evidence: 'shown' as const } : role !== undefined && reached()),
        ...(role !== undefined && { variant: 'role' }),
      }
    }
  },

  text: () => ({
    en: {
      title: 'Account created with its password by the page',
      message: 'The page writes a new account to an OData service, with its password as the property "{field}".',
      why: 'Anyone who can reach the service can create accounts. Users who may read the entity set can read the passwords, which many people also use elsewhere.',
      fix: 'Remove this request: let Identity Authentication or SAP Gateway manage users. If the app needs accounts of its own, send the password to an action that stores a salted hash, and never return it.',
      variants: {
        directory: {
          title: 'Mail address of a new user called verified by the page',
          message:
            'The sign-up page creates a user of the identity provider and sets its mail address to verified; nobody has proved that it is theirs.',
          why: 'An attacker signs up with the address of another person, and then has that identity in every application that trusts the identity provider.',
          fix: 'Remove "verified": let the identity provider send its verification mail, and create users by a server, or by the self-registration of Identity Authentication.',
        },
        sent: {
          title: 'Role of a new account chosen by the page',
          message:
            'The page registers a new account with a request that holds the password as "{field}" and the role as "{role}".',
          why: 'Anyone who can reach the server can send the same request with the role of an administrator, if the server takes the role as it is sent.',
          fix: 'Remove the role from this request and let the server assign it, and ignore roles that requests for new accounts contain.',
        },
        role: {
          title: 'Role of a new account chosen by the page',
          message: 'The page writes a new account to an OData service, with the password as "{field}" and the role as "{role}".',
          why: 'Anyone who can reach the service can send the same request with the role of an administrator.',
          fix: 'Remove the role from this request and let the server assign it. Let Identity Authentication or SAP Gateway manage users and their roles.',
        },
      },
    },
    fr: {
      title: 'Compte créé par la page avec son mot de passe',
      message: 'La page écrit un nouveau compte dans un service OData, avec son mot de passe dans la propriété "{field}".',
      why: 'Tout utilisateur qui accède au service peut créer des comptes, et lire les mots de passe s’il peut lire l’ensemble d’entités ; beaucoup de personnes les utilisent aussi ailleurs.',
      fix: 'Supprimez cette requête : laissez Identity Authentication ou SAP Gateway gérer les utilisateurs. Si l’application a besoin de ses propres comptes, envoyez le mot de passe à une action qui en conserve un hachage salé, et ne le renvoyez jamais.',
      variants: {
        directory: {
          title: 'Adresse d’un nouvel utilisateur déclarée vérifiée par la page',
          message:
            'La page d’inscription crée un utilisateur du fournisseur d’identité et déclare son adresse vérifiée ; personne n’a prouvé qu’elle est la sienne.',
          why: 'Un attaquant s’inscrit avec l’adresse d’une autre personne et se présente sous son identité dans toutes les applications qui font confiance au fournisseur d’identité.',
          fix: 'Retirez "verified" : laissez le fournisseur d’identité envoyer le message de vérification, et créez les utilisateurs par un serveur ou par l’auto-inscription d’Identity Authentication.',
        },
        sent: {
          title: 'Rôle d’un nouveau compte choisi par la page',
          message:
            'La page inscrit un nouveau compte par une requête qui contient le mot de passe ("{field}") et le rôle ("{role}").',
          why: 'Tout utilisateur qui accède au serveur peut envoyer la même requête avec le rôle d’un administrateur, si le serveur prend le rôle tel quel.',
          fix: 'Supprimez le rôle de cette requête, faites-le attribuer par le serveur et ignorez les rôles que contiennent les demandes de création de compte.',
        },
        role: {
          title: 'Rôle d’un nouveau compte choisi par la page',
          message:
            'La page écrit un nouveau compte dans un service OData, avec le mot de passe ("{field}") et le rôle ("{role}").',
          why: 'Tout utilisateur qui accède au service peut envoyer la même requête avec le rôle d’un administrateur.',
          fix: 'Supprimez le rôle de cette requête et faites-le attribuer par le serveur. Laissez Identity Authentication ou SAP Gateway gérer les utilisateurs et leurs rôles.',
        },
      },
    },
  }),
})

/** Where accounts are kept: a form of a page tells nothing of its other requests, such as those that count or log. */
const OF_ACCOUNTS = /(?:users?|accounts?|members?|customers?|sign_?up|regist\w{0,8})\/?(?:\?|$)/i

/** Whether the request that sends a new account names its host and carries nothing by which that knows the caller; of a form, the requests of its script, or of those that it extends. */
function openSenders(app: Ui5App): (file: string, account: AccountUse & { readonly kind: 'sent' }) => boolean {
  const prepared = new Set(app.scripts.get(requestSetups).map(({ value }) => value))
  const requests = hostRequestsOf(app).filter(
    ({ changes, isEdit, isLogin, via }) => changes && !isEdit && !isLogin && !prepared.has(via),
  )
  return (file, { at, parents }) => {
    const own = requests.filter((request) => {
      if (parents === undefined) return request.file === file && request.at.start === at.start
      return OF_ACCOUNTS.test(request.path) && (request.file === file || parents.includes(moduleNameOf(request.file)))
    })
    return own.length > 0 && own.every(({ identifies, host }) => !identifies && !isPlayground(host))
  }
}

/** What users enter with: a property of each that a form binds. Facts: SAPUI5 API, sap.m.Input, Select, ComboBox, RadioButtonGroup. */
const ENTERED = ['value', 'selectedKey', 'selectedKeys', 'selectedIndex', 'selected', 'state'] as const

interface Filled {
  /** The first field for a password, the first for a role. */
  readonly password?: string
  readonly role?: string
}

const NONE: Filled = {}

/** Fields that controls of the app fill, by the name of their model. */
function fieldsFilled({ views }: Ui5App, step: (count?: number) => void): ReadonlyMap<string, Filled> {
  const filled = new Map<string, Filled>()
  for (const { test, controls } of views) {
    step(1 + controls.length)
    for (const { properties } of test ? [] : controls) {
      for (const name of ENTERED) {
        const value = properties.get(name)
        for (const { model, path } of value === undefined ? [] : pathsOf(value.binding)) {
          const field = lastName(path.replaceAll('/', '.'))
          const { password, role } = filled.get(model) ?? NONE
          if (password === undefined && isPasswordName(field)) filled.set(model, { ...filled.get(model), password: field })
          if (role === undefined && ROLE.test(field)) filled.set(model, { ...filled.get(model), role: field })
        }
      }
    }
  }
  return filled
}
