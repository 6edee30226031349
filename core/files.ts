import type { Budget } from './budget.ts'
import type { CdsDocument } from './parse/cds/types.ts'
import type { CsvTable } from './parse/csv.ts'
import type { DataNode } from './parse/data.ts'
import type { MarkupDocument } from './parse/markup.ts'
import type { LineTable } from './parse/position.ts'
import type { KeywordHits } from './keywords/index.ts'
import type { LockedPackages } from './parse/lock/types.ts'
import type { SqlScriptFacts } from './facts/sqlscript.ts'
import type { ExtractTable } from './extracts/extract.ts'
import type { FunctionTable } from './facts/function-table.ts'
import type { ScriptFacts } from './facts/types.ts'
import type { FlowSettings } from './flow/sources/project-rows.ts'
import type { FileFlow } from './flow/types.ts'
import type { VendoredLibrary } from './facts/vendored.ts'
import type { Marker, Notice, PendingMatch, Span } from './types.ts'

/**
 * Which parser reads it. `lock`: lock files have their own readers; `script-data`: a script that only exports data;
 * `text`: no tree, only secrets are looked for.
 */
export type Language =
  | 'script'
  | 'script-data'
  | 'json'
  | 'yaml'
  | 'properties'
  | 'xml'
  | 'html'
  | 'cds'
  | 'sqlscript'
  | 'csv'
  | 'lock'
  | 'text'

/** A file with a fixed meaning in UI5, CAP or BTP projects. */
export type Role =
  | 'manifest'
  | 'package'
  | 'bower'
  | 'package-lock'
  | 'pnpm-lock'
  | 'pnpm-workspace'
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
  | 'nwabaprc'
  | 'launchpad-config'
  | 'ui5-version'
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
  | 'compose'
  | 'github-workflow'
  | 'azure-pipeline'
  | 'gitlab-pipeline'
  | 'jenkinsfile'
  | 'shell-script'
  | 'procfile'
  | 'pom'
  | 'java'
  | 'sql'
  | 'python'
  | 'php'
  | 'htaccess'
  | 'dart'
  | 'odata-metadata'
  | 'account-table'
  | 'web-xml'
  | 'cordova-config'
  | 'page-template'
  | 'apple-info'
  | 'changelog'
  | 'application-yaml'
  | 'application-properties'
  | 'address-bundle'
  | 'hdbrole'
  | 'hdbgrants'
  | 'hdbcds'
  | 'hdbview'
  | 'hdbcalculationview'
  | 'xsaccess'
  | 'xshttpdest'
  | 'xsodata'
  | 'parapet-config'

export interface FileKind {
  readonly language: Language
  readonly role?: Role
  /** Not part of what runs in production: tests, mock servers, sandboxes. Code rules are silent there. */
  readonly test: boolean
}

/** Files of one sort in one folder. */
export interface FolderFiles {
  readonly folder: string
  /** The first of them. */
  readonly path: string
  readonly count: number
}

/** What names alone tell of files, most of which are not read; by folder, the first of them by path. */
export interface NameNotes {
  /** Source maps and debug copies, by the folder that a build writes: `app/shop/dist`. They tell the sources of an app, though they are left out. */
  readonly builtSources: readonly FolderFiles[]
  /** Files whose names are 32 hexadecimal digits and no extension, as packages name what users upload. */
  readonly namelessFiles: readonly FolderFiles[]
  /** Documents whose names, or those of their folders, say that they are of persons or of customers. */
  readonly personalDocuments: readonly FolderFiles[]
}

/** What a file's text became, as later phases see it: small trees that models read. `data` has one root per YAML document, one otherwise. */
export type FileContent =
  | { readonly as: 'data'; readonly roots: readonly DataNode[] }
  | { readonly as: 'markup'; readonly document: MarkupDocument }
  | { readonly as: 'cds'; readonly document: CdsDocument }
  | { readonly as: 'sqlscript'; readonly facts: SqlScriptFacts }
  | { readonly as: 'csv'; readonly table: CsvTable }
  | { readonly as: 'lock'; readonly lock: LockedPackages }
  /** Its text only where a model reads it itself (Dockerfile, .npmrc). Scripts become this as well: their extracts are what is left of them. */
  | { readonly as: 'text'; readonly text?: string }

/** The same while the file is open: scripts have their facts. */
export type OpenContent = FileContent | { readonly as: 'script'; readonly facts: ScriptFacts }

/** A value that no report may show, though no finding tells of it. `value`: decoded; '' for one that is a common word elsewhere. */
export interface MaskedValue {
  readonly span: Span
  readonly value: string
}

/**
 * What one file contributes to the project: a pure function of its path, bytes, scope, the limits and the rules. Plain data, without a function, a class
 * instance or a fact, so that it can cross a thread. It may hold the plain text of credentials: it is never written anywhere as it is.
 */
export interface FileResult {
  readonly path: string
  readonly kind: FileKind
  /** `all`: all rules; `secrets`: minified, vendored, over the parse limit or unreadable, so only secrets are looked for. */
  readonly scope: 'all' | 'secrets'
  readonly content: FileContent
  readonly lines: LineTable
  /** Of a script or of the inline scripts of a page, where a match or an extract may point into them. */
  readonly functions?: FunctionTable
  /** The template of a generator that it was written from, and hardly changed. */
  readonly boilerplate?: string
  /** Where any found something. */
  readonly extracts?: ExtractTable
  /** Its part in the data flow of its app, where it takes any. */
  readonly flow?: FileFlow
  /** Of the rules on single files. */
  readonly matches: readonly PendingMatch[]
  /** What looks like a credential and is under the bar of a finding. */
  readonly masked: readonly MaskedValue[]
  /** The inline suppressions in it. */
  readonly markers: readonly Marker[]
  readonly notices: readonly Notice[]
  /** The text itself tells that a tool wrote it for browsers, or that it is a file of UI5: it is left to the rules on credentials. */
  readonly setAside?: 'minified' | 'vendored'
  /** The published library that it is a copy of, whatever its class. */
  readonly library?: VendoredLibrary
}

/** What the phases after *read* know of a file: its matches, markers and notices are where they belong by then. */
export type ProjectFile = Omit<FileResult, 'matches' | 'masked' | 'markers' | 'notices' | 'setAside'>

/** A file while it is open in the phase *read*: its text and its keyword hits are there, and are dropped after its rules. */
export interface OpenFile<Content extends OpenContent = OpenContent> {
  readonly path: string
  readonly kind: FileKind
  readonly scope: 'all' | 'secrets'
  readonly text: string
  readonly content: Content
  readonly hits: KeywordHits
  /** What the project tells of its own functions. */
  readonly settings?: FlowSettings
  /** Steps left for this file; whatever may take long counts. */
  readonly budget: Budget
}
