/** One minor line of UI5 as `versionoverview.json` tells it. */
export interface CatalogueLine {
  /** `1.136` */
  readonly minor: string
  readonly support: 'maintenance' | 'out-of-maintenance' | 'skipped'
  readonly longTerm: boolean
  /** Last day of maintenance, ISO 8601, where the catalogue says one. */
  readonly endOfMaintenance?: string
  /** Last day on the content delivery network. */
  readonly endOfProvisioning?: string
  /** Patches that the catalogue lists, newest first. */
  readonly patches: readonly string[]
}

/** What a scan knows of UI5's versions; plain data that may cross a thread. */
export interface CatalogueAnswer {
  readonly source: 'online' | 'bundled'
  /** ISO 8601 day that it is as of. */
  readonly date: string
  /** False where the catalogue was to be asked and could not be. */
  readonly complete: boolean
  readonly lines: readonly CatalogueLine[]
}

/** Asked once a scan that has a UI5 version. Never rejects: the last good copy or the bundled snapshot answers. Lives on the main side. */
export interface CataloguePort {
  overview(signal?: AbortSignal): Promise<CatalogueAnswer>
}
