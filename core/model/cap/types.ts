import type { Scripts } from '../../extracts/scripts.ts'
import type { ProjectFile } from '../../files.ts'
import type { CdsDefinition, CdsQuery, CdsValue } from '../../parse/cds/types.ts'
import type { DataNode } from '../../parse/data.ts'
import type { Place } from '../../types.ts'
import type { FolderDeployment } from '../deployment/index.ts'
import type { EventFacts, HandledEvent } from './payloads.ts'

/** One CAP project of an upload: its own files, what it serves, and what is known of where it runs. */
export interface CapRoot {
  /** Its folder; '' is the project itself. */
  readonly root: string
  /** Counts what is done with its definitions, over all rules. Throws a StopSignal. */
  step(count?: number): void
  readonly runtime: 'node' | 'java'
  /** What the container of a Java application asks for in front of all its services. */
  readonly askedByContainer: 'role' | 'login' | undefined
  /** It lies in a folder of tests. */
  readonly test: boolean
  /** Files below it that belong to no root further inside, sorted by path. */
  readonly files: readonly ProjectFile[]
  /** What was extracted from their scripts. */
  readonly scripts: Scripts
  /** Services that its own .cds files define, in the order of files and text; those of tests are left out. */
  readonly services: readonly CapService[]
  /** Qualified names of its entities, in services or not. */
  readonly entities: readonly string[]
  /** Elements of a definition, by its qualified name; those of its structures by their path, `address.street`. */
  membersOf(name: string): ReadonlyMap<string, CapMember>
  /** What counts for a definition after every `annotate`, by name without `@`. */
  annotationsOf(name: string): ReadonlyMap<string, CapAnnotation>
  /** The name, what that projects on, what that projects on and so on. */
  projected(name: string): readonly string[]
  /** Whether a path, `author.name`, leads to an element of a definition. */
  lookUp(name: string, path: string): Lookup
  /** What the model says of an event that a script handles. */
  eventOf(handled: HandledEvent): EventFacts
  readonly deployments: readonly FolderDeployment[]
  /** Something says that it is deployed: an MTA, a manifest.yml, a Dockerfile, a chart. */
  readonly deployed: boolean
  /** What models that nothing loads annotate, by the qualified name of the definition as a whole: CAP never learns of it. */
  readonly unloaded: ReadonlyMap<string, readonly (CapAnnotation & { readonly name: string })[]>
  /** Its configuration in each way in which it runs in production; none of a test or of a Java application. */
  productive(): readonly Configuration[]
}

export interface CapService {
  /** Qualified. */
  readonly name: string
  /** Its name in the text. */
  readonly place: Place
  readonly definition: CdsDefinition
  /** `internal`: served by no protocol; `external`: imported, somebody else serves it. */
  readonly exposure: 'served' | 'internal' | 'external'
  /** Where it is served, by every protocol; empty where it is not. */
  readonly endpoints: readonly CapEndpoint[]
  /** The first of them. */
  readonly path?: string
  readonly access: CapAccess
  /** What it exposes, wherever that is defined; what the compiler adds by itself (texts, composed children) is left out. */
  readonly elements: readonly CapElement[]
  /** Associations by which one of its entities leads to another one. */
  readonly links: () => readonly CapLink[]
  /** Entities that nobody wrote into it: the compiler adds them, since something that stands there leads to them. */
  readonly autoexposed: () => readonly CapAutoexposed[]
  /** What counts after every `annotate` of the root and of the files that it uses, by name without `@`. */
  readonly annotations: ReadonlyMap<string, CapAnnotation>
}

/** One protocol that a service is served by. */
export interface CapEndpoint {
  /** As it is written: `odata`, `odata-v4`, `rest`, `graphql`, `mcp`, `ws`, `websocket` and so on. */
  readonly kind: string
  readonly path: string
  /** What names the protocol; the service's name where nothing does. */
  readonly place: Place
}

/** An entity that is part of a service only because one of its entities leads to it. */
export interface CapAutoexposed {
  /** Qualified, of the definition outside of the service. */
  readonly name: string
  readonly place: Place
  readonly annotations: ReadonlyMap<string, CapAnnotation>
  readonly members: () => readonly CapMember[]
  /** The entity of the service at which the way to it begins, and the elements on it. */
  readonly from: CapElement
  readonly path: string
  /** A composition leads to it; else it is `@cds.autoexpose`, and can be asked for directly. */
  readonly composition: boolean
}

/** `from` leads to `to` by an element of type association or composition: what `$expand` follows. */
export interface CapLink {
  readonly from: CapElement
  readonly to: CapElement
  readonly element: string
  readonly composition: boolean
}

/** An entity, action or function that a service exposes. */
export interface CapElement {
  /** Within its service: `Books`, `submitOrder`, `Books.addReview`. */
  readonly name: string
  /** `n.Shop.Books`, `n.Shop.Books/addReview`. */
  readonly qualified: string
  readonly kind: 'entity' | 'action' | 'function'
  /** Of a bound action: its entity's name. */
  readonly entity?: string
  /** Its name in the text. */
  readonly place: Place
  /** What counts after every `annotate`, inherited ones included. */
  readonly annotations: ReadonlyMap<string, CapAnnotation>
  /** What it declares itself, inherits, or has from its entity; undefined: nothing, so its service alone decides. */
  readonly access?: CapAccess
  /** Something can be changed through it. */
  readonly writable: boolean
  /** Of an entity: the one that it reads in the end, through all projections; itself where it is none. */
  readonly source?: { readonly name: string; readonly place: Place }
  /** Of an entity: what it selects; undefined where it is no projection. */
  readonly query?: CdsQuery
  /** Of an entity: its qualified name, and those that it projects on as long as no row is left out. */
  readonly rowsOf?: readonly string[]
  /** Of an entity: the tables whose rows it shows, through joins, unions and subqueries too. */
  readonly tables?: () => readonly string[]
  /** Of an entity: its elements as clients see them, made when they are asked for. */
  readonly members: () => readonly CapMember[]
}

/** An element of an entity, with all that includes, projections and annotations make of it. */
export interface CapMember {
  /** Within its entity: `title`, `address.street`. */
  readonly name: string
  /** The definition that declares it. */
  readonly owner: string
  /** Its name where it is declared. */
  readonly place: Place
  /** Those of its type, of what it comes from, of columns and of every `annotate`. */
  readonly annotations: ReadonlyMap<string, CapAnnotation>
  /**
   * What its type comes down to: a built-in one without `cds.`, `struct`, `many`, `Association`, `Composition`; the last name of one that the project
   * does not define; undefined: that of an expression.
   */
  readonly type?: string
  /** How many characters a text has at most, where its type says so: `String(20)`. */
  readonly length?: number
  /** Its values are listed. */
  readonly isEnum: boolean
  /** The names of its values, where they are listed. */
  readonly symbols?: readonly string[]
  /** Of an association or composition: the definition that it leads to. */
  readonly target?: string
  readonly toMany: boolean
  readonly key: boolean
  /** `not null` without a default. */
  readonly isNotNull?: boolean
  readonly virtual: boolean
  /** An expression, or read from somewhere else: nobody can write it. */
  readonly calculated: boolean
}

/** Elements of a definition by their names. */
export type MemberMap = ReadonlyMap<string, CapMember>

/** Whether a path leads to an element of an entity; `unknown`: what decides it is not in the project. */
export type Lookup = 'found' | 'missing' | 'unknown'

export interface CapAnnotation {
  readonly value: CdsValue
  readonly place: Place
}

/** Who may call a service, as far as the service itself says. Entities and actions may say more. */
export interface CapAccess {
  /**
   * `roles`: who has one of `roles` · `authenticated`: any user, deliberately · `public`: anybody, deliberately ·
   * `default-authenticated`, `default-public`, `default-unknown`: nothing is said, so the runtime's default holds · `none`: nobody from outside.
   */
  readonly kind: 'roles' | 'authenticated' | 'public' | 'default-authenticated' | 'default-public' | 'default-unknown' | 'none'
  readonly roles: readonly string[]
  /** The annotation that says so, else the service. */
  readonly place: Place
}

/** One value of the configuration, and where it comes from. */
export interface Setting {
  readonly node: DataNode
  readonly place: Place
  /** The innermost profile that it stands in: `production` of `[production]`. */
  readonly profile?: string
  /** The variable that sets it. */
  readonly variable?: string
}

/** `cds.env` as a runtime with some profiles would see it, without built-in defaults. */
export interface Configuration {
  readonly profiles: readonly string[]
  /** The value that counts at a path, `value('requires', 'auth', 'kind')`; an object's node is the last one merged. */
  value(...path: string[]): Setting | undefined
  /** Keys below a path. */
  keys(...path: string[]): readonly string[]
}
