/** One lock file and what it resolved. */
export interface LockedPackages {
  readonly file: string
  readonly packages: readonly LockedPackage[]
}

export interface LockedPackage {
  readonly name: string
  readonly version: string
}
