import { createBudget, StopSignal } from '../budget.ts'
import { createScripts } from '../extracts/scripts.ts'
import type { ProjectFile } from '../files.ts'
import { countVisits, untilCancelled } from '../meter.ts'
import { indexSecurity, type SecurityOf } from '../model/authorization/index.ts'
import { findApprouters } from '../model/approuter/index.ts'
import { findCapRoots } from '../model/cap/index.ts'
import { readDeployment, type Deployment } from '../model/deployment/index.ts'
import { findSpringModules, type SpringModule } from '../model/java/index.ts'
import { findNpmProject, managerOfCommand, type NpmProject } from '../model/npm/index.ts'
import { createLaunchpadReader, findNetworkLibraries, findUi5Apps } from '../model/ui5/index.ts'
import { createReachModel } from '../model/reach/index.ts'
import type { ProjectModels } from '../rules/subjects.ts'
import type { ScanContext } from './scan-context.ts'

const NO_DEPLOYMENT: Deployment = {
  mtas: [],
  applications: [],
  services: [],
  destinations: [],
  databases: [],
  moduleFolders: [],
  placeOf: () => ({ file: '' }),
}
const NO_PACKAGES: NpmProject = {
  packages: [],
  byFolder: new Map(),
  manager: managerOfCommand('npm'),
  settings: [],
  locked: [],
  named: [],
  namedInSettings: () => new Set(),
}

/** Of each model: files and items of them that are visited, over all apps and roots; those that use each other's files would else cost the square of them. */
const MODEL_STEPS = 12_000_000
/** The same where the time is over: tens of milliseconds. */
const LATE_STEPS = 500_000

/** Files to what a reader knows of the project. A model that fails is a notice, and the rules on it are silent. */
export function buildModels(
  read: ReadonlyMap<string, ProjectFile>,
  { engine, findings, plan, options, control, meter, isLate }: ScanContext,
): ProjectModels {
  const { step } = meter
  const files = countVisits(read, step)
  const build = <Thing>(part: string, make: () => Thing, otherwise: Thing): Thing => {
    meter.use(createBudget(isLate === true ? LATE_STEPS : MODEL_STEPS, control.interruption))
    try {
      return make()
    } catch (error) {
      if (error instanceof StopSignal && error.reason !== 'cancelled') {
        if (error.reason === 'time') findings.outOfTime()
        else findings.notice({ code: 'time-limit', reason: 'model', args: { part }, partial: true })
        return otherwise
      }
      if (error instanceof StopSignal) throw error
      control.onFault?.({ error })
      findings.notice({ code: 'rule-failed', reason: 'model', args: { part }, partial: true })
      return otherwise
    }
  }
  const scripts = createScripts(read.values(), new Set(engine.extracts))
  const npm = build('npm', () => findNpmProject(files, step), NO_PACKAGES)
  const deployment = build('deployment', () => readDeployment(files), NO_DEPLOYMENT)
  const capRoots = build('cap', () => findCapRoots(files, scripts, step), [])
  let indexed: SecurityOf | undefined
  const securityOf: SecurityOf = (root) => (indexed ??= indexSecurity(deployment, capRoots))(root)
  let springModules: readonly SpringModule[] | undefined
  const approuters = build('approuter', () => findApprouters(files, scripts, step, deployment), [])
  const ui5Apps = build('ui5', () => findUi5Apps(files, scripts), [])
  const networkLibraries = build('ui5', () => findNetworkLibraries(files, scripts), [])
  // what follows passes over the files once, and counts so that it can be cancelled
  meter.use(untilCancelled(control))
  return {
    files,
    step,
    scripts,
    builtSources: plan.builtSources,
    namelessFiles: plan.namelessFiles,
    personalDocuments: plan.personalDocuments,
    date: options.scannedAt,
    ui5Apps,
    networkLibraries,
    isStartedByLaunchpad: createLaunchpadReader(ui5Apps, files),
    capRoots,
    approuters,
    npm,
    packages: npm.locked,
    deployment,
    securityOf,
    springModules: () => (springModules ??= findSpringModules(files, step)),
    reach: createReachModel({
      files,
      scripts,
      capRoots,
      npm,
      approuters,
      applications: deployment.applications,
      mtas: deployment.mtas,
      settings: plan.config.grades?.reach ?? [],
      securityOf,
    }),
  }
}
