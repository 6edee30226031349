import type { StepCounter } from '../../budget.ts'
import type { LockedPackages } from '../../parse/lock/index.ts'
import type { Place, Span } from '../../types.ts'

/** What a package manager writes, the commands that write it and hold to it, and where it reads versions that replace others. */
export interface PackageManager {
  readonly install: string
  readonly lock: string
  /** The setting that, when false, keeps it from writing a lock file; '': it has none. */
  readonly lockSetting: string
  /** Installs what the lock file says. */
  readonly build: string
  /** The same without what is for development alone. */
  readonly deploy: string
  readonly audit: string
  readonly add: string
  readonly remove: string
  readonly list: string
  readonly overrides: string
}

export type DependencyMember = 'dependencies' | 'devDependencies' | 'optionalDependencies' | 'peerDependencies'

/** One dependency that a package.json names; its span is that of the range. */
export interface Dependency extends Span {
  readonly name: string
  readonly member: DependencyMember
  /** As written: a range, a tag, an address, a folder. */
  readonly range: string
  readonly nameSpan: Span
}

export interface PackageScript extends Span {
  readonly name: string
  readonly command: string
}

export type OverrideMember = 'overrides' | 'resolutions' | 'pnpm.overrides'

/** One entry of `overrides` (npm), `resolutions` (yarn) or `pnpm.overrides`. */
export interface PackageOverride extends Span {
  readonly name: string
  readonly member: OverrideMember
  readonly range: string
}

/** A package.json of the project, tests left out. */
export interface NpmPackage {
  readonly file: string
  readonly folder: string
  readonly name?: string
  readonly isPrivate: boolean
  readonly dependencies: readonly Dependency[]
  /** The key `dependencies` itself. */
  readonly dependenciesSpan?: Span
  readonly scripts: readonly PackageScript[]
  /** `engines.node`. */
  readonly node?: Span & { readonly range: string }
  readonly overrides: readonly PackageOverride[]
  /** Globs of its workspaces. */
  readonly workspaces: readonly string[]
  /** Of Corepack: `pnpm@9.1.0`. */
  readonly packageManager?: string
  /** By Corepack or its lock file, else the one that most packages of the project use. */
  readonly manager: PackageManager
  /** The package whose workspaces it is one of. */
  readonly memberOf?: string
  /** What says that it is deployed: the descriptor's path. */
  readonly deployedBy: readonly string[]
  /** All that deploys it leaves it stopped: nothing of it runs. */
  readonly isStopped: boolean
  /** All that deploys it are images with a server of files: what is built of it is all that runs. */
  readonly isOfFiles: boolean
  /** The lock files that tell what is installed here. */
  readonly locks: readonly LockedPackages[]
}

/** One setting of .npmrc, .yarnrc or .yarnrc.yml, in npm's names; its place is the whole setting. */
export interface NpmSetting {
  /** Lower case; for a scope's registry `@scope:registry`. */
  readonly key: string
  readonly value: string
  readonly place: Place
}

/** An exact version that is named elsewhere than among dependencies: an override, an archive's address, a command. */
export interface NamedVersion {
  readonly name: string
  readonly version: string
  readonly place: Place
  /** Of a scope that settings map to a registry of their own. */
  readonly isPrivate?: boolean
}

/** What the project says about its packages. */
export interface NpmProject {
  readonly packages: readonly NpmPackage[]
  readonly byFolder: ReadonlyMap<string, NpmPackage>
  /** The one that most packages use; npm, where none tells. */
  readonly manager: PackageManager
  readonly settings: readonly NpmSetting[]
  /** Lock files, and what a package.json names without one. */
  readonly locked: readonly LockedPackages[]
  readonly named: readonly NamedVersion[]
  /** Words of settings that may name a package, and packages that pages load as files. Read once for all lock files, by whoever asks first: `step` counts it. */
  namedInSettings(step: StepCounter['step']): ReadonlySet<string>
}
