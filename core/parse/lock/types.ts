import type { Span } from '../../types.ts'

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
  /** The ranges by which other packages require it. Undefined where the lock file does not tell (pnpm-lock.yaml, package-lock.json
   *  of version 1 without `requires`). */
  readonly wanted?: readonly string[]
  /** The packages that require it, by their names. Undefined as for `wanted`, and where none does. */
  readonly neededBy?: readonly string[]
  /** No root of the lock file leads to it, although the lock file tells its roots: left behind by an earlier state. */
  readonly isOrphan?: true
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
  /** What the lock file can't tell by itself: which of its packages the project names, for production or development (yarn.lock, package-lock.json of version 1). See `scopeByManifests`. */
  readonly unscoped?: UnscopedGraph
}

export interface UnscopedGraph extends LockGraph {
  /** Key of the entry that answers a descriptor, `name@range`; none in package-lock.json, which has one entry on top for a name. */
  readonly keys: ReadonlyMap<string, string>
  /** Keys of the entries of a name. */
  readonly namesakes: ReadonlyMap<string, readonly string[]>
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

/** A package as a lock file tells it, before it is known how it came in. */
export interface LockNode extends Span {
  readonly name: string
  readonly version: string
  /** False: no package of a registry (git, folder, tarball); it is only a link of chains. */
  readonly listed: boolean
  readonly scope?: PackageScope
  /** Where it was fetched from, where the lock file says so. */
  readonly host?: string
  readonly origin?: LockOrigin
  /** Keys of the packages that it needs. */
  readonly requires: readonly string[]
  /** The range of each of them, where the lock file tells. */
  readonly ranges?: readonly (string | undefined)[]
  /** Those of them that it works without: optional peers, which somebody else has installed. */
  readonly optionalPeers?: ReadonlySet<string>
}

/** What a lock file resolved, by its own keys. `roots`: what the project itself names, where that is told. */
export interface LockGraph {
  readonly nodes: ReadonlyMap<string, LockNode>
  readonly roots?: readonly LockRoot[]
  /** True: a package without a host is of the project's registry. False: its host was not told. */
  readonly hostless: boolean
}

export interface LockRoot {
  readonly key: string
  /** Undefined: the lock file does not tell. */
  readonly scope?: PackageScope
}
