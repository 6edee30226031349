import type { Budget } from './budget.ts'
import type { CdsDocument } from './parse/cds/types.ts'
import type { CsvTable } from './parse/csv.ts'
import type { DataNode } from './parse/data.ts'
import type { MarkupDocument } from './parse/markup.ts'
import type { LineTable } from './parse/position.ts'
import type { KeywordHits } from './keywords/index.ts'
import type { LockedPackages } from './parse/lock/types.ts'
import type { SqlScriptFacts } from './facts/sqlscript.ts'
import type { ScriptFacts } from './facts/types.ts'
import type { VendoredLibrary } from './facts/vendored.ts'

/** Which parser reads it. `lock`: lock files have their own readers; `text`: no tree, only secrets are looked for. */
export type Language = 'script' | 'json' | 'yaml' | 'properties' | 'xml' | 'html' | 'cds' | 'sqlscript' | 'csv' | 'lock' | 'text'

/** A file with a fixed meaning in UI5, CAP or BTP projects. */
export type Role =
  | 'manifest'
  | 'package'
  | 'package-lock'
  | 'pnpm-lock'
  | 'yarn-lock'
  | 'npmrc'
  | 'yarnrc'
  | 'node-version'
  | 'update-bot'
  | 'audit-exceptions'
  | 'cdsrc'
  | 'env'
  | 'default-env'
  | 'ui5-yaml'
  | 'xs-app'
  | 'neo-app'
  | 'xs-security'
  | 'destination'
  | 'hana-parameters'
  | 'mta'
  | 'mtaext'
  | 'cf-manifest'
  | 'view'
  | 'fragment'
  | 'library'
  | 'dockerfile'
  | 'ignore-file'
  | 'kubernetes'
  | 'github-workflow'
  | 'azure-pipeline'
  | 'pom'
  | 'application-yaml'
  | 'application-properties'
  | 'hdbrole'
  | 'hdbgrants'
  | 'hdbview'
  | 'hdbcalculationview'
  | 'xsaccess'
  | 'parapet-config'

export interface FileKind {
  readonly language: Language
  readonly role?: Role
  /** Not part of what runs in production: tests, mock servers, sandboxes. Code rules are silent there. */
  readonly test: boolean
}

/** Source maps and debug copies in one folder of built output, which is not read. */
export interface BuiltSources {
  /** The folder that a build writes: `app/shop/dist`. */
  readonly folder: string
  /** The first of them. */
  readonly path: string
  readonly count: number
}

/** Asks whether a script's facts are worth keeping for the phase *check* (`Rule.keeps`). */
export type KeepsFacts = (facts: ScriptFacts) => boolean

export interface ScriptContent {
  readonly as: 'script'
  /** Outside of the phase *read* they may have to be made again, which costs as much as parsing: see `keptBy`. */
  readonly facts: ScriptFacts
  /** Who asked to keep them, but for those who keep all; undefined: nobody was asked. */
  readonly keptBy?: ReadonlySet<KeepsFacts>
  /** Whether it loads modules of UI5, where that was noted before its facts went. */
  readonly loadsUi5?: boolean
}

/** What a file's text became. `data` has one root per YAML document, one otherwise. */
export type FileContent =
  | ScriptContent
  | { readonly as: 'data'; readonly roots: readonly DataNode[] }
  /** `inline`: the scripts that a page holds in itself, where somebody asked to keep their facts. */
  | { readonly as: 'markup'; readonly document: MarkupDocument; readonly inline?: ScriptContent }
  | { readonly as: 'cds'; readonly document: CdsDocument }
  | { readonly as: 'sqlscript'; readonly facts: SqlScriptFacts }
  | { readonly as: 'csv'; readonly table: CsvTable }
  | { readonly as: 'lock'; readonly lock: LockedPackages }
  /** Its text only where a model reads it itself (Dockerfile, .npmrc). */
  | { readonly as: 'text'; readonly text?: string }

/** A file that was read. What no later phase asks for is dropped: then `content` is `text`. */
export interface ProjectFile {
  readonly path: string
  readonly kind: FileKind
  /** `all`: all rules; `secrets`: minified, vendored, over the parse limit or unreadable, so only secrets are looked for. */
  readonly scope: 'all' | 'secrets'
  readonly content: FileContent
  readonly lines: LineTable
  /** The published library that it is a copy of, whatever its class. */
  readonly library?: VendoredLibrary
}

/** A file while it is open in the phase *read*: its text and its keyword hits are there, and are dropped after its rules. */
export interface OpenFile<Content extends FileContent = FileContent> {
  readonly path: string
  readonly kind: FileKind
  readonly scope: 'all' | 'secrets'
  readonly text: string
  readonly content: Content
  readonly hits: KeywordHits
  /** Steps left for this file; whatever may take long counts. */
  readonly budget: Budget
}
