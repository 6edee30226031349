import type { Locale, Severity } from '../types.ts'
import type { Interval } from './intervals.ts'

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
}

/** Asked once a scan. Never rejects: whatever goes wrong, the snapshot answers and `complete` is false. Lives on the main side. */
export interface AdvisoryPort {
  query(packages: readonly PackageVersion[], signal?: AbortSignal): Promise<AdvisoryAnswer>
}
