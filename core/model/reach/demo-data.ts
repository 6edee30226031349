import type { Scripts } from '../../extracts/scripts.ts'
import type { ProjectFile } from '../../files.ts'
import { membersOf, stringOf } from '../../parse/data.ts'
import {
  foldedName,
  isCredential,
  isSampleModel,
  tableOf,
  toWords,
  type CapElement,
  type CapRoot,
  type CapService,
  type Configuration,
} from '../cap/index.ts'
import type { NpmPackage } from '../npm/index.ts'
import { isBelow, joinPath, lastName } from '../../paths.ts'
import { isOfUi5App, isToolFile } from '../script/index.ts'
import { DATA_TABLE, emptyTables } from './empty-tables.ts'
import { queriedTables } from './queried-tables.ts'
import { isConnected, isSeedOnly, isSelfContained, type SeedFacts } from './seed-only.ts'

/** Demonstration data alone; `operations`: beside operations that work on no other rows. */
type Demo = 'rows' | 'operations'

/**
 * A service that holds nothing but CAP's sample model, data that the project deploys from CSV files, or rows that no database keeps, with no remote service behind the project whose credentials
 * would open something else. Behind a server without a database and without any code there is nothing at all.
 */
export function createDemoReader(
  root: CapRoot,
  facts: SeedFacts,
  findTables: () => ReadonlySet<string>,
): (service: CapService) => Demo | undefined {
  const { packages, keepsRows, opensHost, javaDemo } = facts
  const known = new Map<CapService, Demo | undefined>()
  let tables: ReadonlySet<string> | undefined
  let isConnected: boolean | undefined
  let isEmpty: boolean | undefined
  let isKept: boolean | undefined
  let isSeeded: boolean | undefined
  const isSeedAlone = (own: ReadonlySet<string>): boolean =>
    (isSeeded ??= javaDemo === undefined ? isSeedOnly(root, facts, own) : javaDemo() !== undefined)
  const read = (service: CapService): Demo | undefined => {
    const entities = service.elements.filter(isEntity)
    if (entities.length === 0) return isBesideDemo(service) ? 'operations' : undefined
    if ((isConnected ??= hasRemotes(root, facts))) return undefined
    if (isSampleModel(service.elements) || entities.every(isOfBookshop)) return 'rows'
    if ((isEmpty ??= hasNothingBehind(root, packages))) return 'rows'
    // whoever signs up or changes a password leaves one of their own
    if (entities.some(({ writable, members }) => writable && members().some(isCredential))) return undefined
    tables ??= findTables()
    const own = tables
    isKept ??=
      javaDemo === undefined
        ? !isVolatile(root, packages) || (root.deployed && !isAlone(root, packages))
        : javaDemo() !== 'memory'
    const keeps = isKept
    // what users write, and what operations do, is more than what the files hold
    const isFilledByFiles = (element: CapElement): boolean =>
      isEntity(element) && !(element.writable && keeps) && tablesOf(element).every((table) => own.has(table))
    if (own.size > 0 && service.elements.every(isFilledByFiles)) return 'rows'
    if (own.size > 0 && entities.every((entity) => isSeed(entity, own, keeps)) && isSeedAlone(own)) return 'rows'
    // operations that ask for rows of the files alone, and note what they did
    if (own.size > 0 && entities.every((one) => isFilledByFiles(one) || isLog(one)) && isOfFiles(own, keeps)) return 'operations'
    // what is not kept anywhere is gone with the process
    if (keeps || (javaDemo === undefined && (!isAlone(root, packages) || keepsRows()))) return undefined
    // an operation of a server that has nothing but its database works on the same rows
    if (service.elements.every(({ kind }) => kind === 'entity')) return 'rows'
    return javaDemo !== undefined || (packages.every(isSelfContained) && !opensHost()) ? 'operations' : undefined
  }
  /** All that scripts ask the database for are rows of the files, and they change nothing but logs. */
  const isOfFiles = (own: ReadonlySet<string>, keeps: boolean): boolean => {
    if (root.runtime === 'java' || packages.length === 0 || !packages.every(holdsNoRows) || keepsRows() || opensHost())
      return false
    // what users of another service enter is no row of the files
    const isEntered = (one: CapElement): boolean => isEntity(one) && one.writable && !isLog(one)
    if (keeps && root.services.some(({ exposure, elements }) => exposure === 'served' && elements.some(isEntered))) return false
    const filled = new Set([...own].map(lastName))
    return root.scripts
      .get(queriedTables)
      .every(({ value: { table, isChanged } }) => (isChanged ? isLogName(table) : filled.has(foldedName(table))))
  }
  /** Operations alone, of a server that has nothing but the rows of demonstrations: all that it serves beside them is such a one. */
  const isBesideDemo = ({ elements }: CapService): boolean => {
    const others = root.services.filter(({ exposure, elements: its }) => exposure === 'served' && its.some(isEntity))
    if (elements.length === 0 || others.length === 0 || !others.every((other) => demoOf(other) !== undefined)) return false
    if (isSeedAlone((tables ??= findTables()))) return true
    return (
      isVolatile(root, packages) && isAlone(root, packages) && packages.every(isSelfContained) && !keepsRows() && !opensHost()
    )
  }
  const demoOf = (service: CapService): Demo | undefined => {
    if (!known.has(service)) known.set(service, read(service))
    return known.get(service)
  }
  return demoOf
}

/** A remote service whose credentials would open something else; a destination alone opens nothing where what is deployed gets none. */
function hasRemotes({ productive }: CapRoot, { getsDestinations }: Pick<SeedFacts, 'getsDestinations'>): boolean {
  return productive().some((configuration) =>
    configuration.keys('requires').some((name) => {
      const credentials = configuration.value('requires', name, 'credentials')
      if (credentials === undefined || /^(?:auth|db)$/.test(name)) return false
      const isDestination = membersOf(credentials.node).every(({ key }) => OF_DESTINATIONS.test(key))
      return !isDestination || credentials.node.kind !== 'object' || getsDestinations()
    }),
  )
}

/** Settings beside the name of a destination. Fact: capire, "Consuming Services" (`destination`, `path`, `forwardAuthToken`, `requestTimeout`). */
const OF_DESTINATIONS = /^(?:destination|path|forwardAuthToken|requestTimeout)$/

/**
 * Whether each profile says that the database is a SQLite in memory, which CSV files fill at each start, and there is nowhere else that rows could be: what users add is gone with the process,
 * whatever operations do besides. Fact: capire, "Using SQLite for Development", "In-Memory Databases".
 */
export function isInMemory(
  root: CapRoot,
  { packages, connects, getsDestinations }: Pick<SeedFacts, 'packages' | 'connects' | 'getsDestinations'>,
  findTables: () => ReadonlySet<string>,
): boolean {
  const profiles = root.productive()
  if (root.runtime === 'java' || profiles.length === 0 || !profiles.every(namesMemory)) return false
  if (hasRemotes(root, { getsDestinations }) || profiles.some(isConnected)) return false
  // a package that nobody knows may get rows of another system
  const isAlone = packages.every(({ dependencies }) =>
    holdsNoRows({ dependencies: dependencies.filter(({ name }) => !OF_LOGINS.test(name)) }),
  )
  return isAlone && findTables().size > 0 && !connects()
}

function namesMemory(configuration: Configuration): boolean {
  return (
    stringOf(configuration.value('requires', 'db', 'kind')?.node) === 'sqlite' &&
    (stringOf(configuration.value('requires', 'db', 'credentials', 'url')?.node) ?? '').includes(':memory:')
  )
}

/** What the application writes down of its use: `DownloadAuditLog`, not `Blogs` or `Catalog`. */
export function isLog({ source, qualified, writable }: CapElement): boolean {
  return writable && isLogName(source?.name ?? qualified)
}

function isLogName(name: string): boolean {
  return /(?:^| )logs?$/.test(toWords(name))
}

/** Beside CAP and SQLite it needs nothing but what works on texts, numbers and documents. */
function holdsNoRows({ dependencies }: Pick<NpmPackage, 'dependencies'>): boolean {
  return dependencies.every((one) => isSelfContained({ dependencies: [one] }) || OF_FORMATS.test(one.name))
}

/** What knows who calls, or sends mails. */
const OF_LOGINS =
  /^(?:jsonwebtoken|jose|bcrypt(?:js)?|argon2|passport(?:-\w{1,30})?|@sap\/(?:xssec|xsenv)|express-(?:session|rate-limit)|cookie-parser|body-parser|nodemailer)$/
const OF_FORMATS = /^(?:xlsx|exceljs|pdfkit|pdfmake|papaparse|csv-(?:parse|stringify)|moment|dayjs|date-fns|lodash|uuid|zod|joi)$/

function isEntity({ kind }: CapElement): boolean {
  return kind === 'entity'
}

/** The tables of which CSV files of the project hold rows. */
export function filledTables(files: ReadonlyMap<string, ProjectFile>, scripts: Scripts | undefined): ReadonlySet<string> {
  const empty = new Set(scripts?.get(emptyTables).map(({ file }) => file))
  return new Set([...files.keys()].flatMap((path) => (DATA_TABLE.test(path) && !empty.has(path) ? tableOf(path) : [])))
}

/**
 * It has no database but the one of its developers, which CSV files fill again at each start. What is deployed needs a driver of its database among `dependencies`.
 * Fact: capire, "Using SQLite for Development" (in memory by default, kept in the file of `credentials.url`); a database is a package of `dependencies`.
 */
function isVolatile({ runtime, productive }: CapRoot, packages: readonly NpmPackage[]): boolean {
  if (runtime === 'java' || packages.length === 0) return false
  const isKept = productive().some((configuration) => {
    const kind = stringOf(configuration.value('requires', 'db', 'kind')?.node) ?? ''
    const url = stringOf(configuration.value('requires', 'db', 'credentials', 'url')?.node) ?? ':memory:'
    return KEEPING.test(kind) || (/sqlite/i.test(kind) && !url.includes(':memory:'))
  })
  return (
    !isKept &&
    !packages.some(({ dependencies }) =>
      dependencies.some(({ name, member }) => member !== 'devDependencies' && DATABASE.test(name)),
    )
  )
}

/** Its database is a package for development, none is configured, and no package talks to another system. */
function isAlone({ productive }: CapRoot, packages: readonly NpmPackage[]): boolean {
  const all = packages.flatMap(({ dependencies }) => dependencies)
  return (
    all.some(({ name, member }) => member === 'devDependencies' && DATABASE.test(name)) &&
    !all.some(({ name, member }) => member !== 'devDependencies' && CLIENT.test(name)) &&
    !productive().some((configuration) => configuration.value('requires', 'db') !== undefined || talksToOthers(configuration))
  )
}

/** What is installed has no package of a database, none is configured, and no code of the server answers: CAP does. Fact: @sap/cds 6.8.4 and 9.9.3, tried: "No database connection" for each read and write. */
function hasNothingBehind({ runtime, files, root, productive }: CapRoot, packages: readonly NpmPackage[]): boolean {
  // one without a lock file may be written before the rest is; a server or a database with a package of its own says there what it needs
  const own = packages.filter(({ folder }) => folder === root)
  const has = (name: string): boolean => files.some(({ path }) => path === joinPath(root, name))
  if (runtime === 'java' || own.length === 0 || !has('package-lock.json') || has('srv/package.json') || has('db/package.json'))
    return false
  const isServerCode = ({ path, kind }: ProjectFile): boolean =>
    kind.language === 'script' &&
    !kind.test &&
    !isOfUi5App(path) &&
    !isToolFile(path) &&
    isBelow(path, root) &&
    !APP.test(path.slice(root.length))
  return (
    !own.some(({ dependencies }) =>
      dependencies.some(
        ({ name, member }) =>
          DATABASE.test(name) ||
          CLIENT.test(name) ||
          BEHIND.test(name) ||
          (member !== 'devDependencies' && !HOLDS_NOTHING.test(name)),
      ),
    ) &&
    !productive().some((configuration) => configuration.keys('requires').some((name) => name !== 'auth')) &&
    !files.some(isServerCode)
  )
}

/** Plugins that keep or fetch rows themselves. */
const BEHIND = /^@cap-js|^cds-|plugin/
/** Packages that every server has; others may bring models, handlers and rows. */
const HOLDS_NOTHING =
  /^(?:@sap\/(?:cds|cds-dk|xssec|xsenv|approuter|logging|textbundle|html5-app-deployer|ux-specification|eslint-plugin-cds)|express|passport|cors|helmet|compression|body-parser|dotenv|rimraf|cross-env|mbt|typescript|tsx|ts-node|@ui5\/[\w-]{1,60}|@types\/[\w-]{1,60}|eslint)$/
const APP = /^\/?app\//

/** Messages go to other systems, also without a package or credentials in the project. Fact: capire, "Messaging" (`cds.requires.messaging.kind`). */
function talksToOthers(configuration: Configuration): boolean {
  return configuration.keys('requires').some((name) => {
    const kind = stringOf(configuration.value('requires', name, 'kind')?.node) ?? ''
    return BROKER.test(kind) && !/^(?:local|file-based)-messaging$/.test(kind)
  })
}

const BROKER = /messaging|kafka|event-?(?:hub|mesh|broker)|redis/i

/** Packages that talk to other systems, where a handler may keep or get rows. */
export const CLIENT: RegExp =
  /axios|fetch|^got$|^request|superagent|http-client|cloud-sdk|^@aws|^aws|azure|firebase|supabase|elastic|soap|ldap|rfc|graphql/i
const KEEPING = /hana|postgres/i
/** Packages of databases. */
export const DATABASE: RegExp =
  /hana|hdb|postgres|^pg$|sqlite|mysql|mariadb|mssql|mongo|oracledb|redis|typeorm|prisma|sequelize|^knex$/i

/** Entities of the bookshop that `cds init` and the documentation of CAP start with, by name and elements: a library has books, too, and what it knows of their readers. */
function isOfBookshop({ name, members }: CapElement): boolean {
  return BOOKSHOP.test(name) && members().every((member) => BOOKSHOP_ELEMENTS.has(member.name.toLowerCase()))
}

const BOOKSHOP = /^(?:Books|Authors|Genres|ListOfBooks|Currencies|Languages|Countries)$/
/** In lower case. Facts: capire "Getting Started in a Nutshell", `cds add sample`; the aspects of @sap/cds/common (`cuid`, `managed`, `CodeList`). */
const BOOKSHOP_ELEMENTS: ReadonlySet<string> = new Set(
  (
    'id title descr author genre stock price currency image books name dateofbirth dateofdeath placeofbirth placeofdeath parent children ' +
    'code symbol minorunit createdat createdby modifiedat modifiedby texts localized locale'
  ).split(' '),
)

/** Rows of a CSV file of the project, or a list that @sap/cds-common-content brings its rows for; what users upload, and a database keeps, is neither. */
function isSeed(element: CapElement, own: ReadonlySet<string>, keeps: boolean): boolean {
  const isFilled = (table: string): boolean => own.has(table) || (!element.writable && COMMON.test(table))
  return tablesOf(element).every(isFilled) && !(keeps && element.members().some(({ type }) => type === 'LargeBinary'))
}

/** A view shows the rows of all that it reads. */
function tablesOf({ tables, qualified }: CapElement): readonly string[] {
  return (tables?.() ?? [qualified]).map(foldedName)
}

const COMMON = /\.(?:languages|countries|currencies|timezones)$/
