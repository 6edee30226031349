import { quoteWord } from '../../quote.ts'
import { authStrategyOf, effectiveConfiguration, isForDevelopment, profilesOf, type CapRoot } from '../../model/cap/index.ts'
import {
  createAppNames,
  findContainerVariables,
  findStartCommands,
  isForTesting,
  isReachableDebugger,
  variableText,
  type Application,
  type EnvironmentVariable,
  type FolderDeployment,
} from '../../model/deployment/index.ts'
import { capRootOf } from '../../model/authorization/index.ts'
import type { Match, Place } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { DEBUGGER, OTHER_MODE, TRACE } from './_consequences.ts'

const INSPECT = 'https://nodejs.org/en/learn/getting-started/debugging#security-implications'
const DEBUG_PACKAGE = 'https://www.npmjs.com/package/debug'

/**
 * A deployment that runs an application in development mode, or with a debugger. Rules on approuters check the variables of the approuter.
 * Facts: Node.js, "Command-line API" (--inspect); Express, "Production best practices" (NODE_ENV); debug (DEBUG); Java buildpack, "Debug Framework";
 * capire, "CDS Properties" of CAP Java (cds.environment.production.enabled).
 * Impact: responses disclose stack traces and pages for development; a debugger runs any code, a log may hold tokens.
 */
export const envDebugOrDev: Rule = defineRule({
  id: 'btp/env-debug-or-dev',
  impact: 'bounded',
  reach: 'anyone',
  grades: {
    // a debug port is open to other containers of the landscape
    debugger: { impact: 'takeover', reach: 'privileged' },
    debuggerCommand: { impact: 'takeover', reach: 'privileged' },
    debuggerImage: { impact: 'takeover', reach: 'privileged' },
    debuggerVariable: { impact: 'takeover', reach: 'privileged' },
    // what a library writes to the log, for those who may read it
    trace: { impact: 'takeover', reach: 'privileged', evidence: 'assumed' },
    traceCommand: { impact: 'takeover', reach: 'privileged', evidence: 'assumed' },
    traceImage: { impact: 'takeover', reach: 'privileged', evidence: 'assumed' },
  },
  confidence: 'high',
  cwe: [489],
  since: '0.1.0',
  docs: 'https://expressjs.com/en/advanced/best-practice-performance#set-node_env-to-production',
  docsByVariant: {
    debugger: INSPECT,
    debuggerCommand: INSPECT,
    debuggerImage: INSPECT,
    trace: DEBUG_PACKAGE,
    traceCommand: DEBUG_PACKAGE,
    traceImage: DEBUG_PACKAGE,
    debuggerVariable: 'https://github.com/cloudfoundry/java-buildpack/blob/main/docs/framework-debug.md',
    developmentCap: 'https://cap.cloud.sap/docs/node.js/cds-env#profiles',
    otherMode: 'https://cap.cloud.sap/docs/node.js/cds-env#profiles',
    developmentJava: 'https://cap.cloud.sap/docs/java/developing-applications/configuring#production-profile',
  },
  on: 'deployment',
  // the switch that opens the dashboard is told there
  yieldsTo: ['cap/java-dashboard-open'],

  *check(deployment, { capRoots, files }) {
    const appsAt = createAppNames(deployment.applications)
    for (const application of deployment.applications) {
      const root = capRootOf(application, capRoots)
      for (const variable of application.variables) {
        if (isForTesting(variable.place.file)) continue
        const text = variableText(variable, application)
        const fault = text === undefined ? undefined : faultOf(variable.name, text, application.isApprouter)
        if (fault === undefined) {
          if (root !== undefined && runsUnproductive(root, application, variable, text))
            yield {
              at: variable.place,
              variant: 'otherMode',
              args: { variable: variable.name, value: text.trim(), app: appsAt(variable.place), production: 'production' },
            }
          continue
        }
        // the authentication that the profile switches off is reported by the rules on CAP
        if (isProfile(variable.name) && root !== undefined && usesDevelopmentAuth(root, application)) continue
        yield { at: variable.place, ...toMatch(variable.name, fault, appsAt(variable.place)) }
      }
    }
    for (const { app, text, place } of findStartCommands(files, deployment)) {
      for (const { name, value, index } of isForTesting(place.file) ? [] : settingsOf(text)) {
        const fault = faultOf(name, value, false)
        if (fault !== undefined) yield { at: place, ...toMatch(name, fault, app, 'Command'), key: `${name} ${index}` }
      }
    }
    for (const { name, text, place, owner } of findContainerVariables(files)) {
      const where = owner === place.file ? 'Image' : 'Container'
      const isOfDevelopers = isForTesting(place.file) || /(?:^|[/._-])devcontainer/i.test(place.file)
      const fault = isOfDevelopers ? undefined : faultOf(name, text, /app-?router/i.test(owner))
      if (fault === undefined || (isProfile(name) && capRoots.some((root) => switchesAuthAt(root, place)))) continue
      yield { at: place, ...toMatch(name, fault, owner, where), ...(fault.variant === undefined && { confidence: 'medium' }) }
    }
  },

  text: () => ({
    en: {
      title: 'Development mode in a deployment',
      message: '{variable} is "{value}" for {app}.',
      why: 'In development mode, frameworks can return stack traces to clients and enable test pages and test users, which can give an attacker internal details or even access.',
      fix: 'Set {variable} to "{production}" for {app}. On Cloud Foundry, you can also remove {variable}: the Node.js buildpack sets NODE_ENV to "production" by default.',
      variants: {
        debugger: {
          title: 'Debugger enabled in a deployment',
          message: '{variable} contains "{value}" for {app}: a debugger can attach to the running process.',
          why: DEBUGGER.en,
          fix: 'Remove "{value}" from {variable} for {app}.',
        },
        debuggerVariable: {
          title: 'Debugger enabled in a deployment',
          message: '{variable} is "{value}" for {app}: a debugger can attach to the running process.',
          why: DEBUGGER.en,
          fix: 'Remove {variable} for {app}.',
        },
        debuggerCommand: {
          title: 'Debugger enabled in a deployment',
          message: 'The start command of {app} contains "{value}": a debugger can attach to the running process.',
          why: DEBUGGER.en,
          fix: 'Remove "{value}" from the start command of {app}.',
        },
        debuggerImage: {
          title: 'Debugger enabled in a deployment',
          message: '{variable} contains "{value}" in the image built from {app}: a debugger can attach to the running process.',
          why: DEBUGGER.en,
          fix: 'Remove "{value}" from {variable} in {app}.',
        },
        developmentCommand: {
          message: 'The start command of {app} sets {variable} to "{value}".',
          fix: 'Replace "{value}" with "{production}" in the start command of {app}.',
        },
        developmentContainer: {
          message: '{variable} is "{value}" for the container {app}.',
          fix: 'Set {variable} to "{production}" for the container {app}.',
        },
        developmentCap: {},
        otherMode: {
          title: 'CAP application deployed outside production mode',
          message: '{variable} is "{value}" for {app}: for CAP, only "{production}" is production mode.',
          why: OTHER_MODE.en,
          fix: 'Set {variable} to "{production}" for {app}, or remove it, and select a profile of your own by CDS_ENV: the Node.js buildpack sets {variable} to "{production}" by default.',
        },
        developmentJava: {
          fix: 'Set {variable} to "{production}" for {app}. On Cloud Foundry, you can also remove {variable}: the Java buildpack activates the "cloud" profile by default.',
        },
        developmentImage: {
          message: '{variable} is "{value}" in the image built from {app}.',
          fix: 'Set {variable} to "{production}" in {app}.',
        },
        trace: {
          title: 'Debug logs enabled for all modules',
          message: '{variable} is "{value}" for {app}: this enables debug messages in every module.',
          why: TRACE.en,
          fix: 'Remove {variable} for {app}, or set it to the module that you want to examine, for example "express:router".',
        },
        traceCommand: {
          title: 'Debug logs enabled for all modules',
          message: 'The start command of {app} sets {variable} to "{value}": this enables debug messages in every module.',
          why: TRACE.en,
          fix: 'Remove {variable} from the start command of {app}, or set it to the module that you want to examine, for example "express:router".',
        },
        traceImage: {
          title: 'Debug logs enabled for all modules',
          message: '{variable} is "{value}" in the image built from {app}: this enables debug messages in every module.',
          why: TRACE.en,
          fix: 'Remove {variable} for {app}, or set it to the module that you want to examine, for example "express:router".',
        },
      },
    },
    fr: {
      title: 'Mode développement dans un déploiement',
      message: '{variable} vaut "{value}" pour {app}.',
      why: 'En mode développement, les frameworks peuvent renvoyer des traces de pile (stack traces) aux clients et activer des pages et des utilisateurs de test, ce qui peut fournir à un attaquant des détails internes, voire un accès.',
      fix: 'Donnez à {variable} la valeur "{production}" pour {app}. Sur Cloud Foundry, vous pouvez aussi supprimer {variable} : le buildpack Node.js donne par défaut à NODE_ENV la valeur "production".',
      variants: {
        debugger: {
          title: 'Débogueur activé dans un déploiement',
          message: '{variable} contient "{value}" pour {app} : un débogueur peut se connecter au processus en cours.',
          why: DEBUGGER.fr,
          fix: 'Supprimez "{value}" de {variable} pour {app}.',
        },
        debuggerVariable: {
          title: 'Débogueur activé dans un déploiement',
          message: '{variable} vaut "{value}" pour {app} : un débogueur peut se connecter au processus en cours.',
          why: DEBUGGER.fr,
          fix: 'Supprimez {variable} pour {app}.',
        },
        debuggerCommand: {
          title: 'Débogueur activé dans un déploiement',
          message: 'La commande de démarrage de {app} contient "{value}" : un débogueur peut se connecter au processus en cours.',
          why: DEBUGGER.fr,
          fix: 'Supprimez "{value}" de la commande de démarrage de {app}.',
        },
        debuggerImage: {
          title: 'Débogueur activé dans un déploiement',
          message:
            '{variable} contient "{value}" dans l’image construite à partir du fichier {app} : un débogueur peut se connecter au processus en cours.',
          why: DEBUGGER.fr,
          fix: 'Supprimez "{value}" de {variable} dans le fichier {app}.',
        },
        developmentCommand: {
          message: 'La commande de démarrage de {app} donne à {variable} la valeur "{value}".',
          fix: 'Remplacez "{value}" par "{production}" dans la commande de démarrage de {app}.',
        },
        developmentContainer: {
          message: '{variable} vaut "{value}" pour le conteneur {app}.',
          fix: 'Donnez à {variable} la valeur "{production}" pour le conteneur {app}.',
        },
        developmentCap: {},
        otherMode: {
          title: 'Application CAP déployée hors du mode production',
          message: '{variable} vaut "{value}" pour {app} : pour CAP, seule la valeur "{production}" active le mode production.',
          why: OTHER_MODE.fr,
          fix: 'Donnez à {variable} la valeur "{production}" pour {app}, ou supprimez-la, et choisissez votre profil avec CDS_ENV : le buildpack Node.js donne par défaut à {variable} la valeur "{production}".',
        },
        developmentJava: {
          fix: 'Donnez à {variable} la valeur "{production}" pour {app}. Sur Cloud Foundry, vous pouvez aussi supprimer {variable} : le buildpack Java active par défaut le profil "cloud".',
        },
        developmentImage: {
          message: '{variable} vaut "{value}" dans l’image construite à partir du fichier {app}.',
          fix: 'Donnez à {variable} la valeur "{production}" dans le fichier {app}.',
        },
        trace: {
          title: 'Journaux de débogage activés pour tous les modules',
          message: '{variable} vaut "{value}" pour {app} : les messages de débogage de tous les modules sont activés.',
          why: TRACE.fr,
          fix: 'Supprimez {variable} pour {app}, ou n’indiquez que le module à examiner, par exemple "express:router".',
        },
        traceCommand: {
          title: 'Journaux de débogage activés pour tous les modules',
          message:
            'La commande de démarrage de {app} donne à {variable} la valeur "{value}" : les messages de débogage de tous les modules sont activés.',
          why: TRACE.fr,
          fix: 'Supprimez {variable} de la commande de démarrage de {app}, ou n’indiquez que le module à examiner, par exemple "express:router".',
        },
        traceImage: {
          title: 'Journaux de débogage activés pour tous les modules',
          message:
            '{variable} vaut "{value}" dans l’image construite à partir du fichier {app} : les messages de débogage de tous les modules sont activés.',
          why: TRACE.fr,
          fix: 'Supprimez {variable} du fichier {app}, ou n’indiquez que le module à examiner, par exemple "express:router".',
        },
      },
    },
  }),
})

/** Variables in front of a command, and options of Node.js as if they were in NODE_OPTIONS. */
function settingsOf(command: string): { readonly name: string; readonly value: string; readonly index: number }[] {
  const variables = command.matchAll(/(?<=^|[\s;&])(NODE_ENV|CDS_ENV|SPRING_PROFILES_ACTIVE|DEBUG)=["']?([^\s"';&]{1,200})/g)
  const options = command.matchAll(/(?<=\s)--inspect(?:-brk|-wait)?(?:=[^\s]{1,100})?(?=\s|$)/g)
  return [
    ...[...variables].map(({ 1: name = '', 2: value = '', index }) => ({ name, value, index })),
    ...[...options].map(({ 0: value, index }) => ({ name: 'NODE_OPTIONS', value, index })),
  ]
}

/** Where a variable is set, if not for an application of Cloud Foundry, or that it is one of CAP; the ends of names of variants. */
type Where = 'Command' | 'Container' | 'Image' | 'Java' | 'Cap'

function toMatch(variable: string, { value, variant }: Fault, app: string, where?: Where): Omit<Match, 'at'> {
  const production = PRODUCTION_VALUES.get(variable) ?? 'production'
  const isLocal = value.startsWith('--inspect') && !isReachableDebugger(value)
  return {
    args: { variable: quoteWord(variable), value, app, production },
    ...(variable === 'JBP_CONFIG_DEBUG' && where !== 'Image' && where !== 'Command'
      ? { variant: 'debuggerVariable' }
      : withVariant(variant, where ?? (PRODUCTION_VALUES.has(variable) ? 'Java' : variable === 'CDS_ENV' ? 'Cap' : undefined))),
    ...(isLocal && { reach: 'local' }),
  }
}

function withVariant(fault: Fault['variant'], where: Where | undefined): Pick<Match, 'variant'> {
  if (fault === undefined) return where === undefined ? {} : { variant: `development${where}` }
  // containers run applications too
  return { variant: where === undefined || where === 'Container' ? fault : `${fault}${where}` }
}

interface Fault {
  readonly value: string
  readonly variant?: 'debugger' | 'trace'
}

const DEVELOPMENT = /^(?:dev|develop|development|test|testing|local)$/i
const PRODUCTION_VALUES: ReadonlyMap<string, string> = new Map([
  ['SPRING_PROFILES_ACTIVE', 'cloud'],
  ['CDS_ENVIRONMENT_PRODUCTION_ENABLED', 'true'],
])

function faultOf(name: string, text: string, isApprouter: boolean): Fault | undefined {
  const words = text.split(',', 50).map((word) => word.trim())
  switch (name) {
    case 'NODE_ENV':
      return DEVELOPMENT.test(text.trim()) ? { value: text.trim() } : undefined
    case 'CDS_ENV':
      return words.some((word) => DEVELOPMENT.test(word) || word === 'hybrid') ? { value: text } : undefined
    case 'SPRING_PROFILES_ACTIVE':
      return words.some((word) => DEVELOPMENT.test(word) || /^(?:default|mock(?:ed)?)$/i.test(word)) ? { value: text } : undefined
    case 'CDS_ENVIRONMENT_PRODUCTION_ENABLED':
      return text.trim() === 'false' ? { value: 'false' } : undefined
    case 'NODE_OPTIONS': {
      const option = /(?:^|\s)(--inspect(?:-brk|-wait)?(?:=[^\s]{0,100})?)(?=\s|$)/.exec(text)?.[1]
      return option === undefined ? undefined : { value: option, variant: 'debugger' }
    }
    case 'JBP_CONFIG_DEBUG':
      return /enabled["']?\s{0,5}:\s{0,5}["']?true/i.test(text) ? { value: text, variant: 'debugger' } : undefined
    case 'DEBUG':
      return !isApprouter && words.includes('*') ? { value: text, variant: 'trace' } : undefined
    default:
      return undefined
  }
}

function isProfile(name: string): boolean {
  return name === 'NODE_ENV' || name === 'CDS_ENV'
}

/**
 * NODE_ENV names a profile of the project's own, and no other variable switches production on. Where the model says that CAP then knows mocked users, the rules
 * on authentication tell it.
 */
function runsUnproductive(
  root: CapRoot,
  application: Application,
  { name, place }: EnvironmentVariable,
  text: string | undefined,
): text is string {
  if (name !== 'NODE_ENV' || text === undefined || !/^[\w.-]{1,60}$/.test(text.trim()) || root.runtime === 'java') return false
  const set = application.variables.findLast((variable) => variable.name === name)
  if (set?.place.span?.start !== place.span?.start || profilesOf(application.variables).includes('production')) return false
  return !usesDevelopmentAuth(root, application)
}

/** The variable at a place gives a root an authentication for development. */
function switchesAuthAt(root: CapRoot, { file, span }: Place): boolean {
  return root.deployments.some(
    (deployment) =>
      deployment.variables.some(({ place }) => place.file === file && place.span?.start === span?.start) &&
      usesDevelopmentAuth(root, deployment),
  )
}

function usesDevelopmentAuth(root: CapRoot, { variables }: FolderDeployment): boolean {
  if (root.runtime === 'java') return false
  const profiles = profilesOf(variables)
  const { kind, custom } = authStrategyOf(effectiveConfiguration(root, profiles, variables))
  return !custom && isForDevelopment(kind ?? (profiles.includes('production') ? 'jwt' : 'mocked'))
}
