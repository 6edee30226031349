import type { Locale, Severity } from '../types.ts'
import type { AdvisoryRecord } from './record.ts'

/** An advisory about an npm package. */
export interface Advisory {
  readonly id: string
  readonly aliases: readonly string[]
  readonly package: string
  readonly severity: Severity
  /** In words; its id where it has none. */
  readonly title: Readonly<Record<Locale, string>>
  readonly cwe: readonly number[]
  /** The affected versions. */
  readonly intervals: readonly Interval[]
  /** Every affected version as a range of npm's grammar. */
  readonly affected: string
  /** Lowest version that has the fix for the version asked about. */
  readonly fixed?: string
  readonly malware: boolean
}

export interface PackageVersion {
  readonly name: string
  readonly version: string
  /** Of a private scope or registry: nothing about it leaves the machine, the snapshot alone answers. */
  readonly isPrivate?: boolean
}

/** What is known about the packages of a scan; plain data that may cross a thread. */
export interface AdvisoryAnswer {
  /** `osv`: the database answered; `bundled`: the snapshot alone; `file`: one that was fetched before. */
  readonly source: 'osv' | 'bundled' | 'file'
  /** ISO 8601 day that the answer is as of. */
  readonly date: string
  /** False where the database was to be asked and could not be. */
  readonly complete: boolean
  /** Of each package with a match: all versions that the snapshot knows to be affected, so that no upgrade leads to another advisory. */
  readonly others?: ReadonlyMap<string, readonly Interval[]>
  readonly matches: readonly { readonly name: string; readonly version: string; readonly advisory: Advisory }[]
  /** How many of the packages were looked up, where so many advisories affect them that the others were not. */
  readonly lookedUp?: number
}

/** Asked once a scan. Never rejects: whatever goes wrong, the snapshot answers and `complete` is false. Lives on the main side. */
export interface AdvisoryPort {
  query(packages: readonly PackageVersion[], signal?: AbortSignal): Promise<AdvisoryAnswer>
  /** What it asks, where matching may as well run elsewhere: it takes time that those who wait for other answers don't have. */
  readonly source?: AdvisorySource
}

/** Where advisories come from: `osv`, a database; `file`, what one knew before; `bundled`: nobody is asked. Plain data goes in and comes out. Never rejects. */
export interface AdvisorySource {
  readonly kind: AdvisoryAnswer['source']
  /** Asked once a scan; without versions where they make no difference. */
  find(packages: readonly AskedPackage[], signal?: AbortSignal): Promise<AdvisoryLookup>
  /** Has so many ms, and tells what it got; undefined: nothing, since nobody answers. */
  load(ids: readonly string[], within: number, signal?: AbortSignal): Promise<LoadedRecords | undefined>
}

/** A package to ask about: one version of it, or all. */
export interface AskedPackage {
  readonly name: string
  readonly version?: string
}

export interface AdvisoryLookup {
  /** ISO 8601 day that it is as of. */
  readonly date: string
  /** Of each package those of the advisories about it; undefined for a package of which nothing is known. Undefined as a whole: nobody answers. */
  readonly ids: readonly (readonly string[] | undefined)[] | undefined
}

/** By id; an advisory has a record for each package that it is about, none where it was taken back. */
export type LoadedRecords = ReadonlyMap<string, readonly AdvisoryRecord[]>

/** Versions from `introduced` (`0`: from the first one, prereleases included) up to `fixed` (exclusive) or `lastAffected`; without an end: all later ones. */
export interface Interval {
  readonly introduced: string
  readonly fixed?: string
  readonly lastAffected?: string
}
