import type { StepCounter } from '../budget.ts'
import type { Scripts } from '../extracts/scripts.ts'
import type { NameNotes, OpenContent, OpenFile, ProjectFile } from '../files.ts'
import type { AdvisoryAnswer } from '../advisories/types.ts'
import type { CatalogueAnswer } from '../catalogue/types.ts'
import type { FlowHit } from '../flow/index.ts'
import type { CredentialFile } from '../secrets/index.ts'
import type { NetworkLibrary, Ui5App } from '../model/ui5/index.ts'
import type { CapRoot } from '../model/cap/index.ts'
import type { SecurityOf } from '../model/authorization/index.ts'
import type { Deployment } from '../model/deployment/index.ts'
import type { SpringModule } from '../model/java/index.ts'
import type { Approuter } from '../model/approuter/index.ts'
import type { ReachModel } from '../model/reach/index.ts'
import type { NpmProject } from '../model/npm/index.ts'
import type { LockedPackages } from '../parse/lock/index.ts'
import type { Once } from '../once.ts'

type As<K extends OpenContent['as']> = OpenFile<Extract<OpenContent, { as: K }>>

/** Subjects of the phase *read*, one file each. Files of tests are handed to rules that ask for them alone. */
export interface FileSubjects {
  credentials: CredentialFile
  /** Every script, and the inline scripts of a page. */
  script: As<'script'>
  /** Those that run on a server, by all that path, imports and globals tell; without those that only developers run. */
  'server-script': As<'script'>
  /** Those that run in a browser. */
  'browser-script': As<'script'>
  data: As<'data'>
  xml: As<'markup'>
  html: As<'markup'>
  cds: As<'cds'>
  sqlscript: As<'sqlscript'>
  csv: As<'csv'>
}

/** Subjects of the phase *check*: what joins files. */
export interface ModelSubjects {
  /** Handed to the one rule that the fault names. */
  flow: FlowHit
  'ui5-app': Ui5App
  'cap-root': CapRoot
  approuter: Approuter
  packages: LockedPackages
  deployment: Deployment
  project: Project
}

export interface Subjects extends FileSubjects, ModelSubjects {}
export type SubjectName = keyof Subjects

/** What a rule knows beside its subject: the whole project in the phase *check*, the day alone in the phase *read*. */
export type ContextOf<Name extends SubjectName> = Contexts[Name]

interface Contexts extends Record<keyof FileSubjects, ScanDay>, Record<keyof ModelSubjects, Project> {}

export interface ScanDay {
  /** Day of the scan, ISO 8601: the clock of all rules. */
  readonly date: string
}

/** What the files of a project tell together. */
export interface ProjectModels extends ScanDay, NameNotes {
  /** Each look-up and each visit counts a step. */
  readonly files: ReadonlyMap<string, ProjectFile>
  /** Counts what is done beside that, over all rules. Throws a StopSignal. */
  readonly step: StepCounter['step']
  readonly scripts: Scripts
  readonly ui5Apps: readonly Ui5App[]
  /** Libraries that pages load from a network: what is fetched of them, and what is said. */
  readonly networkLibraries: readonly NetworkLibrary[]
  readonly capRoots: readonly CapRoot[]
  readonly approuters: readonly Approuter[]
  readonly npm: NpmProject
  /** Of `npm`: what lock files resolved, and what is named without one. */
  readonly packages: readonly LockedPackages[]
  readonly deployment: Deployment
  readonly reach: ReachModel
  /** The security descriptors of a CAP project; what they say is joined with the projects for the first that is asked about. */
  readonly securityOf: SecurityOf
  /** Read by the rule that asks first, whose steps it takes. */
  springModules(): readonly SpringModule[]
  /** A page with the launchpad starts the app. Read for the first app that is asked about. */
  isStartedByLaunchpad(app: Ui5App): boolean
}

/** The same with what was fetched and solved: all that a rule may ask for. */
export interface Project extends ProjectModels {
  readonly advisories: AdvisoryAnswer
  readonly catalogue: CatalogueAnswer
  /** What several rules ask of the project. */
  readonly once: Once<Project>
}
