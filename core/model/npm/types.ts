import type { Place, Span } from '../../types.ts'
import type { LockGraph } from './graph.ts'

export type PackageScope = 'production' | 'development'

/** What one lock file resolved, or what a package.json without a lock file names. */
export interface LockedPackages {
  readonly file: string
  readonly packages: readonly LockedPackage[]
  /** Of a lock file: what no registry gave (git, archives of the disk), and what it knows of the project itself. Undefined: no lock file. */
  readonly lock?: LockFacts
}

/** One resolved package; its span is where the file names it. */
export interface LockedPackage extends Span, LockOrigin {
  readonly name: string
  readonly version: string
  /** Set where nothing is resolved: the range that a package.json names; `version` is then the lowest that it allows. */
  readonly range?: string
  /** Undefined where the lock file does not tell. */
  readonly scope?: PackageScope
  /** A dependency that the project itself names. */
  readonly direct: boolean
  /** The chain of packages that brings it in, from a direct one to itself: `express > qs`. Undefined where the lock file does not tell. */
  readonly path?: string
  /** Of a private scope or registry: nothing about it leaves the machine. */
  readonly isPrivate: boolean
}

/** What a lock file says about where a package comes from and what it does. */
export interface LockOrigin {
  /** The address that it is fetched from, where the lock file writes it. */
  readonly resolved?: string
  /** Whether the lock file can tell a changed archive: by a strong hash, by SHA-1 alone, or not at all. Undefined: nothing to check, or not this format's business. */
  readonly integrity?: 'strong' | 'weak' | 'none'
  /** It runs a script when it is installed. */
  readonly runsOnInstall?: boolean
  /** What its publisher says about its end. */
  readonly deprecated?: string
  /** The package that ships it in its own archive, or that fixes its version. */
  readonly heldBy?: string
}

export interface LockFacts {
  /** Host that most packages come from; '' where addresses are not written. */
  readonly ownHost: string
  readonly others: readonly LockedOther[]
  /** Undefined where the format does not tell (package-lock.json of version 1). */
  readonly importers?: readonly LockImporter[]
  /** `name@range` that the entries answer (yarn.lock). */
  readonly descriptors?: ReadonlySet<string>
  /** What the lock file can't tell by itself: which of its packages only development needs (yarn.lock). See `scopeByManifests`. */
  readonly unscoped?: UnscopedGraph
}

export interface UnscopedGraph extends LockGraph {
  /** Keys of what answers a dependency: the entry of that range, else those of the name. */
  find(name: string, range: string): readonly string[]
}

/** An entry that no registry gave. */
export interface LockedOther extends Span {
  readonly name: string
  readonly resolved: string
}

/** One folder of the project as the lock file knows it: the root, or a workspace. */
export interface LockImporter {
  /** Relative to the lock file; '' is its own folder. */
  readonly folder: string
  /** What it resolves each dependency of the folder to; undefined: a link, or no version of a registry. A name that is missing is not resolved. */
  readonly versions: ReadonlyMap<string, string | undefined>
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

/** One entry of `overrides` (npm), `resolutions` (yarn) or `pnpm.overrides`. */
export interface PackageOverride extends Span {
  readonly name: string
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
  /** The package whose workspaces it is one of. */
  readonly memberOf?: string
  /** What says that it is deployed: the descriptor's path. */
  readonly deployedBy: readonly string[]
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
  readonly settings: readonly NpmSetting[]
  /** Lock files, and what a package.json names without one. */
  readonly locked: readonly LockedPackages[]
  readonly named: readonly NamedVersion[]
}
