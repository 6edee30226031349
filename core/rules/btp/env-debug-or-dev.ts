import { authStrategyOf, effectiveConfiguration, isForDevelopment, profilesOf, type CapRoot } from '../../model/cap/index.ts'
import { findContainerVariables, isForTesting, variableText, type FolderDeployment } from '../../model/deployment/index.ts'
import { capRootOf } from '../../model/authorization/index.ts'
import type { Place } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** A deployment that runs an application as on a developer's machine, or opens a debugger.
 *  Facts: Node.js, "Command-line API" (--inspect); Express, "Production best practices" (NODE_ENV); debug (DEBUG); Cloud Foundry Java buildpack,
 *  "Debug Framework". Variables of the approuter itself (REQUEST_TRACE, XS_APP_LOG_LEVEL) are the business of approuter/trace-env-on. */
export const envDebugOrDev: Rule = defineRule({
  id: 'btp/env-debug-or-dev',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [489],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/node.js/authentication',
  on: 'deployment',

  *check({ applications }, { capRoots, files }) {
    for (const application of applications) {
      const root = capRootOf(application, capRoots)
      for (const variable of application.variables) {
        if (isForTesting(variable.place.file)) continue
        const text = variableText(variable, application)
        const fault = text === undefined ? undefined : faultOf(variable.name, text, application.isApprouter)
        if (fault === undefined) continue
        // cap/auth-kind-non-production says what is worse about it
        if (isProfile(variable.name) && root !== undefined && letsEverybodyIn(root, application)) continue
        const { value, variant } = fault
        const args = { variable: variable.name, value, app: application.name ?? application.file }
        yield { at: variable.place, args, ...(variant !== undefined && { variant }) }
      }
    }
    for (const { name, text, place, owner } of findContainerVariables(files)) {
      const isOfDevelopers = isForTesting(place.file) || /(?:^|[/._-])(?:compose|devcontainer)/i.test(place.file)
      const fault = isOfDevelopers ? undefined : faultOf(name, text, /app-?router/i.test(owner))
      if (fault === undefined || (isProfile(name) && capRoots.some((root) => opensAt(root, place)))) continue
      const { value, variant } = fault
      const args = { variable: name, value, app: owner }
      yield { at: place, args, ...(variant !== undefined && { variant }), ...(variant === undefined && { confidence: 'medium' }) }
    }
  },

  text: {
    en: {
      title: 'A deployment runs in development mode',
      message: '{variable} is {value} for {app}.',
      why: 'Frameworks then answer errors with stack traces, leave out checks, and switch on pages and users for development.',
      fix: 'Remove {variable}, or write the value for production; the platform sets NODE_ENV: production by itself.',
      variants: {
        debugger: {
          title: 'A deployment opens a debugger',
          message: '{variable} is {value} for {app}: a debugger may connect to the running process.',
          why: 'Whoever reaches the debug port (through a route, an SSH tunnel or a neighbour container) runs any code in the application.',
          fix: 'Remove {value} from {variable}.',
        },
        trace: {
          title: 'A deployment logs everything',
          message: '{variable} is {value} for {app}: every module writes its debug messages.',
          why: 'Headers, tokens and queries land in the log, where many more people read than in the database.',
          fix: 'Remove {variable}, or name the one module that you look into.',
        },
      },
    },
    fr: {
      title: 'Un déploiement tourne en mode développement',
      message: '{variable} vaut {value} pour {app}.',
      why: 'Les frameworks répondent alors aux erreurs par des traces d’appel, omettent des contrôles et activent des pages et utilisateurs de développement.',
      fix: 'Supprimez {variable}, ou écrivez la valeur de production ; la plateforme définit elle-même NODE_ENV: production.',
      variants: {
        debugger: {
          title: 'Un déploiement ouvre un débogueur',
          message: '{variable} vaut {value} pour {app} : un débogueur peut se connecter au processus en marche.',
          why: 'Quiconque atteint le port de débogage (par une route, un tunnel SSH ou un conteneur voisin) exécute n’importe quel code dans l’application.',
          fix: 'Retirez {value} de {variable}.',
        },
        trace: {
          title: 'Un déploiement journalise tout',
          message: '{variable} vaut {value} pour {app} : chaque module écrit ses messages de débogage.',
          why: 'En-têtes, jetons et requêtes finissent dans le journal, que bien plus de gens lisent que la base de données.',
          fix: 'Supprimez {variable}, ou nommez le seul module que vous examinez.',
        },
      },
    },
  },
})

interface Fault {
  readonly value: string
  readonly variant?: 'debugger' | 'trace'
}

const DEVELOPMENT = /^(?:dev|develop|development|test|testing|local)$/i

function faultOf(name: string, text: string, isApprouter: boolean): Fault | undefined {
  const words = text.split(',', 50).map((word) => word.trim())
  switch (name) {
    case 'NODE_ENV':
      return DEVELOPMENT.test(text.trim()) ? { value: text.trim() } : undefined
    case 'CDS_ENV':
      return words.some((word) => DEVELOPMENT.test(word) || word === 'hybrid') ? { value: text } : undefined
    case 'SPRING_PROFILES_ACTIVE':
      return words.some((word) => DEVELOPMENT.test(word) || /^(?:default|mock(?:ed)?)$/i.test(word)) ? { value: text } : undefined
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

/** The variable at a place deploys a root so that everybody gets in. */
function opensAt(root: CapRoot, { file, span }: Place): boolean {
  return root.deployments.some(
    (deployment) =>
      deployment.variables.some(({ place }) => place.file === file && place.span?.start === span?.start) &&
      letsEverybodyIn(root, deployment),
  )
}

function letsEverybodyIn(root: CapRoot, { variables }: FolderDeployment): boolean {
  if (root.runtime === 'java') return false
  const profiles = profilesOf(variables)
  const { kind, custom } = authStrategyOf(effectiveConfiguration(root, profiles, variables))
  return !custom && isForDevelopment(kind ?? (profiles.includes('production') ? 'jwt' : 'mocked'))
}
