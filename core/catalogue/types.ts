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
  /** Those of them that the content delivery network serves no more, although it serves later ones. */
  readonly removed?: readonly string[]
  /** What OpenUI5's network serves no more either, where `removed` is of SAPUI5's alone. */
  readonly removedFromAll?: readonly string[]
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

/** Asked once a scan. Never rejects: the last good copy or the bundled snapshot answers. Lives on the main side. */
export interface CataloguePort {
  /** `needed` false: nothing in the project has a UI5 version, so what is at hand answers and nothing is asked. */
  overview(needed: boolean, signal?: AbortSignal): Promise<CatalogueAnswer>
}

/** One version as the overview (`version.json`) tells it; what more the source says passes through. */
export interface CatalogueVersion {
  readonly version: string
  readonly support: string
  readonly lts: boolean
  readonly [more: string]: unknown
}

/** The overview by key: `latest`, `active`, and one per minor `x.y`. */
export type CatalogueOverview = Readonly<Record<string, CatalogueVersion>>

export interface CatalogueLibrary {
  readonly name: string
  readonly version: string
  readonly buildTimestamp: string
  readonly scmRevision: string
  readonly gav: string
  readonly npmPackageName: string
  readonly themes: readonly string[]
  readonly patchHistory: readonly string[]
  readonly vendor: string
  readonly copyright: string
  readonly documentation: string
  readonly appData: unknown
  readonly [more: string]: unknown
}

export interface CatalogueComponent {
  readonly hasOwnPreload: boolean
  readonly library: string
  readonly manifestHints: { readonly dependencies: { readonly libs: Readonly<Record<string, unknown>> } }
  readonly [more: string]: unknown
}

/** One version in detail (`sap-ui-version.json`): every member is there, empty where the source leaves it out; more passes through. */
export interface CatalogueDetail {
  readonly name: string
  readonly version: string
  readonly buildTimestamp: string
  readonly scmRevision: string
  readonly gav: string
  readonly libraries: readonly CatalogueLibrary[]
  readonly components: Readonly<Record<string, CatalogueComponent>>
  readonly themes: readonly { readonly name: string; readonly libraries: readonly string[] }[]
  readonly supportedThemes: readonly string[]
  readonly [more: string]: unknown
}

/** What the two catalogue endpoints ask. Rejects with the refusals `catalogue-unavailable`, `catalogue-timeout` and `version-not-found`. */
export interface CatalogueClient {
  /** Where it is, as an answer may show it: without credentials. */
  readonly url: string
  /** Asks the catalogue itself, never a cache. */
  version(): Promise<CatalogueOverview>
  /** `version` is `x.y.z`, checked before. */
  resources(version: string): Promise<{ readonly source: 'cache' | 'remote'; readonly data: CatalogueDetail }>
}
