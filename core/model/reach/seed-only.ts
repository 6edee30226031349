import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { Scripts } from '../../extracts/scripts.ts'
import {
  accessesOf,
  constantOf,
  pathOf,
  resolveValue,
  valuesOf,
  type CallValue,
  type HeldValue,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import type { ProjectFile, Role } from '../../files.ts'
import { at, stringOf } from '../../parse/data.ts'
import { folderOf, foldersAround, joinPath, ownerOf } from '../../paths.ts'
import { isCredential, type CapRoot, type Configuration } from '../cap/index.ts'
import { findCommands, findWorkflows } from '../deployment/index.ts'
import type { NpmPackage, NpmProject } from '../npm/index.ts'
import { isDeveloperFile, isOfUi5App, isToolFile } from '../script/index.ts'
import type { JavaDemo } from './java-demo.ts'
import { queriedTables } from './queried-tables.ts'

/** What a project has beside a CAP root whose rows may be those of its CSV files alone. */
export interface SeedFacts {
  /** Whether something deploys it: in its folder, around it, or in that of no CAP project. */
  readonly isDeployedSomehow: () => boolean
  /** The same of scripts that talk to another system or write files. */
  readonly keepsRows: () => boolean
  /** The same of those that change or send files, read others than those of the program, or run something. */
  readonly opensHost: () => boolean
  /** The same of those that have to do with users or with other systems. */
  readonly isLiving: () => boolean
  /** The same of those that know passwords. */
  readonly knowsPasswords: () => boolean
  /** The same of those that get or keep rows elsewhere than in files. */
  readonly connects: () => boolean
  /** Whether what is deployed of it may be bound to a service that keeps destinations, as far as descriptors tell. */
  readonly getsDestinations: () => boolean
  /** The package.json of the root, and those of folders around it. */
  readonly packages: readonly NpmPackage[]
  /** Of a server in Java: whether its rows are those of its files alone, and what keeps them. */
  readonly javaDemo?: () => JavaDemo | undefined
}

/** A server that asks who calls or talks to another system: its rows are no longer those that its author made up. */
const LIVING =
  /\.user\b|[{,]\s{0,20}user\s{0,20}[,}:=]|\bfetch\s{0,4}\(|['"](?:node:)?(?:https?|http2|net|tls)['"]|\bexecuteHttpRequest\b/i
const PASSWORDS = /passw/i

/** What stands in a page runs in a browser. */
function isMarkup(path: string): boolean {
  return /\.html?$/i.test(path)
}

/** Each script of a server that has to do with users or with other systems, and each that knows passwords. */
export const livingScripts: Extract<'living' | 'passwords'> = defineExtract({
  name: 'reach-living-scripts',
  keywords: ['user', 'passw', 'fetch', 'http', 'net', 'tls'],
  isFor: (path) => !isOfUi5App(path) && !isMarkup(path),
  *collectText(text) {
    if (LIVING.test(text)) yield 'living'
    if (PASSWORDS.test(text)) yield 'passwords'
  },
})

/** What gets rows of another system, or keeps them in a database, without a package. Facts: Node.js 22, Global objects (`fetch`), `node:http`, `node:sqlite`. */
const CONNECTS = /\bfetch\s{0,4}\(|['"](?:node:)?(?:https?|http2|net|tls)['"]|['"]node:sqlite['"]/
/** Fact: Node.js 22, `node:fs`. */
const WRITES = /\b(?:write|append)File(?:Sync)?\s{0,4}\(|\bcreateWriteStream\s{0,4}\(/

/** What leads to the host of a server. Facts: Node.js 22, `node:fs`, `node:child_process`, `node:vm`; Express 5, `res.sendFile`, `res.download`. */
const HOST_MODULE = /^module:(?:node:)?(fs(?:\/promises)?|child_process|vm|worker_threads|repl|inspector|module)$/
/** Calls of `fs` that only look at what is there. */
const READS =
  /^(?:promises\.)?(?:exists|access|l?stat|read(?:File|dir|link)?|opendir|realpath|createReadStream|watch(?:File)?)(?:Sync)?$/
const SENDS = /^(?:sendFile|sendfile|download)$/
const BUILT_IN = /\bprocess\s{0,4}\.\s{0,4}(?:binding|getBuiltinModule)\b/

/** What a script of a server does: it keeps rows somewhere (`connects`: not only in files), or gets to more of its host than rows and files of its own. */
type Kept = 'rows' | 'connects' | 'host'

/** Each script of a server that keeps rows somewhere, by another system or in files, and each that gets to more of its host than rows and files of its own. */
export const keepingScripts: Extract<Kept> = defineExtract({
  name: 'reach-keeping-scripts',
  keywords:
    'fetch http net tls sqlite File createWriteStream fs child_process vm worker_threads repl inspector module process download'.split(
      ' ',
    ),
  isFor: (path) => !isOfUi5App(path) && !isMarkup(path) && !isToolFile(path) && !isDeveloperFile(path),
  *collect({ path, facts, text, step }) {
    step(facts.calls.length)
    if (OF_PAGES.test(path) && facts.calls.some(isOfBrowser)) return
    const connects = CONNECTS.test(text)
    if (connects) yield 'connects'
    if (connects || WRITES.test(text)) yield 'rows'
    if (BUILT_IN.test(text) || facts.calls.some(sendsFile) || opensHost(facts, step)) yield 'host'
  },
})

/** Where the scripts of pages lie. */
const OF_PAGES = /(?:^|\/)(?:app|webapp|public|static)\//

/** `document.getElementById('list')`: no server has a document. */
function isOfBrowser({ callee }: CallValue): boolean {
  return pathOf(callee)?.[0] === 'global:document'
}

function sendsFile({ callee, args: [file] }: CallValue): boolean {
  return callee.kind === 'member' && SENDS.test(callee.name ?? '') && !isFixed(file)
}

/** It changes files, runs something, reads what is no file of the program, or hands on what does: `promisify(exec)`, `names.forEach(fs.unlinkSync)`. */
function opensHost(facts: ScriptFacts, step: (count?: number) => void): boolean {
  const named = new Set(facts.bindings.flatMap(({ definitions }) => definitions.flatMap(({ value }) => value ?? [])))
  const held = valuesOf(facts)
  step(held.length)
  return held.some((one) => isOpening(one, named))
}

/** @param named what a name is given: a module under a name does nothing yet */
function isOpening({ value, parent }: HeldValue, named: ReadonlySet<Value>): boolean {
  if (value.kind !== 'reference' && value.kind !== 'member' && value.kind !== 'call') return false
  // what is around it counts: `fs.promises` of `fs.promises.readFile`
  if (parent?.kind === 'await' || (parent?.kind === 'member' && parent.object === value)) return false
  const isCallee = parent !== undefined && 'callee' in parent && parent.callee === value
  return accessesOf(value).some(({ root, steps }) => {
    const name = HOST_MODULE.exec(root)?.[1]
    // what a call has given is its result, and its callee was looked at
    if (name === undefined || steps.includes('()') || steps.includes('new')) return false
    const isFile = name.startsWith('fs')
    if (steps.length === 0 || (isFile && steps.join('.') === 'promises')) return !named.has(value)
    if (isFile && steps[0] === 'constants') return false
    return !(isFile && isCallee && READS.test(steps.join('.')) && isFixed(parent.args[0]))
  })
}

function isFixed(file: Value | undefined): boolean {
  return file !== undefined && isOfProgram(file, 0)
}

const MAX_DEPTH = 6

/** `'./data.json'`, `path.join(__dirname, 'data.json')`: nothing of it is sent. */
function isOfProgram(value: Value, depth: number): boolean {
  const here = resolveValue(value)
  if (constantOf(here) !== undefined) return true
  if (depth > MAX_DEPTH) return false
  if (here.kind === 'template' || here.kind === 'concat') return here.parts.every((part) => isOfProgram(part, depth + 1))
  if (here.kind === 'call')
    return OWN_PATHS.test(pathOf(here.callee)?.join(' ') ?? '') && here.args.every((part) => isOfProgram(part, depth + 1))
  return OWN_FOLDER.test(pathOf(here)?.join(' ') ?? '')
}

const OWN_PATHS = /^(?:module:(?:node:)?path\b.{0,40}|global:process cwd)$/
const OWN_FOLDER = /^(?:global:__(?:dirname|filename)|module:@sap\/cds root)$/

/**
 * The scripts of a project of which that is true. Those of a package in the folder `app` of a CAP root are a page's, whatever it is made with: no handler of a service runs there.
 * One that is a CAP root itself, or needs CAP, is a server.
 * Fact: capire, "Project-Specific Configurations" (`folders.app`).
 */
export function scriptsWith(
  kept: Kept,
  scripts: Scripts,
  { byFolder }: Pick<NpmProject, 'byFolder'>,
  capRoots: readonly CapRoot[],
): readonly string[] {
  const roots = new Set(capRoots.map(({ root }) => root))
  const isPage = (folder: string): boolean => {
    const found = byFolder.get(folder)
    return found !== undefined && !found.dependencies.some(({ name }) => name === '@sap/cds')
  }
  const isOfPage = (file: string): boolean => {
    const root = ownerOf(file, roots)
    if (root === undefined) return false
    const app = joinPath(root, 'app')
    return [...foldersAround(file)].some((folder) => folderOf(folder) === app && isPage(folder))
  }
  return scripts.get(keepingScripts).flatMap(({ file, value }) => (value === kept && !isOfPage(file) ? file : []))
}

/**
 * Whether a project is run on the machine of its author alone, and knows neither users nor other systems: nothing deploys it, its database is a SQLite of its own, no service asks for a
 * role, no handler for the user, and whoever logs in has an account of the CSV files. What these do not hold, its author has typed.
 * Facts: capire, "Using SQLite for Development" (also kept in a file), "Deploy to Cloud" (what `cds add mta`, `xsuaa`, `helm` and the like write).
 */
export function isSeedOnly(root: CapRoot, facts: SeedFacts, own: ReadonlySet<string>): boolean {
  const { isDeployedSomehow, isLiving, knowsPasswords, packages } = facts
  if (root.runtime === 'java' || root.deployed || packages.length === 0) return false
  if (!packages.every(isSelfContained) || root.productive().some(isConnected) || knowsUsers(root)) return false
  if (isDeployedSomehow() || isLiving()) return false
  return !(knowsPasswords() || hasOperation(root, LOGS_IN)) || hasSeededAccounts(root, own)
}

/** Accounts are rows of the CSV files, and nothing makes others or changes their passwords. */
function hasSeededAccounts({ scripts, services }: CapRoot, own: ReadonlySet<string>): boolean {
  const isChanged = services.some(({ elements }) =>
    elements.some(({ kind, writable, members }) => kind === 'entity' && writable && members().some(isCredential)),
  )
  return (
    [...own].some((table) => ACCOUNTS.test(table)) &&
    !isChanged &&
    !scripts.get(queriedTables).some(({ value }) => value.isChanged && (value.table === '' || ACCOUNTS.test(value.table)))
  )
}

/** Tables of accounts, by the end of their names. */
const ACCOUNTS = /(?:^|\.|app|_)(?:users?|accounts?|logins?|credentials?)$/i

/** Its server needs nothing but CAP, Express and SQLite. */
export function isSelfContained({ dependencies }: Pick<NpmPackage, 'dependencies'>): boolean {
  return dependencies.every(({ name, member }) => member === 'devDependencies' || OF_ITSELF.test(name))
}

const OF_ITSELF =
  /^(?:@sap\/cds(?:-(?:dk|fiori|common-content|odata-v2-adapter-proxy))?|@cap-js\/(?:sqlite|graphql|openapi|cds-types|cds-typer|cds-test)|@cap-js-community\/odata-v2-adapter|(?:better-)?sqlite3?|express|cors|dotenv|helmet|cds-(?:swagger-ui-express|plugin-ui5)|typescript|tsx|ts-node|@types\/[\w-]{1,60}|@ui5\/[\w-]{1,60}|rimraf|nodemon|jest)$/

/** Something else than a SQLite stands behind it, or a login of the platform in front. */
export function isConnected(configuration: Configuration): boolean {
  return configuration.keys('requires').some((name) => {
    const setting = configuration.value('requires', name, 'kind') ?? configuration.value('requires', name)
    const kind = stringOf(setting?.node) ?? ''
    return name === 'db' ? !/^(?:sqlite|sql|)$/.test(kind) : OF_PLATFORM.test(kind)
  })
}

const OF_PLATFORM = /^(?:odata|rest|hcql|xsuaa|ias|jwt|kafka|redis|audit-log-to|.{0,40}messaging)/

function knowsUsers({ services }: CapRoot): boolean {
  return services.some(
    ({ access, elements, exposure }) =>
      exposure === 'external' ||
      ASKS.test(access.kind) ||
      elements.some((element) => ASKS.test(element.access?.kind ?? '') || JOINS.test(element.name)),
  )
}

function hasOperation({ services }: CapRoot, name: RegExp): boolean {
  return services.some(({ elements }) => elements.some((element) => name.test(element.name)))
}

const ASKS = /^(?:roles|authenticated)$/
/** Operations by which somebody becomes a user. */
const JOINS = /(?:^|\.)(?:register|sign_?up)/i
/** The same by which one proves to be one. */
const LOGS_IN = /(?:^|\.)(?:sign_?(?:in|on)|log_?(?:in|on)|authenticate)/i

/** The files with a descriptor of a platform or a command that deploys. */
export function* deployingFiles(files: ReadonlyMap<string, ProjectFile>): Iterable<string> {
  for (const { path, kind } of files.values())
    if (!kind.test && (DESCRIPTORS.has(kind.role ?? '') || OF_HOSTS.test(path) || isApprouter(path, kind.role, files))) yield path
  for (const { file, text } of findCommands(files)) if (DEPLOYS.test(text)) yield file
  for (const { file, jobs } of findWorkflows(files))
    if (jobs.some(({ steps }) => steps.some(({ uses }) => DEPLOY_ACTIONS.test(stringOf(uses) ?? '')))) yield file
}

/** Charts, and what hosts of servers and pm2 read. Facts: documentation of Fly.io, Render, Railway, App Engine and pm2. */
const OF_HOSTS =
  /(?:^|\/)(?:chart\.ya?ml|fly\.toml|render\.ya?ml|railway\.(?:json|toml)|app\.ya?ml|ecosystem\.config\.(?:[cm]?js|json))$/i
/** `azure/webapps-deploy@v3`, `appleboy/ssh-action@v1`; what deploys pages has no server. */
const DEPLOY_ACTIONS = /^(?!actions\/|[^@]{0,100}pages)[^@]{0,100}(?:deploy|ssh|scp|rsync|docker\/build-push)/i

/** A module that is an approuter stands in front of a server somewhere, also where another repository deploys both. */
function isApprouter(path: string, role: Role | undefined, files: ReadonlyMap<string, ProjectFile>): boolean {
  if (role !== 'xs-app') return false
  const content = files.get(joinPath(folderOf(path), 'package.json'))?.content
  return content?.as === 'data' && at(content.roots[0], 'dependencies', '@sap/approuter') !== undefined
}

/** What deploys a project, or binds it to services of the platform; routes of an app alone do neither. */
const DESCRIPTORS: ReadonlySet<string> = new Set(
  'mta mtaext cf-manifest dockerfile compose kubernetes procfile jenkinsfile xs-security default-env destination'.split(' '),
)
/**
 * Commands that deploy. What builds or deploys an MTA needs its descriptor, which counts by itself, or makes one first.
 * Facts: SAP, "Multitarget Applications" (`mbt build` reads mta.yaml, `cf deploy` an archive or the folder of mtad.yaml); capire, "Deploy to Cloud" (`cds add mta`).
 */
const DEPLOYS =
  /\bcf\s{1,4}push\b|\bcds(?:-dk)?\s{1,4}add\s{1,4}(?:mta|helm|kyma|cf-manifest)\b|\bdocker\s{1,4}(?:build|push)\b|\bhelm\s{1,4}(?:install|upgrade)\b|\bkubectl\s{1,4}apply\b|\baz\s{1,4}(?:webapp|containerapp)\b|\bcds(?:-dk)?\s{1,4}(?:up\b|deploy\b.{0,60}hana)|\bgcloud\s{1,4}(?:run|app)\b|\b(?:heroku|vercel|fly(?:ctl)?\s{1,4}deploy|flyctl|railway)\b|\b(?:rsync|scp)\s|\bpm2\s{1,4}(?:re)?(?:start|load|deploy)/
