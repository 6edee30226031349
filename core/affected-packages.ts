import type { Localized, Severity } from './terms.ts'

/** A published advisory as a finding lists it; the severity is the advisory's own. */
export interface ListedAdvisory {
  readonly id: string
  readonly aliases: readonly string[]
  readonly severity: Severity
  readonly title: Localized<string>
  readonly fixed?: string
}

/** What to move so that a package version goes. */
export interface PackageUpgrade {
  /** The package itself, or the direct dependency that keeps it. */
  readonly package: string
  readonly from: string
  /** Undefined: a release of it that requires another version of the affected one, which the lock file can't name. */
  readonly to?: string
  /** A dependency or override of the project's own; else an entry of the lock file, which the ranges of its requirers let move. */
  readonly direct: boolean
  /** Whether the step may break, by the rules of semver; a step whose end is not known may. */
  readonly breaking: boolean
}

/** A package version with the advisories about it, the worst first. */
export interface AffectedPackage {
  readonly name: string
  readonly version: string
  /** Undefined: no version is known to be better. */
  readonly upgrade?: PackageUpgrade
  readonly advisories: readonly ListedAdvisory[]
}

/** Advisories that may apply though nobody can tell: the score counts them as if they did. */
export interface AssumedAdvisories {
  readonly severity: Severity
  readonly count: number
}
