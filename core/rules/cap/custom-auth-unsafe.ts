import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { effectiveConfiguration, withoutEnding, type CapRoot, type Configuration } from '../../model/cap/index.ts'
import { createDevelopmentReader, isDeveloperFile } from '../../model/script/index.ts'
import { stringOf } from '../../parse/data.ts'
import type { Match, Span } from '../../types.ts'
import { resolveModule } from '../../flow/index.ts'
import { append, groupBy } from '../../lists.ts'
import { isBelow, joinPath } from '../../paths.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { Project } from '../subjects.ts'
import { OVERRIDES } from './_callers/chosen-users.ts'
import { chosenUsers, type HeaderUser } from './_callers/header-users.ts'
import { identityUses } from './_callers/shown-identities.ts'
import { setHeaders } from './_callers/approuter-headers.ts'
import { startedConfigurations } from './_model/started-configurations.ts'
import { findRequestUsers, type RequestUser } from './_callers/request-users.ts'

const SETS_USER = /\.user\s{0,8}(?:\?\?|\|\|)?=(?!=)|context\s{0,8}=\s{0,8}\{|\bnew cds\.User\(/

/** How strategies are called. */
const OF_LOGIN = /auth|login|strategy|user/i

/** Users that productive code makes of what a request says of itself. */
const requestUsers: Extract<Span & Pick<RequestUser, 'reason' | 'isMiddleware'>> = defineExtract({
  name: 'cap-request-users',
  keywords: ['req.user', 'request.user', 'context.user', 'cds.context', 'cds.User('],
  prefilter: (text) => SETS_USER.test(text),
  // one that a profile names which is deployed is no developer's, whatever it is called
  isFor: (path) => (!isDeveloperFile(path) || OF_LOGIN.test(path)) && !path.includes('/webapp/'),
  *collect({ facts }) {
    const isForDevelopers = createDevelopmentReader(facts)
    for (const { start, end, reason, isMiddleware } of findRequestUsers(facts))
      if (!isForDevelopers({ start, end })) yield { start, end, reason, isMiddleware }
  },
})

/** Names of fields that take the place of a user, where scripts read them. */
const readOverrides: Extract<string> = defineExtract({
  name: 'cap-read-overrides',
  keywords: ['override', 'impersonat', 'behalf', 'actas', 'act_as'],
  isFor: (path) => !isDeveloperFile(path) && !path.includes('/webapp/'),
  *collectText(text) {
    for (const [, name = ''] of text.matchAll(/\.\s{0,4}(\w{1,80})\b(?!\s{0,4}[:=(](?!=))/g)) if (OVERRIDES.test(name)) yield name
  },
})

/**
 * Code that trusts a request about who sends it: a middleware (`auth.impl`, or one of server.js) or a handler that creates the user from headers,
 * parameters or a token that was not verified. A middleware that only development is configured with is fine.
 * Facts: @sap/cds 9.9.3, lib/srv/middlewares/auth (impl counts more than kind), lib/req/user.js.
 * Impact: a caller gets the rights of any user; without a login where it is a middleware that makes the user, as that is the login.
 */
export const customAuthUnsafe: Rule = defineRule({
  id: 'cap/custom-auth-unsafe',
  impact: 'takeover',
  // what is done with this user or role is not known, unless the code decides by the name of a role
  grades: {
    chosen: { impact: 'data', evidence: 'assumed' },
    role: { impact: 'data', evidence: 'assumed' },
    shown: { impact: 'bounded' },
    owner: { impact: 'data' },
    inside: { impact: 'data', reach: 'privileged' },
  },
  confidence: 'medium',
  cwe: [287],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/node.js/authentication#custom',
  // of handlers that rule says more
  yieldsTo: ['cap/context-user-override', 'cap/messaging-handler-trusts-payload'],
  extracts: [requestUsers, chosenUsers, setHeaders, identityUses, readOverrides],
  on: 'project',

  *check(project: Project) {
    const { scripts, capRoots, reach } = project
    const set = scripts.get(setHeaders)
    // callers of an approuter cannot send what it overwrites
    const isSetFor = (server: string, header: string): boolean => {
      const { approuters = [] } = reach.ofServer(server)
      return (
        approuters.length > 0 &&
        approuters.every((folder) => set.some(({ file, value }) => value === header && isBelow(file, folder)))
      )
    }
    const readers = groupBy(scripts.get(chosenUsers), ({ value }) => value.header)
    // a handler that falls back on the header of its look-up is the same fault; another one that reads it by itself isn't
    const placeOf = (file: string, { header, asked }: HeaderUser): string => {
      if (asked.length === 0) return file
      const paths = new Map(readers.get(header)?.map((one) => [one.file, one.file]))
      return asked.map((source) => resolveModule(file, source, paths)).find((path) => path !== undefined) ?? file
    }
    const made = scripts.get(requestUsers)
    const deployed = new Set(made.length === 0 ? [] : capRoots.flatMap((root) => implementationsOf(root, project)))
    const users = made.filter(({ file }) => !isDeveloperFile(file) || deployed.has(withoutEnding(file)))
    const making = new Set(users.map(({ file }) => file))
    const found = new Map<string, HeaderMatch[]>()
    const makers = new Set<HeaderMatch>()
    for (const { file, value } of scripts.get(chosenUsers)) {
      const { start, end, header, isRole, isUsed, decides, within, field } = value
      if (field !== undefined && !scripts.get(readOverrides).some((one) => one.value === field)) continue
      // the user that is made of the request, its roles included, says more
      if ((isRole === true || isUsed === true) && making.has(file)) continue
      const asking = within === undefined ? [] : scripts.get(identityUses).filter((one) => one.value.name === within)
      const isShown = asking.length > 0 && asking.every((one) => one.value.isShown)
      const isInside = isUsed === true && set.length > 0 && isSetFor(file, header.toLowerCase())
      const groupKey = `${placeOf(file, value)} ${header}`
      const match: HeaderMatch = {
        at: { file, span: { start, end } },
        args: { header },
        variant: isRole === true ? 'role' : isInside ? 'inside' : isUsed === true ? 'owner' : isShown ? 'shown' : 'chosen',
        ...(decides === true && { evidence: 'shown' as const }),
        groupKey,
      }
      append(found, groupKey, match)
      // a handler that only notes the user makes none for others
      if (match.variant === 'chosen' && (within !== undefined || decides === true || value.isTold === true)) makers.add(match)
    }
    for (const matches of found.values()) yield* madeFirst(matches, makers)
    const development = users.length === 0 ? new Set() : new Set(capRoots.flatMap(implementationsOfDevelopment))
    for (const { file, value } of users) {
      const { start, end, reason, isMiddleware } = value
      const isDeployed = deployed.has(withoutEnding(file))
      if (development.has(withoutEnding(file)) && !isDeployed) continue
      yield {
        at: { file, span: { start, end } },
        ...(reason !== 'sent' && { variant: reason }),
        ...(isMiddleware && { reach: 'anyone' }),
        ...(isDeployed && { usage: 'deployed' as const }),
      }
    }
  },

  text: () => ({
    en: {
      title: 'Authentication bypass: user created from request data',
      message: 'The user is created from request data that the caller chooses, and nothing in this code verifies it.',
      why: 'An attacker who reaches the service can impersonate any user by sending that user’s ID, and choose the roles if this code also reads them from the request.',
      fix: 'Bind XSUAA or IAS and run "npm install @sap/xssec". Then remove this code and set cds.requires.auth to "xsuaa" or "ias", or create the user from the result of await createSecurityContext(new XsuaaService(credentials), { req }); call next(401) if this throws.',
      variants: {
        decoded: {
          title: 'Authentication bypass: token decoded but not verified',
          message: 'The user is created from the claims of a token that was decoded without verifying its signature.',
          why: 'An attacker can forge a token with any user, tenant and scope: without a signature check it is accepted.',
          fix: 'Bind XSUAA or IAS and run "npm install @sap/xssec". Then remove this code and set cds.requires.auth to "xsuaa" or "ias", or verify the token first with await createSecurityContext(new XsuaaService(credentials), { req }); call next(401) if this throws.',
        },
        privileged: {
          title: 'Authentication bypass: privileged user for every request',
          message: 'The middleware assigns a privileged user to every request, and nothing in this code verifies the caller.',
          why: 'An unauthenticated attacker who reaches the service passes every @requires and @restrict, and can read and change all data of the service.',
        },
        role: {
          title: 'Role of the caller taken from a request header',
          message: 'The request header {header}, which any client can set, says what the caller may do here.',
          why: 'An attacker can give themselves any role by sending it in the header, and so read or change what only that role may.',
          fix: 'Check the role of the verified token instead of the header: req.user.is("<role>"), or req.authInfo.checkLocalScope("<scope>") with @sap/xssec.',
        },
        owner: {
          title: 'Access decided by a user ID in a request header',
          message: 'The request header {header}, which any client can set, says whose rows are read, written or compared here.',
          why: 'An attacker who sends the ID of another user or tenant in the header reads and changes data of others, or writes rows in their name.',
          fix: 'Use the user or tenant of the verified token (req.user.id, req.tenant, or req.authInfo of @sap/xssec) and remove the header. If another server sends it, let that prove itself first, for example by mutual TLS or a signature.',
        },
        inside: {
          title: 'Access decided by a user ID in a request header',
          message:
            'The request header {header} says whose rows are read, written or compared here. The approuter sets it, but each application of the cluster can send it, too.',
          why: 'An attacker who controls another application of the cluster sends the ID of any user in the header, and reads and changes data of others.',
          fix: 'Use the user of the verified token (req.user.id, or req.authInfo of @sap/xssec), which the approuter forwards with "forwardAuthToken": true, and remove the header.',
        },
        shown: {
          title: 'User name shown from a request header',
          message:
            'The request header {header}, which any client can set, replaces the authenticated user here. The code only sends the result back to the caller.',
          why: 'The caller can change what is shown about themselves. As soon as other code uses the same function, an attacker acts there as any user.',
          fix: 'Use the user of the verified token alone (req.user, or req.authInfo of @sap/xssec) and remove the header. If developers need it, read it only where process.env.NODE_ENV !== "production".',
        },
        chosen: {
          title: 'User identity taken from a request header',
          message: 'The request header {header}, which any client can set, replaces the authenticated user here.',
          why: 'An attacker who sends the ID of another user in the header acts as that user wherever the application uses this value: in checks, queries and calls to other systems, or in names and logs at least.',
          fix: 'Use the user of the verified token alone (req.user, or req.authInfo of @sap/xssec) and remove the header. If developers need it, read it only where process.env.NODE_ENV !== "production".',
        },
      },
    },
    fr: {
      title: 'Contournement de l’authentification : utilisateur issu de la requête',
      message:
        'L’utilisateur est créé à partir de données que l’appelant choisit dans sa requête, et rien dans ce code ne les vérifie.',
      why: 'Un attaquant qui peut accéder au service peut usurper l’identité de tout utilisateur en envoyant l’identifiant de celui-ci, et choisir les rôles si ce code les lit aussi dans la requête.',
      fix: 'Liez XSUAA ou IAS et exécutez "npm install @sap/xssec". Puis supprimez ce code et donnez à cds.requires.auth la valeur "xsuaa" ou "ias", ou créez l’utilisateur à partir du résultat de await createSecurityContext(new XsuaaService(credentials), { req }) ; en cas d’exception, appelez next(401).',
      variants: {
        decoded: {
          title: 'Contournement de l’authentification : jeton décodé sans vérification',
          message: 'L’utilisateur est créé à partir des claims d’un jeton décodé sans vérification de sa signature.',
          why: 'Un attaquant peut forger un jeton avec l’utilisateur, le locataire et les scopes de son choix : sans vérification de la signature, il est accepté.',
          fix: 'Liez XSUAA ou IAS et exécutez "npm install @sap/xssec". Puis supprimez ce code et donnez à cds.requires.auth la valeur "xsuaa" ou "ias", ou vérifiez d’abord le jeton avec await createSecurityContext(new XsuaaService(credentials), { req }) ; en cas d’exception, appelez next(401).',
        },
        privileged: {
          title: 'Contournement de l’authentification : utilisateur privilégié pour toute requête',
          message:
            'Le middleware attribue un utilisateur privilégié à chaque requête, et rien dans ce code ne vérifie l’appelant.',
          why: 'Un attaquant non authentifié qui peut accéder au service satisfait à tous les @requires et @restrict, et peut lire et modifier toutes les données du service.',
        },
        inside: {
          title: 'Accès décidé par un identifiant dans un en-tête de la requête',
          message:
            'L’en-tête {header} dit à qui appartiennent les lignes lues, écrites ou comparées ici. L’approuter le définit, mais toute application du cluster peut aussi l’envoyer.',
          why: 'Un attaquant qui contrôle une autre application du cluster envoie dans l’en-tête l’identifiant de n’importe quel utilisateur, et lit et modifie les données d’autrui.',
          fix: 'Utilisez l’utilisateur du jeton vérifié (req.user.id, ou req.authInfo de @sap/xssec), que l’approuter transmet avec "forwardAuthToken": true, et supprimez l’en-tête.',
        },
        owner: {
          title: 'Accès décidé par un identifiant dans un en-tête de la requête',
          message:
            'L’en-tête {header}, que tout client peut définir, dit à qui appartiennent les lignes lues, écrites ou comparées ici.',
          why: 'Un attaquant qui envoie l’identifiant d’un autre utilisateur ou locataire dans l’en-tête lit et modifie les données d’autrui, ou écrit des lignes en leur nom.',
          fix: 'Utilisez l’utilisateur ou le locataire du jeton vérifié (req.user.id, req.tenant, ou req.authInfo de @sap/xssec) et supprimez l’en-tête. Si un autre serveur l’envoie, exigez d’abord qu’il s’authentifie, par exemple par TLS mutuel ou une signature.',
        },
        role: {
          title: 'Rôle de l’appelant pris dans un en-tête de la requête',
          message: 'L’en-tête de requête {header}, que tout client peut définir, décide ici de ce que l’appelant peut faire.',
          why: 'Un attaquant peut se donner n’importe quel rôle en l’envoyant dans cet en-tête, et ainsi lire ou modifier ce qui est réservé à ce rôle.',
          fix: 'Contrôlez le rôle du jeton vérifié au lieu de l’en-tête : req.user.is("<rôle>"), ou req.authInfo.checkLocalScope("<scope>") avec @sap/xssec.',
        },
        shown: {
          title: 'Nom d’utilisateur affiché selon un en-tête de requête',
          message:
            'L’en-tête de requête {header}, que tout client peut définir, remplace ici l’utilisateur authentifié. Le code ne fait que renvoyer le résultat à l’appelant.',
          why: 'L’appelant peut changer ce qui est affiché à son sujet. Dès qu’un autre code utilise la même fonction, un attaquant y agit au nom de tout utilisateur.',
          fix: 'N’utilisez que l’utilisateur du jeton vérifié (req.user, ou req.authInfo de @sap/xssec) et supprimez l’en-tête. Si les développeurs en ont besoin, ne le lisez que si process.env.NODE_ENV !== "production".',
        },
        chosen: {
          title: 'Identité de l’utilisateur issue d’un en-tête de requête',
          message: 'L’en-tête de requête {header}, que tout client peut définir, remplace ici l’utilisateur authentifié.',
          why: 'Un attaquant qui envoie l’identifiant d’un autre utilisateur dans l’en-tête agit en son nom partout où l’application utilise cette valeur : contrôles, requêtes et appels à d’autres systèmes, ou du moins noms affichés et journaux.',
          fix: 'N’utilisez que l’utilisateur du jeton vérifié (req.user, ou req.authInfo de @sap/xssec) et supprimez l’en-tête. Si les développeurs en ont besoin, ne le lisez que si process.env.NODE_ENV !== "production".',
        },
      },
    },
  }),
})

/** Middlewares that only profiles for development name, without their ending. */
function implementationsOfDevelopment(root: CapRoot): string[] {
  const production = implementationIn(root, effectiveConfiguration(root, ['production']))
  return ['development', 'test', 'hybrid'].flatMap((profile) => {
    const path = implementationIn(root, effectiveConfiguration(root, [profile]))
    return path === undefined || path === production ? [] : path
  })
}

/** Those that hold where the root is deployed, or in a profile that its start command names. */
function implementationsOf(root: CapRoot, project: Project): string[] {
  const configurations = [...root.productive(), ...startedConfigurations(root, project)]
  return configurations.flatMap((configuration) => implementationIn(root, configuration) ?? [])
}

function implementationIn({ root }: CapRoot, configuration: Configuration): string | undefined {
  const relative = stringOf(configuration.value('requires', 'auth', 'impl')?.node)?.replace(/^(?:\.\/)+/, '')
  return relative === undefined ? undefined : withoutEnding(joinPath(root, relative))
}

type HeaderMatch = Match & { readonly variant: 'role' | 'inside' | 'owner' | 'shown' | 'chosen' }

/** Of a header that becomes the user in one place and is compared in others, the place that makes the user for them, and that it decides there. */
function* madeFirst(matches: readonly HeaderMatch[], makers: ReadonlySet<HeaderMatch>): Generator<Match> {
  const first = matches.find((match) => makers.has(match))
  const owners = matches.filter(({ variant }) => variant === 'owner')
  if (first === undefined || owners.length === 0) return yield* matches
  yield { ...first, evidence: 'shown', alsoAt: owners.map(({ at }) => at) }
  yield* matches.filter((match) => match !== first && match.variant !== 'owner')
}
