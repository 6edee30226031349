import { defineRule, type Rule } from '../rule.ts'
import { assignedAuth, assignedKinds } from './_callers/assigned-auth.ts'
import { areUsersTold, developmentAuth, isOpenedByAnyName, opensByDefault } from './_callers/development-auth.ts'
import { gradeOpened, isLeftOut, userReads } from './_model/open-services.ts'
import {
  createLoginGuardReader,
  createWrappedReader,
  isMtxSidecar,
  isOpenToAll,
  servedServices,
  type CapElement,
  type CapRoot,
  type CapService,
} from '../../model/cap/index.ts'
import { isForTesting } from '../../model/deployment/index.ts'
import type { ReachModel } from '../../model/reach/index.ts'
import { joinPath, lastName } from '../../paths.ts'
import type { GradeFacts, Locale, Localized, Match, RuleText } from '../../types.ts'

/** How a kind of authentication gets into effect. */
const FORMS: Localized<Readonly<Record<string, Partial<RuleText>>>> = {
  en: {
    unprofiled: {
      title: 'Development authentication enabled in production',
      message:
        'The effective authentication kind in production is "{kind}": {key} in {file} is set outside any profile, so it applies to all of them.',
      fix: 'Replace the value of {key} in {file} with { "[development]": { "kind": "{kind}" } }: production then uses the default, jwt, which requires @sap/xssec and a bound XSUAA instance. For IAS, add "[production]": { "kind": "ias" }.',
    },
    local: {
      title: 'Development authentication configured for all profiles',
      message:
        'The authentication kind is "{kind}" in every profile: {key} in {file} is set outside any profile. Nothing in this project deploys the application, but this kind would apply to any deployment.',
    },
    profile: {
      message: 'The effective authentication kind in production is "{kind}": {key} in {file} sets it for the {profile} profile.',
      fix: 'Remove {key} from the {profile} profile in {file}: production then uses the default, jwt, which requires @sap/xssec and a bound XSUAA instance. Or set {key} to "xsuaa" or "ias".',
    },
    code: {
      message:
        'The effective authentication kind in production is "{kind}": {file} assigns it to {key} when the server starts, in every profile.',
      fix: 'Remove the assignment to {key} from {file}. For development, set "cds": { "requires": { "auth": { "[development]": { "kind": "{kind}" } } } } in package.json: production then uses the default, jwt, which requires @sap/xssec and a bound XSUAA instance.',
    },
    variable: {
      message:
        'The effective authentication kind in production is "{kind}": the environment variable {variable} in {file} sets it.',
      fix: 'Set {variable} in {file} to "xsuaa" or "ias"; this requires @sap/xssec and a bound instance of that service.',
    },
    landscape: {
      title: 'Development authentication in a test landscape',
      message: '{file} sets {variable} for the deployed application, so its effective authentication kind is "{kind}".',
      fix: 'Remove {variable} from {file}: the deployed application then uses the project’s configuration or the default, jwt, which requires @sap/xssec and a bound XSUAA instance. Or set {variable} to "xsuaa" or "ias".',
    },
    development: {
      title: 'Application deployed with a development profile',
      message: '{file} deploys the application with {variable}={profile}, so its effective authentication kind is "{kind}".',
      fix: 'Set {variable} to "production" in {file}. CAP then uses the project’s configuration or the default, jwt, which requires @sap/xssec and a bound XSUAA instance.',
    },
    image: {
      title: 'Application deployed with a development profile',
      message:
        'The image built from {file} runs the application with {variable}={profile}, so its effective authentication kind is "{kind}".',
      fix: 'Set {variable} to "production" in {file}. CAP then uses the project’s configuration or the default, jwt, which requires @sap/xssec and a bound XSUAA instance.',
    },
  },
  fr: {
    unprofiled: {
      title: 'Authentification de développement active en production',
      message:
        'Le type d’authentification effectif en production est "{kind}" : {key} dans {file} est placé hors de tout profil et s’applique donc à tous.',
      fix: 'Remplacez la valeur de {key} dans {file} par { "[development]": { "kind": "{kind}" } } : la production utilise alors la valeur par défaut, jwt, qui exige @sap/xssec et une instance XSUAA liée. Pour IAS, ajoutez "[production]": { "kind": "ias" }.',
    },
    local: {
      title: 'Authentification de développement configurée pour tous les profils',
      message:
        'Le type d’authentification est "{kind}" dans tous les profils : {key} dans {file} est placé hors de tout profil. Rien dans ce projet ne déploie l’application, mais ce type s’appliquerait à tout déploiement.',
    },
    profile: {
      message:
        'Le type d’authentification effectif en production est "{kind}" : {key} dans {file} le définit pour le profil {profile}.',
      fix: 'Supprimez {key} du profil {profile} dans {file} : la production utilise alors la valeur par défaut, jwt, qui exige @sap/xssec et une instance XSUAA liée. Ou donnez à {key} la valeur "xsuaa" ou "ias".',
    },
    code: {
      message:
        'Le type d’authentification effectif en production est "{kind}" : {file} l’affecte à {key} au démarrage du serveur, dans tous les profils.',
      fix: 'Supprimez l’affectation à {key} dans {file}. Pour le développement, indiquez "cds": { "requires": { "auth": { "[development]": { "kind": "{kind}" } } } } dans package.json : la production utilise alors la valeur par défaut, jwt, qui exige @sap/xssec et une instance XSUAA liée.',
    },
    variable: {
      message:
        'Le type d’authentification effectif en production est "{kind}" : la variable d’environnement {variable} dans {file} le définit.',
      fix: 'Donnez à {variable} dans {file} la valeur "xsuaa" ou "ias" ; cela exige @sap/xssec et une instance liée du service choisi.',
    },
    landscape: {
      title: 'Authentification de développement dans un environnement de test',
      message: '{file} définit {variable} pour l’application déployée : son type d’authentification effectif est donc "{kind}".',
      fix: 'Supprimez {variable} de {file} : l’application déployée utilise alors la configuration du projet ou la valeur par défaut, jwt, qui exige @sap/xssec et une instance XSUAA liée. Ou donnez à {variable} la valeur "xsuaa" ou "ias".',
    },
    development: {
      title: 'Application déployée avec un profil de développement',
      message: '{file} déploie l’application avec {variable}={profile} : son type d’authentification effectif est donc "{kind}".',
      fix: 'Donnez à {variable} la valeur "production" dans {file}. CAP utilise alors la configuration du projet ou la valeur par défaut, jwt, qui exige @sap/xssec et une instance XSUAA liée.',
    },
    image: {
      title: 'Application déployée avec un profil de développement',
      message:
        'L’image construite à partir du fichier {file} exécute l’application avec {variable}={profile} : son type d’authentification effectif est donc "{kind}".',
      fix: 'Donnez à {variable} la valeur "production" dans le fichier {file}. CAP utilise alors la configuration du projet ou la valeur par défaut, jwt, qui exige @sap/xssec et une instance XSUAA liée.',
    },
  },
}

/** What the strategy accepts: users without a password (the well-known ones of CAP, and any other name unless `*` is false), users of a file, nobody where there are none, or everybody. */
const ACCEPTS: Localized<Readonly<Record<'mocked' | 'basic' | 'locked' | 'dummy', string>>> = {
  en: {
    mocked:
      'An attacker who reaches the service can log in without a password, under each name for which the configuration sets none.',
    basic:
      'An attacker who reaches the service can log in as a user defined in the configuration: passwords there are often weak, missing or readable in the repository.',
    locked:
      'No users are configured, so nobody can log in. Users added later would be defined in a configuration file, with passwords that an attacker may read or guess.',
    dummy: 'An attacker who reaches the service can use it without logging in: every request passes all role checks.',
  },
  fr: {
    mocked:
      'Un attaquant qui peut accéder au service peut s’y connecter sans mot de passe, sous chaque nom pour lequel la configuration n’en définit aucun.',
    basic:
      'Un attaquant qui peut accéder au service peut s’y connecter avec un utilisateur défini dans la configuration : les mots de passe y sont souvent faibles, absents ou lisibles dans le dépôt.',
    locked:
      'Aucun utilisateur n’est configuré : personne ne peut se connecter. Des utilisateurs ajoutés plus tard figureraient dans un fichier de configuration, avec des mots de passe qu’un attaquant pourrait lire ou deviner.',
    dummy:
      'Un attaquant qui peut accéder au service peut l’utiliser sans aucune authentification : chaque requête satisfait à tous les contrôles de rôle.',
  },
}

/** A text for each form and kind. */
function textsOf(locale: Locale): Readonly<Record<string, Partial<RuleText>>> {
  const texts: Record<string, Partial<RuleText>> = {}
  for (const [form, words] of Object.entries(FORMS[locale]))
    for (const [kind, why] of Object.entries(ACCEPTS[locale])) texts[`${form}-${kind}`] = { ...words, why }
  return texts
}

/**
 * An authentication strategy for development (mocked, basic, dummy) in effect where the application is deployed.
 * Facts: @sap/cds 9.9.3, lib/env (sources, profiles, kinds) and lib/srv/middlewares/auth; without any kind production authenticates by jwt.
 * Impact: where no service says who may call it and this is why callers need no login, what these services expose, and little where they would need none without it either. Else data of the services, without a login for `dummy`; of users
 * of a file it is assumed that an attacker knows the names and passwords of some with the roles needed, unless a service asks for a login alone and any name is one (read in
 * @sap/cds 9.7: `mocked` has no guard for production). Users of the configuration are told by the rule for them. With basic without users nobody can log in. Outside any profile,
 * what nothing deploys while something else is deployed may be meant for one's own machine. Data of a demonstration is no more than that, and if no role is
 * asked for, any of the users opens it.
 */
export const authKindNonProduction: Rule = defineRule({
  id: 'cap/auth-kind-non-production',
  impact: 'data',
  confidence: 'high',
  cwe: [1188],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/node.js/authentication#strategies',
  on: 'cap-root',
  extracts: [userReads, assignedKinds],

  *check(root, project) {
    const { reach, npm, deployment } = project
    // a sidecar has other consequences, reported by a rule of its own
    if (isMtxSidecar(root)) return
    // whoever gets in at all gets nothing else where every service is one of a demonstration
    const services = servedServices(root)
    const isDemo =
      services.length > 0 &&
      services.every((service) => reach.ofService(service).isDemo === true || reach.holdsDemoRows(service.place.file))
    // who has no token of the project's own gets to no service, whatever the strategy says
    const isBehindGuard = createLoginGuardReader(root)
    const isVerified = createVerifiedReader(root)
    const isGuarded =
      services.some((service) => !isForLogin(service)) &&
      services.every((service) => isBehindGuard(service) || isVerified(service))
    const isBehindLogin = isGuarded || reach.isBehindApprouter()
    // every user of the strategy will do
    const isForAllUsers = isDemo && services.every(({ access }) => access.kind !== 'roles')
    // what a package for others says of authentication holds where its authors try it
    const isElsewhere = isLeftOut(root, project) || reach.usageOf(joinPath(root.root, 'package.json')) === 'library'
    // no role of any service is lost by it: who gets in without one is the finding of these services
    const isOpenAnyway = isOpenToAll(root)
    // an MTA deploys other modules alone: whether this one runs anywhere is not in the project
    const isBeside = !root.deployed && deployment.mtas.some(({ file }) => !isForTesting(file))
    const dependencies = npm.byFolder.get(root.root)?.dependencies ?? []
    const readsTokens = dependencies.some(({ name, member }) => member === 'dependencies' && OF_TOKENS.test(name))
    const found = [...developmentAuth(root, isElsewhere), ...assignedAuth(root, isElsewhere)]
    for (const { isLocked, isForTests, hasUsers, exposure, ...match } of found) {
      const kind = match.args?.['kind']
      const isFile = match.variant === undefined || match.variant === 'profile'
      if (hasUsers && isFile && areUsersTold(root, kind)) continue
      const isDeployed = root.deployed && !isElsewhere && !isForTests
      const isProven = isDeployed && !isDemo && isOpenedByAnyName(root, kind)
      // it is why the services want no login: the cause weighs as much as they do
      const isReason = isOpenAnyway && match.evidence === 'assumed' && opensByDefault(root, kind, npm)
      const isCause = isReason && isDeployed
      // callers are users with every role: without it the default would want a login, and nothing else reads tokens
      const isPassed = isReason && kind === 'dummy' && !readsTokens
      yield {
        ...match,
        exposure: { ...exposure, ...(isDemo && { isDemo }), ...(isBehindLogin && { reach: 'user' as const }) },
        // with `dummy` no check is left at all
        ...((isForAllUsers || isProven || (isDemo && hasUsers)) &&
          !isForTests &&
          match.evidence === 'assumed' && { evidence: 'shown' as const }),
        ...(isOpenAnyway &&
          !isPassed &&
          match.evidence === 'assumed' && { impact: 'bounded' as const, evidence: 'shown' as const }),
        ...(isCause && { impact: 'data' as const, ...gradeOfCause(services, root, reach) }),
        ...(isBeside && match.evidence === undefined && { evidence: 'assumed' as const }),
        variant: variantOf(match, isLocked, isForTests),
      }
    }
  },

  text: () => ({
    en: {
      title: 'Development authentication enabled in production',
      message:
        'The effective authentication kind in production is "{kind}": {key} in {file} is set outside any profile, so it applies to all of them.',
      why: ACCEPTS.en.mocked,
      fix: 'Replace the value of {key} in {file} with { "[development]": { "kind": "{kind}" } }: production then uses the default, jwt, which requires @sap/xssec and a bound XSUAA instance. For IAS, add "[production]": { "kind": "ias" }.',
      variants: textsOf('en'),
    },
    fr: {
      title: 'Authentification de développement active en production',
      message:
        'Le type d’authentification effectif en production est "{kind}" : {key} dans {file} est placé hors de tout profil et s’applique donc à tous.',
      why: ACCEPTS.fr.mocked,
      fix: 'Remplacez la valeur de {key} dans {file} par { "[development]": { "kind": "{kind}" } } : la production utilise alors la valeur par défaut, jwt, qui exige @sap/xssec et une instance XSUAA liée. Pour IAS, ajoutez "[production]": { "kind": "ias" }.',
      variants: textsOf('fr'),
    },
  }),
})

/** Tells services of which everything but the ways to a token is answered by handlers around which a function verifies who calls. */
function createVerifiedReader(root: CapRoot): (service: CapService) => boolean {
  const isWrapped = createWrappedReader(root)
  return (service) => service.elements.every((element) => isOfLogin(element) || isWrapped(service, element))
}

/** Nothing but ways to a token. */
function isForLogin({ elements }: CapService): boolean {
  return elements.every(isOfLogin)
}

function isOfLogin({ kind, name }: CapElement): boolean {
  return kind !== 'entity' && LOGS_IN.test(lastName(name))
}

/** Operations that callers without a token are for. */
const LOGS_IN =
  /^(?:log_?(?:in|out)|sign_?(?:in|out)|refresh(?:_?token)?|(?:forgot|reset|request|verify)_?(?:password|otp)\w{0,20})$/i

/** Packages with which code authenticates callers by itself. */
const OF_TOKENS = /^(?:jsonwebtoken|jose|express-jwt|passport(?:-\w{1,30})?)$/

/** What the worst of the services says that it opens, as the rule for them does. */
function gradeOfCause(services: readonly CapService[], root: CapRoot, reach: ReachModel): GradeFacts {
  const { evidence = 'shown', circumstance, impact } = gradeOpened(services, root, reach)
  return { evidence, ...(circumstance !== undefined && { circumstance }), ...(impact !== undefined && { impact }) }
}

/** An image, or a descriptor that starts the application. */
function formOf(file: string): string {
  return /(?:^|[/.])(?:Docker|Container)file(?:\.[^/]{1,60})?$/.test(file) ? 'image' : 'development'
}

function variantOf({ variant = 'unprofiled', args }: Match, isLocked: boolean, isForTests: boolean): string {
  const isLandscape = variant === 'variable' && isForTests
  const form = isLandscape ? 'landscape' : variant === 'development' ? formOf(args?.['file'] ?? '') : variant
  const kind = isLocked ? 'locked' : (args?.['kind'] ?? '')
  return `${form}-${kind === 'basic' || kind === 'dummy' || kind === 'locked' ? kind : 'mocked'}`
}
