import type { DataNode } from '../../parse/data.ts'
import type { Place } from '../../types.ts'
import type { RouteLanguages } from './languages.ts'

/** One xs-app.json, with all that decides how it works. */
export interface Approuter {
  readonly file: string
  /** The descriptor itself, for what only one rule asks. */
  readonly root: DataNode
  /**
   * `standalone`: an @sap/approuter of the project's own reads it · `html5-app`: the managed approuter of the platform does, so environment, headers
   * and session are not the project's · `unknown`: nothing in the project tells.
   */
  readonly kind: 'standalone' | 'html5-app' | 'unknown'
  /** False: its name or folder says that only local runs or a landscape for tests read it. */
  readonly deployed: boolean
  /** `authenticationMethod`; `route` where the descriptor says nothing (@sap/approuter 23.0.0 README). */
  readonly authenticationMethod: string
  /** In the order in which they are tried: the first that takes a URL and its method serves it. */
  readonly routes: readonly Route[]
  readonly environment: Environment
  /** What sources take, for questions that no single route answers. */
  readonly languages: RouteLanguages
  /** The package.json of a standalone approuter. */
  readonly manifest?: ApprouterManifest
  /** Routes that take URLs meant for a stricter route behind them. */
  readonly shadows: readonly Shadow[]
}

export interface ApprouterManifest {
  readonly file: string
  readonly root: DataNode
  /** Where @sap/approuter is named; undefined where only a start script tells. */
  readonly versionPlace?: Place
  /** What a lock file resolved, or the range of the package.json: `20.9.0`, `^20.9.0`. */
  readonly version?: string
}

export interface Route {
  readonly place: Place
  readonly node: DataNode
  readonly index: number
  /** The regular expression that the whole URL with its query is tested on, anywhere in it unless it has anchors. */
  readonly source: string
  readonly sourcePlace: Place
  readonly matchCase: boolean
  readonly target: RouteTarget
  /** What the URL is rewritten to. */
  readonly rewrite: string | undefined
  /** As written; `undefined`: not written. */
  readonly authenticationType: string | undefined
  readonly authenticationPlace: Place
  /** In effect: the descriptor's `authenticationMethod` counts too. */
  readonly authenticates: boolean
  /** What it is for, where that decides whether it may be public; see purpose.ts. */
  readonly purpose: RoutePurpose | undefined
  /** Upper case; `undefined`: every method. */
  readonly methods: readonly string[] | undefined
  /** Those that change something. */
  readonly writeMethods: readonly string[]
  /** Scopes of which a user needs one, by method or `default`; `undefined`: none is asked for. */
  readonly scopes: ReadonlyMap<string, readonly string[]> | undefined
  readonly csrfProtection: boolean
}

export type RoutePurpose = 'ui5-runtime' | 'mtx-callback' | 'management' | 'demo-data' | 'named-page' | 'page'

/** Where a route leads. `html5-repo`: static files of the HTML5 application repository; `user-api`: the approuter's own; `self`: rewritten within it. */
export interface RouteTarget {
  readonly kind: 'destination' | 'service' | 'html5-repo' | 'user-api' | 'local-dir' | 'self'
  readonly name: string
}

/** `lax` takes `url`, which `strict` behind it is meant for; both lead to the same backend. */
export interface Shadow {
  readonly lax: Route
  readonly strict: Route
  readonly method: string
  readonly url: string
  /** What `strict` asks for and `lax` doesn't. */
  readonly missing: 'login' | 'scope'
  /** `whole`: `strict` never serves anything · `part`: some of its URLs. */
  readonly extent: 'whole' | 'part'
}

/** One value of an environment variable of the approuter, and where it comes from. */
export interface Setting {
  readonly name: string
  /** JSON in a string is read: the approuter does so too. */
  readonly value: DataNode
  readonly place: Place
  /** False: from a file that only local runs read (default-env.json, .env), or of a landscape for tests. */
  readonly deployed: boolean
  /** The application that `cf set-env` sets it for: it outlives the command and deployments. */
  readonly app?: string
  /** The text of a part of `value`, with what its descriptor knows in the place of references. */
  textOf(part: DataNode | undefined): string | undefined
  /** Where a part of `value` stands; what was read out of a string stands where the string does. */
  placeOf(part: DataNode): Place
}

export interface Environment {
  /** All the values that a variable may have, by deployment descriptors and their extensions; by local files only where there are none. */
  settings(name: string): readonly Setting[]
  readonly deployments: readonly ApprouterDeployment[]
  /** A module, an application or a container runs it, or a command sets a variable of it. */
  readonly isRun: boolean
}

/** The module of an MTA, or the application of a manifest.yml, that runs an approuter. */
export interface ApprouterDeployment {
  readonly file: string
  readonly name: string
  readonly place: Place
  readonly kind: 'mta' | 'manifest'
  /** Services that it is bound to, directly or through another one; `undefined`: nothing tells which offering it is. */
  readonly bindings: readonly { readonly name: string; readonly service: string | undefined }[]
}
