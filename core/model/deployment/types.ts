import type { ModuleFolder } from './module-folders.ts'
import type { DataNode } from '../../parse/data.ts'
import type { Place } from '../../types.ts'

/** What a project says about how it is deployed to Cloud Foundry: MTAs with their extensions, manifests, service configurations, destinations. */
export interface Deployment {
  /** One for each way to deploy: an MTA alone, or with one chain of its extensions. */
  readonly mtas: readonly Mta[]
  /** What runs: modules of MTAs, applications of manifests. */
  readonly applications: readonly Application[]
  /** Instances of `xsuaa` and `identity`, and security descriptors that no MTA names. */
  readonly services: readonly ServiceInstance[]
  readonly destinations: readonly Destination[]
  readonly databases: readonly DatabaseInstance[]
  /** That modules of the MTAs are built from. */
  readonly moduleFolders: readonly ModuleFolder[]
  /** Where a value stands: an extension's values stand in the extension. */
  placeOf(node: DataNode): Place
}

export interface Mta {
  /** Of the mta.yaml. */
  readonly file: string
  readonly tree: DataNode
  readonly modules: readonly MtaModule[]
  /** Without those that are not active. */
  readonly resources: readonly MtaResource[]
  /** `${parameter}` and `~{provided/property}` replaced where the MTA defines them; what only the deployer knows stays as it is written. */
  resolve(text: string, owner?: DataNode, group?: string): string
}

export interface MtaModule {
  readonly name: string
  readonly type: string
  readonly node: DataNode
  readonly requires: readonly MtaRequirement[]
}

export interface MtaRequirement {
  readonly name: string
  readonly group: string | undefined
  readonly node: DataNode
}

export interface MtaResource {
  readonly name: string
  readonly type: string
  /** The offering, `xsuaa`; undefined: an instance that is there already, a user's own, or not a service. */
  readonly service: string | undefined
  readonly plan: string | undefined
  readonly node: DataNode
  /** Names of other resources. */
  readonly requires: readonly string[]
}

export interface EnvironmentVariable {
  readonly name: string
  readonly value: DataNode
  readonly place: Place
}

/** One way in which a folder is deployed, with the environment that its descriptor gives it. */
export interface FolderDeployment {
  readonly file: string
  /** Of the module or application. */
  readonly name?: string
  readonly variables: readonly EnvironmentVariable[]
  /** What runs is Java: packages of npm are there for its build alone. */
  readonly runsJava?: true
  /** Nothing starts it (`Application.isStopped`). */
  readonly isStopped?: boolean
  /**
   * It is the folder `srv` of the root, or what `cds build` makes of it: its package.json and .cdsrc.json are there in the place of the root's.
   * Fact: @sap/cds-dk 9.8.2, lib/build/plugins/nodejs (`copySrvContent`).
   */
  readonly isPart?: true
  /** An image that holds a server of files, no Node.js: what was built is all that it takes. */
  readonly isOfFiles?: true
  /** It is bound to XSUAA, or to a service of which nothing here says what it is. */
  readonly mayBindXsuaa?: true
}

export interface Application {
  readonly file: string
  readonly name: string | undefined
  /** Of the module; '' for an application of a manifest. */
  readonly type: string
  /** Where its source lies (`gen` left out); undefined: outside of the project. */
  readonly folder: string | undefined
  readonly node: DataNode
  readonly isApprouter: boolean
  /** Something outside of the platform can reach it. */
  readonly hasPublicRoute: boolean
  /** It is deployed and never started, and no task runs it. */
  readonly isStopped: boolean
  readonly variables: readonly EnvironmentVariable[]
  readonly bindings: readonly Binding[]
  /** Names of packages that it depends on; undefined: it has no package.json. */
  readonly dependencies: ReadonlySet<string> | undefined
  /** `group`: the name of the requirement in which the text stands, for `~{property}`. */
  resolve(text: string, group?: string): string
}

/** A service that an application is bound to, directly or through another one. */
export interface Binding {
  readonly name: string
  /** The offering; undefined: nothing here says. */
  readonly service: string | undefined
  /** `requires` of the module. */
  readonly node: DataNode
}

export interface ServiceInstance {
  readonly service: 'xsuaa' | 'identity'
  /** Of the resource, or the file's path. */
  readonly name: string
  readonly plan: string | undefined
  /** `path` and `config` of the resource put together: what `config` says counts more. */
  readonly config: DataNode
  /** Nothing that it names is missing in the project. */
  readonly isComplete: boolean
  /** The resource's name, or the file. */
  readonly place: Place
  readonly planPlace: Place | undefined
  readonly mta: Mta | undefined
  readonly resource: MtaResource | undefined
  resolve(text: string): string
}

/** An instance of SAP HANA, with its parameters. */
export interface DatabaseInstance {
  /** Of the resource, or the file's path. */
  readonly name: string
  readonly config: DataNode
  resolve(text: string): string
}

export interface Destination {
  /** `service`: of the destination service; `approuter`: of an approuter's environment variable `destinations`. */
  readonly kind: 'service' | 'approuter'
  readonly name: string
  readonly node: DataNode
  readonly place: Place
  /** Of somebody's own machine (default-env.json, .env). */
  readonly isLocal: boolean
  /** A deployment does not change it where it exists already: `init_data` without `existing_destinations_policy: update`. */
  readonly isKept: boolean
  /** By name, whatever its case. */
  property(name: string): DestinationProperty | undefined
  readonly properties: readonly DestinationProperty[]
}

export interface DestinationProperty {
  readonly key: string
  /** Resolved; '' for what is no scalar. */
  readonly text: string
  readonly written: string
  readonly place: Place
}
