import type { ScriptFacts } from '../../facts/index.ts'
import { isServerFramework } from '../../server-frameworks.ts'
import { isPageTemplate } from '../../parse/page-template.ts'
import { fileNameOf } from '../../paths.ts'

/** Modules that only Node.js has; beside them the frameworks of servers. */
const OF_SERVERS =
  /^(?:node:|(?:fs|https?|net|tls|child_process|cluster|os|path|worker_threads|dotenv|passport|nodemailer|pg|hdb|undici|jsonwebtoken)(?:\/|$)|@sap\/(?:cds|xssec|xsenv|hana-client|hdbext|approuter|logging)(?:\/|$)|@sap-cloud-sdk\/|@cap-js\/|@nestjs\/|@tinyhttp\/)/
/** Modules of user interfaces. */
const OF_BROWSERS =
  /^(?:sap\/|jquery(?:\.|$)|@ui5\/webcomponents|react(?:-dom|-router(?:-dom)?)?(?:\/|$)|lit(?:-html|-element)?(?:\/|$)|dompurify$|vue(?:\/|$)|@angular\/)/
const SERVER_GLOBALS = ['cds', '__dirname', '__filename', 'SELECT']
const BROWSER_GLOBALS = [
  'window',
  'document',
  'localStorage',
  'sessionStorage',
  'sap',
  'jQuery',
  '$',
  'navigator',
  'location',
  'customElements',
]
const BROWSER_FOLDERS = /(?:^|\/)(?:webapp|public|static|www|client|frontend)\//
const SERVER_FOLDERS = /(?:^|\/)(?:srv|server|backend|api)\//

/** Whether a script is part of a page: it lies in a UI5 app, loads modules of UI5, or uses what only browsers have; undecided ones run on a server.
 *  Modules of Node.js decide first, since a server may render pages. `isOfPages`: its package makes pages alone. */
export function runsInBrowser(path: string, facts: ScriptFacts, isOfPages = false): boolean {
  const told = realmByPath(path)
  if (told !== undefined) return told === 'browser'
  const sources = facts.imports.map(({ source }) => source)
  if (facts.imports.some(({ kind }) => kind === 'define') || sources.some((source) => source.startsWith('sap/'))) return true
  if (isOfServer(isOfPages ? '' : path, facts)) return false
  if (isOfPages) return true
  if (/\.[jt]sx$/i.test(path)) return true
  if (sources.some((source) => OF_BROWSERS.test(source)) || (BROWSER_FOLDERS.test(path) && !isCommonJs(facts))) return true
  return BROWSER_GLOBALS.some((name) => facts.globals.has(name))
}

/** A module that nothing but Node.js loads: servers have clients of others and static tools as well. Browsers take scripts and ES modules; what both load asks for `define`. */
function isCommonJs({ imports, globals }: ScriptFacts): boolean {
  return globals.has('module') && !globals.has('define') && imports.every(({ kind }) => kind === 'require')
}

/** Where a script runs, whatever stands in it; undefined: its path does not tell. */
export function realmByPath(path: string): 'server' | 'browser' | undefined {
  // XS classic: its global $ is the server's
  if (isXsScript(path)) return 'server'
  return isOfUi5App(path) || /\.x?html?$/i.test(path) || isPageTemplate(path) ? 'browser' : undefined
}

/** Whether a file lies in the folder that a UI5 app is served from. */
export function isOfUi5App(path: string): boolean {
  return /(?:^|\/)webapp\//.test(path)
}

/** Whether a file lies in a folder of servers, and in none that a UI5 app is served from. */
export function isOfServerFolder(path: string): boolean {
  return realmByPath(path) !== 'browser' && SERVER_FOLDERS.test(path)
}

/** Whether a script certainly runs on a server: by what it loads and uses alone, since pages keep their requests in a folder `api` too. */
export function runsOnServer(path: string, facts: ScriptFacts): boolean {
  const told = realmByPath(path)
  return told === undefined ? isOfServer('', facts) : told === 'server'
}

function isOfServer(path: string, { imports, globals }: ScriptFacts): boolean {
  return (
    imports.some(({ source }) => OF_SERVERS.test(source) || isServerFramework(source)) ||
    SERVER_GLOBALS.some((name) => globals.has(name)) ||
    SERVER_FOLDERS.test(path)
  )
}

const NODE_GLOBALS = ['process', 'require', 'module', 'exports', 'Buffer', 'global']

/** Whether nothing in a script says where it runs: modules of both sides may call its functions. */
export function runsAnywhere(path: string, facts: ScriptFacts): boolean {
  return !isOfServer(path, facts) && !NODE_GLOBALS.some((name) => facts.globals.has(name)) && !isToolFile(path)
}

const DEVELOPER_NAME =
  /(?:^|[./_-])(?:dev|devel|development|local|localhost|mock|mocks|mocked|mockserver|dummy|test|tests|testing|sandbox|e2e|example|sample|fixture)s?(?:[./_-]|$)/i
const DEVELOPER_FOLDERS = /(?:^|\/)(?:mocks?|dev|local|examples?|samples?|fixtures?|e2e|integration-tests?|cypress|playwright)\//i

/** Views of an app are called after what they show: samples of a laboratory, an example that is to be followed, a test that candidates take. */
const SHOWS_SAMPLES = /^(?:sample|example|test|local|development|sandbox)s?\.(?:controller|view|fragment)\./i
/** Words of domains as well: a laboratory has samples, a rule engine a sandbox. */
const AMBIGUOUS_NAME = /(?:sample|sandbox)/i
/** The part of an app that a file says it is is called after what it serves: a test drive, an example of the documentation that was kept; a route is served under its name (Expo Router, "API Routes"). */
const PART_OF_APP =
  /^(?:test|example|sample|sandbox|development)s?(?:[-_]?\w{1,60})?[-_.]?(?:service|srv|handlers?|router?|routes|repository|schema|model)(?:\.cds|\.[cm]?[jt]s)$|\+api\.[jt]sx?$/i

/** HANA serves its packages whatever their folders are called: `dev` is one beside `prod`. Fact: SAP HANA Developer Guide for XS classic, "The Application-Access File". */
const OF_XS_CLASSIC = /\.xsjs(?:lib)?$/i

/** Whether a file says by its name that only developers run it: `server.dev.js`, `mock-auth.js`, `examples/`. */
export function isDeveloperFile(path: string): boolean {
  const name = fileNameOf(path)
  if (DEVELOPER_FOLDERS.test(path) && !OF_XS_CLASSIC.test(name)) return true
  return (
    DEVELOPER_NAME.test(name) &&
    !SHOWS_SAMPLES.test(name) &&
    !PART_OF_APP.test(name) &&
    !(OF_SERVICES.test(path) && AMBIGUOUS_NAME.test(name))
  )
}

/** What CAP deploys. */
const OF_SERVICES = /(?:^|\/)srv\//

const TOOL_NAME =
  /^(?:gulpfile|gruntfile|karma|webpack|rollup|vite|vitest|jest|wdio|playwright|cypress)\b|\.(?:config|conf)\.[cm]?[jt]s$/i
const TOOL_FOLDERS =
  /(?:^|\/)(?:(?:[\w-]{1,40}[-_])?(?:bootstrap|build|setup|deploy|install|automation)[-_]scripts?|scripts?|tools?|tooling|hack|bin|ci|\.github|deploy(?:ment)?|migrations?)\//i

/** Folders that services have as well: converters, migrations of a customer's data, deployments to tenants. */
const SERVICE_FOLDERS = /(?:^|\/)srv\/(?:.{1,300}\/)?(?:tools?|migrations?|deploy(?:ment)?)\//i

/** Whether a file is run by hand or by a pipeline, not by the deployed application. */
export function isToolFile(path: string): boolean {
  return (TOOL_FOLDERS.test(path) && !SERVICE_FOLDERS.test(path)) || TOOL_NAME.test(fileNameOf(path))
}

/** Whether a deployed server may run a file: it belongs to no UI5 app, and neither a developer nor a pipeline runs it. */
export function isDeployedCode(path: string): boolean {
  return !isOfUi5App(path) && !isToolFile(path) && !isDeveloperFile(path)
}

/** A script of XS classic, or a library of it, which Node.js runs by `@sap/xsjs`. */
export function isXsScript(path: string): boolean {
  return /\.xsjs(?:lib)?$/i.test(path)
}
