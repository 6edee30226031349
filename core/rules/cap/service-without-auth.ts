import {
  createAnswers,
  createTokenReader,
  createWrappedReader,
  filtersByPolicies,
  isBareJava,
  isEmptyRestriction,
  openElements,
  roleChecks,
  servedServices,
  tokenHandlers,
  wrappedHandlers,
  type CapElement,
  type CapRoot,
  type CapService,
} from '../../model/cap/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import {
  callerGates,
  gatedServices,
  hasOwnLogin,
  isJoining,
  isLogin,
  isLoginService,
  isLoginStep,
} from './_callers/caller-gates.ts'
import { isCodeList, isNameList, isReadOnlyBySource } from './_model/entity-rights.ts'
import {
  createIdleReader,
  FORWARD_WORDS,
  createSilentReader,
  createUnansweredReader,
  offeredMethods,
  operationHandlers,
} from './_model/idle-operations.ts'
import { listElements } from './_matches.ts'
import { lacksFrontDoor } from './_model/front-doors.ts'
import { meantRoles } from './_model/meant-roles.ts'
import { gradeForUsers, gradeOpen, hasMockedUsers, isLeftOut, type OpenGrade, type OpenRoot } from './_model/open-services.ts'
import { askedScopes } from './_callers/scopes.ts'
import { roleTalk, unaskedRoles, type UnaskedRoles } from './_callers/unasked-roles.ts'
import { nameWithEvents, uncheckedElements } from './_rows/unchecked-elements.ts'
import { remoteBehind, remoteLogins } from './_model/open-remotes.ts'
import { personalRows } from './_rows/person-rows.ts'
import { entityHandlers, handlersFor } from './_handlers/write-handlers.ts'
import { isDeployedUnbound, misspeltAnnotation, unevaluatedRecord } from '../../model/authorization/index.ts'

/**
 * A service that exposes something without an authorization check: callers are authenticated at most by the default of CAP.
 * Facts: @sap/cds 9.9.3, lib/srv/protocols/http.js (the default in production); capire, "Migration", CAP Java 4 to 5 (model-relaxed).
 * Impact: callers read and change what no role protects: those without a login, or all users. A role that the project does not have is no missing link, except for lists
 * of values, and for what users only read. In handlers that seem to check, it is worth knowing, and so is what no handler answers yet.
 */
export const serviceWithoutAuth: Rule = defineRule({
  id: 'cap/service-without-auth',
  impact: 'data',
  grades: {
    handler: { impact: 'hygiene' },
    idle: { impact: 'bounded' },
    forward: { impact: 'bounded' },
    step: { impact: 'bounded' },
    unanswered: { impact: 'hygiene' },
  },
  confidence: 'high',
  cwe: [862],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authentication#model-auth',
  on: 'cap-root',
  extracts: [
    roleChecks,
    roleTalk,
    askedScopes,
    entityHandlers,
    callerGates,
    operationHandlers,
    offeredMethods,
    wrappedHandlers,
    tokenHandlers,
    remoteLogins,
  ],

  *check(root, project) {
    // the container refuses all others
    if (root.askedByContainer === 'role') return
    const leftOut = isLeftOut(root, project)
    const isGuarded = filtersByPolicies(root)
    let defined: UnaskedRoles | false | undefined
    let isClosed: boolean | undefined
    const unasked = (): UnaskedRoles | undefined => (defined ??= unaskedRoles(root, project) ?? false) || undefined
    const gated = gatedServices(root)
    const areIdle = createIdleReader(root)
    const tokenFor = createTokenReader(root)
    const isWrapped = createWrappedReader(root)
    const isUnanswered = createUnansweredReader(root)
    const isSilent = createSilentReader(root, (file) => project.reach.usageOf(file) !== 'unused')
    const answers = createAnswers(root, project.npm)
    let bare: boolean | undefined
    const isBare = (): boolean => (bare ??= isBareJava(root, project.files))
    const isUnbound = isDeployedUnbound(root, project.deployment.applications)
    for (const service of servedServices(root)) {
      const { access, place, name, annotations } = service
      if (access.kind !== 'default-authenticated' && access.kind !== 'default-public' && access.kind !== 'default-unknown')
        continue
      // nothing authenticates in front of it: btp/module-without-auth-binding says so once for all its services. Node.js does not start without a binding: with one, its
      // services are open to all users
      if (isUnbound && root.runtime === 'java' && access.kind !== 'default-public') continue
      const open = answers.of(service, openElements(service))
      // an empty restriction and a misspelt annotation are faults of their own
      if (open.length === 0 || isEmptyRestriction(annotations) || isForOtherRule(service)) continue
      if (misspeltAnnotation(annotations) !== undefined || unevaluatedRecord(annotations) !== undefined) continue
      if (isLoginService(service, root, (element) => isWrapped(service, element) || isUnanswered(service, element))) continue
      const unchecked =
        isGuarded || gated.has(service)
          ? []
          : uncheckedElements(root, service, open).filter((element) => !isWrapped(service, element))
      const said = (unchecked.length === 0 ? open : unchecked).filter((element) => !isLogin(element))
      if (said.every((element) => tokenFor(service, element) === 'owner')) continue
      const grade: ServiceGrade =
        unchecked.length === 0 ? GUARDED : gradeOf(service, unchecked, leftOut, { root, reach: project.reach, answers, isBare })
      const isForRoles = access.kind === 'default-authenticated' && grade.evidence === 'assumed' && grade.variant === undefined
      const meant = isForRoles ? meantRoles(service, said, root, project, unasked) : undefined
      // the approuter in front of it, or the handlers, let every user through
      const isOpen = access.kind === 'default-public' && grade.evidence === 'assumed'
      const hasToken = isOpen && said.every((element) => tokenFor(service, element) !== undefined)
      const isRouted = isOpen && (hasToken || project.reach.isBehindApprouter())
      // whom users without a role write to, nobody shows where nothing of the project lets users in
      const isEntered = isRouted || (isForRoles && !(isClosed ??= lacksFrontDoor(root, project)))
      const isReading = said.every((element) => !element.writable || isReadAlone(root, service, element))
      const remote = isReading ? remoteBehind(root, said) : undefined
      const isShown =
        !leftOut && ((isForRoles && meant !== undefined) || (isEntered && remote === undefined && said.some(isWritten)))
      // who logs in has to call it
      const isStep = access.kind !== 'default-public' && meant === undefined && said.every(isLoginStep) && hasOwnLogin(root)
      const idle = unchecked.length > 0 ? areIdle(service, said) : undefined
      const isRead = isReading && unchecked.length > 0 && grade.variant === undefined && meant === undefined
      const isVisible = (isRead || grade.variant === 'readonly') && meant === undefined && grade.circumstance === 'visible'
      const personal = isVisible ? personalRows(service, said, root) : undefined
      const { circumstance, variant: own, ...plain } = grade
      const match = {
        ...plain,
        // the handlers ask for a login
        ...(own !== undefined && !hasToken && { variant: own }),
        ...(circumstance !== undefined && personal === undefined && { circumstance }),
        ...(isRead && { variant: 'readonly', ...(remote === 'open' && READ_ANYWAY) }),
        // a demonstration is MEDIUM at most already
        ...(personal && { variant: 'personal', ...(grade.exposure?.isDemo !== true && UNSEEN) }),
        ...(isShown && { evidence: 'shown' as const }),
        ...(meant && { variant: meant.variant }),
        ...(idle && { variant: idle }),
        ...(isStep && { variant: 'step', evidence: 'shown' as const }),
        ...(said.every((element) => isSilent(service, element)) && { variant: 'unanswered' }),
        args: {
          service: name,
          elements: listElements(said.map((element) => nameWithEvents(root, service, element))),
          ...meant?.args,
          ...personal,
        },
        groupKey: `${place.file} ${name}`,
      }
      yield { at: place, ...match }
      // each open member at its own line
      for (const element of said) yield { at: element.place, ...match }
    }
  },

  text: () => ({
    en: {
      title: 'Missing authorization check on a CAP service',
      message:
        'Service {service} exposes {elements:and} without an authorization check (no @requires or @restrict): any authenticated user has access.',
      why: 'Every user and every technical client with a token for the application can read and change this data, whatever their role.',
      fix: "Add annotate {service} with @(requires: '<role>'); to the model, or @restrict to {elements:and}. If every logged-in user is allowed access, use 'authenticated-user' as the role.",
      variants: {
        roles: {
          message:
            'Service {service} exposes {elements:and} to any authenticated user (no @requires or @restrict); {descriptor} defines {roles:and}, but nothing in the project asks for these roles.',
          why: 'The roles have no effect: every user with a token can read and change this data, whatever role an administrator assigned or refused.',
        },
        unloaded: {
          message:
            'Service {service} exposes {elements:and} to any authenticated user: no loaded model uses {model}, where {annotation} is.',
          why: 'CAP never reads that file, so its annotation has no effect: every user with a token can read and change this data.',
          fix: 'Add a using directive for {model} to a model that is loaded, such as the one of the service.',
        },
        disabled: {
          message:
            'Service {service} exposes {elements:and} to any authenticated user: the annotation {annotation} for {roles:and} is commented out.',
          why: 'The model was meant for some roles only. With the annotation commented out, every user with a token can read and change this data.',
          fix: "Activate the annotation again before deployment, or write annotate {service} with @(requires: '<role>'); in the model. For tests without roles, use mocked users in the development profile.",
        },
        elsewhere: {
          message:
            'Service {service} exposes {elements:and} to any authenticated user (no @requires or @restrict), although {restricted} requires {roles:or} for the same rows.',
          why: 'CAP checks each service by itself: what needs a role in one of them, every user with a token can read and change through this one.',
        },
        readonly: {
          why: 'Every user and every technical client with a token for the application can read this data, whatever their role.',
        },
        personal: {
          message:
            'Service {service} exposes {elements:and} to any authenticated user (no @requires or @restrict), among them {text} of {entity}, whose rows belong to persons ({person}); other services require a role.',
          why: 'Every user and every technical client with a token for the application can read what was written to or about others.',
        },
        mocked: {
          message:
            'Service {service} exposes {elements:and} without an authorization check (no @requires or @restrict): with the authentication kind for mock users, any caller has access.',
          why: 'Even with real authentication, every user and every technical client with a token for the application would have access, whatever their role.',
        },
        public: {
          title: 'Missing authentication on a CAP service',
          message:
            'Service {service} exposes {elements:and} without @requires or @restrict; with this version and configuration of CAP, callers need no authentication.',
          why: 'An unauthenticated attacker can use everything that is exposed there, including operations that change data.',
        },
        publicReadonly: {
          title: 'CAP service readable without authentication',
          message:
            'Service {service} exposes {elements:and} without @requires or @restrict; with this version and configuration of CAP, callers need no authentication.',
          why: 'An unauthenticated attacker can read all of this data.',
        },
        unknown: {
          message:
            'Service {service} exposes {elements:and} without @requires or @restrict: any authenticated user has access and, with CAP Java 5, so do unauthenticated callers.',
          why: 'Every user with a token can read and change this data; after an upgrade to CAP Java 5, an unauthenticated attacker can do so, too.',
        },
        idle: {
          message:
            'Service {service} exposes {elements:and} without an authorization check (no @requires or @restrict). The handlers use nothing but what the request holds.',
          why: 'Callers get no data of others, but each of them makes the server work: many or large requests can slow it down for all users.',
        },
        forward: FORWARD_WORDS.en,
        step: {
          message:
            'Service {service} exposes {elements:and}, a step of the login of this app, to any authenticated user (no @requires or @restrict).',
          why: 'It belongs to the login, so no role can protect it: every user can try codes of others, as often as the handler allows.',
          fix: "Limit the attempts and the lifetime of a code in the handler, and return no rows. State the intent with annotate {service} with @(requires: 'authenticated-user');.",
        },
        unanswered: {
          message:
            'Service {service} exposes {elements:and} without an authorization check (no @requires or @restrict). No handler of the project answers it yet.',
          why: 'CAP rejects these requests today (501). As soon as a handler is written, every caller who reaches the service can use it.',
        },
        handler: {
          title: 'CAP service authorization implemented only in code',
          message:
            'Service {service} exposes {elements:and} without @requires or @restrict; code, such as a handler, seems to check the user instead.',
          why: 'A check in code has to cover every event and every path to the data: a single omission gives every authenticated user access.',
        },
      },
    },
    fr: {
      title: 'Absence de contrôle d’autorisation sur un service CAP',
      message:
        'Le service {service} expose {elements:et} sans contrôle d’autorisation (ni @requires ni @restrict) : tout utilisateur authentifié peut y accéder.',
      why: 'Tous les utilisateurs et clients techniques munis d’un jeton pour l’application peuvent lire et modifier ces données, quel que soit leur rôle.',
      fix: "Ajoutez annotate {service} with @(requires: '<rôle>'); au modèle CDS, ou @restrict à {elements:et}. Si tout utilisateur connecté y a droit, indiquez 'authenticated-user' comme rôle.",
      variants: {
        roles: {
          message:
            'Le service {service} expose {elements:et} à tout utilisateur authentifié (ni @requires ni @restrict) ; {descriptor} définit {roles:et}, mais rien dans le projet n’exige ces rôles.',
          why: 'Les rôles sont sans effet : tout utilisateur muni d’un jeton peut lire et modifier ces données, quel que soit le rôle qu’un administrateur lui a attribué ou refusé.',
        },
        unloaded: {
          message:
            'Le service {service} expose {elements:et} à tout utilisateur authentifié : aucun modèle chargé n’utilise {model}, où se trouve {annotation}.',
          why: 'CAP ne lit jamais ce fichier, son annotation est donc sans effet : tout utilisateur muni d’un jeton peut lire et modifier ces données.',
          fix: 'Ajoutez une directive using pour {model} à un modèle chargé, par exemple celui du service.',
        },
        disabled: {
          message:
            'Le service {service} expose {elements:et} à tout utilisateur authentifié : l’annotation {annotation} pour {roles:et} est en commentaire.',
          why: 'Le modèle était destiné à certains rôles seulement. L’annotation étant en commentaire, tout utilisateur muni d’un jeton peut lire et modifier ces données.',
          fix: "Réactivez l’annotation avant le déploiement, ou écrivez annotate {service} with @(requires: '<rôle>'); dans le modèle. Pour des tests sans rôles, utilisez des utilisateurs fictifs dans le profil de développement.",
        },
        elsewhere: {
          message:
            'Le service {service} expose {elements:et} à tout utilisateur authentifié (ni @requires ni @restrict), alors que {restricted} exige {roles:ou} pour les mêmes lignes.',
          why: 'CAP contrôle chaque service séparément : ce qui exige un rôle dans l’un, tout utilisateur muni d’un jeton peut le lire et le modifier par celui-ci.',
        },
        readonly: {
          why: 'Tous les utilisateurs et clients techniques munis d’un jeton pour l’application peuvent lire ces données, quel que soit leur rôle.',
        },
        personal: {
          message:
            'Le service {service} expose {elements:et} à tout utilisateur authentifié (ni @requires ni @restrict), dont {text} de {entity}, dont les lignes appartiennent à des personnes ({person}) ; d’autres services exigent un rôle.',
          why: 'Tous les utilisateurs et clients techniques munis d’un jeton pour l’application peuvent lire ce qui a été écrit à d’autres ou à leur sujet.',
        },
        mocked: {
          message:
            'Le service {service} expose {elements:et} sans contrôle d’autorisation (ni @requires ni @restrict) : avec l’authentification par utilisateurs fictifs, tout appelant peut y accéder.',
          why: 'Même avec une authentification réelle, tous les utilisateurs et clients techniques munis d’un jeton pour l’application y auraient accès, quel que soit leur rôle.',
        },
        public: {
          title: 'Absence d’authentification sur un service CAP',
          message:
            'Le service {service} expose {elements:et} sans @requires ni @restrict ; avec cette version et cette configuration de CAP, les appelants n’ont pas à s’authentifier.',
          why: 'Un attaquant non authentifié peut utiliser tout ce qui y est exposé, y compris les opérations qui modifient des données.',
        },
        publicReadonly: {
          title: 'Service CAP lisible sans authentification',
          message:
            'Le service {service} expose {elements:et} sans @requires ni @restrict ; avec cette version et cette configuration de CAP, les appelants n’ont pas à s’authentifier.',
          why: 'Un attaquant non authentifié peut lire toutes ces données.',
        },
        unknown: {
          message:
            'Le service {service} expose {elements:et} sans @requires ni @restrict : tout utilisateur authentifié peut y accéder et, avec CAP Java 5, tout appelant non authentifié.',
          why: 'Tout utilisateur muni d’un jeton peut lire et modifier ces données ; après le passage à CAP Java 5, un attaquant non authentifié le pourra aussi.',
        },
        idle: {
          message:
            'Le service {service} expose {elements:et} sans contrôle d’autorisation (ni @requires ni @restrict). Les gestionnaires n’utilisent que ce que contient la requête.',
          why: 'Un appelant n’obtient aucune donnée d’autrui, mais chaque appel fait travailler le serveur : des requêtes nombreuses ou volumineuses peuvent le ralentir pour tous.',
        },
        forward: FORWARD_WORDS.fr,
        step: {
          message:
            'Le service {service} expose {elements:et}, une étape de la connexion à cette application, à tout utilisateur authentifié (ni @requires ni @restrict).',
          why: 'Elle fait partie de la connexion, aucun rôle ne peut donc la protéger : tout utilisateur peut essayer les codes d’autrui, autant que le gestionnaire le permet.',
          fix: "Limitez dans le gestionnaire le nombre d’essais et la durée de validité d’un code, et ne renvoyez pas de lignes. Déclarez l’intention par annotate {service} with @(requires: 'authenticated-user');.",
        },
        unanswered: {
          message:
            'Le service {service} expose {elements:et} sans contrôle d’autorisation (ni @requires ni @restrict). Aucun gestionnaire du projet n’y répond encore.',
          why: 'CAP rejette ces requêtes aujourd’hui (501). Dès qu’un gestionnaire sera écrit, quiconque atteint le service pourra l’appeler.',
        },
        handler: {
          title: 'Autorisation contrôlée uniquement dans le code d’un service CAP',
          message:
            'Le service {service} expose {elements:et} sans @requires ni @restrict ; seul du code, par exemple un gestionnaire, semble vérifier l’utilisateur.',
          why: 'Un contrôle dans le code doit couvrir chaque événement et chaque chemin vers les données : un seul oubli donne l’accès à tout utilisateur authentifié.',
        },
      },
    },
  }),
})

/** No table holds its rows, or another system does, and no handler takes what clients send: CAP refuses to write them. */
function isReadAlone(root: CapRoot, service: CapService, element: CapElement): boolean {
  return element.kind === 'entity' && isReadOnlyBySource(element, root, handlersFor(root, service, element))
}

/** Services for agents and WebSockets alone are judged by rules of their own. */
function isForOtherRule({ endpoints }: CapService): boolean {
  return endpoints.length > 0 && endpoints.every(({ kind }) => kind === 'mcp' || kind === 'ws' || kind === 'websocket')
}

/** Of the service as a whole, and of its open members. */
type ServiceGrade = OpenGrade & Pick<Match, 'variant' | 'confidence'>

const UNSEEN = { evidence: 'assumed' } as const
const READ_ANYWAY = { evidence: 'shown', circumstance: 'visible' } as const

function isWritten(element: CapElement): boolean {
  return element.writable && !isCodeList(element) && !isNameList(element) && !isJoining(element)
}

const GUARDED: ServiceGrade = { variant: 'handler', confidence: 'low' }

function gradeOf(
  service: CapService,
  open: readonly CapElement[],
  leftOut: boolean,
  at: OpenRoot & { readonly isBare: () => boolean },
): OpenGrade & Pick<Match, 'variant'> {
  const { access } = service
  const { root } = at
  const canWrite = open.some(({ writable }) => writable)
  if (access.kind !== 'default-public')
    return {
      ...gradeOpen(service, open, at),
      ...(access.kind === 'default-unknown' ? { variant: 'unknown' } : !canWrite && { variant: 'readonly' }),
    }
  // users with passwords open nothing: what does so lets callers without one in
  const isMocked = hasMockedUsers(root, 'told')
  // beside what is deployed it may run with these users on the machine of its author alone: what is told is who has access elsewhere
  if (isMocked && leftOut) return gradeForUsers(service, open)
  const variant = isMocked ? 'mocked' : canWrite ? 'public' : 'publicReadonly'
  // where other parts of the project are deployed, nothing shows that this one is; nor of Java that nothing deploys what its login is, unless no library could make one
  const grade = gradeOpen(service, open, at)
  // a demonstration is MEDIUM at most already
  const isJava = canWrite && root.runtime === 'java' && grade.exposure?.isDemo !== true
  const isUnseen = leftOut || ((isMocked || (isJava && !at.isBare())) && !root.deployed)
  return { ...grade, ...(isUnseen && UNSEEN), variant }
}
