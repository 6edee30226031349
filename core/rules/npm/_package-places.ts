import { createLeftOutReader, isForTesting } from '../../model/deployment/index.ts'
import { headOf, installedFor, mayGet, type NpmPackage } from '../../model/npm/index.ts'
import type { LockedPackage, LockedPackages } from '../../parse/lock/index.ts'
import { folderOf, isBelow, joinPath, ownerOf } from '../../paths.ts'
import type { Project } from '../subjects.ts'
import { isHostedApp, namedInBuild } from './_hosted-apps.ts'
import { loadedByApp } from './_loaded-packages.ts'
import { isAppCode, neededFrom, requirersAtRuntime } from './_package-loads.ts'
import { isLoadedInPages } from './_page-packages.ts'
import { textsBelow } from '../../parse/data.ts'

/**
 * `elsewhere`: the project deploys other parts; `stopped`: what is deployed of it is never started; `build`: it runs where an app is built to static files, and
 * no part of it comes into these; `exercise`: only servers load it that nothing starts; `unlocked`: what is deployed is installed without this lock file, and may get a fixed version.
 */
export type PackagePlace = 'deployed' | 'unlocked' | 'elsewhere' | 'stopped' | 'build' | 'exercise'

/** `repaired`: the lowest version that is not affected. */
type PlaceReader = (found: LockedPackage, repaired: string | undefined) => PackagePlace

/** Says of what a lock file or package.json installs where it comes to run. */
export function createPlaceReader(
  { file, lock, packages: installed }: LockedPackages,
  project: Pick<Project, 'npm' | 'once' | 'deployment' | 'scripts' | 'ui5Apps' | 'files' | 'reach' | 'capRoots'>,
): PlaceReader {
  const {
    npm: { packages, byFolder },
    deployment,
    ui5Apps,
    files,
  } = project
  const own = installedFor({ file, lock }, { packages })
  if (own.length === 0) return () => 'deployed'
  let known: ReturnType<typeof loadedByApp> | undefined
  const loaded = (): ReturnType<typeof loadedByApp> => (known ??= loadedByApp(project))
  const counts = createDescriptorFilter(packages)
  const allModules = deployment.moduleFolders.filter((one) => counts(one.file))
  const modules = allModules.filter((one) => one.isBundle)
  const bundled = new Set(modules.map(({ folder }) => folder))
  const started = new Set(modules.flatMap(({ folder, isForBuildOnly }) => (isForBuildOnly ? [] : folder)))
  const isNamed = ({ deployedBy, folder }: NpmPackage): boolean => deployedBy.some(counts) || bundled.has(folder)
  // the platform starts an app with files of its own too, where that says how
  const isServer = (one: NpmPackage): boolean =>
    (one.deployedBy.some(counts) && !one.isStopped && !isHostedApp(one, ui5Apps, hasServer)) || isStarted(one)
  const isStarted = ({ folder, scripts: commands }: NpmPackage): boolean =>
    started.has(folder) && commands.some(({ name, command }) => name === 'start' && /\bnode /.test(command))
  // a server of pages that starts by itself is deployed somewhere, whatever an MTA says of the rest
  const isOwnServer = ({ scripts: commands }: NpmPackage): boolean =>
    commands.some(({ name, command }) => name === 'start' && /(?:^|&&\s{0,4})(?:next|nuxt) start\b/.test(command))
  const packageOf = (path: string): string | undefined => ownerOf(path, byFolder)
  // a folder below with a package.json of its own finds what that doesn't name here
  const hasServer = ({ folder, dependencies }: NpmPackage): boolean => {
    const named = new Set(dependencies.map(({ name }) => name))
    return loaded().some(({ file: from, value: { name, onServer } }) => {
      const owner = onServer ? packageOf(from) : undefined
      if (owner === undefined || owner === folder) return owner !== undefined
      return (
        isBelow(owner, folder) && named.has(name) && byFolder.get(owner)?.dependencies.every((one) => one.name !== name) === true
      )
    })
  }

  const isPackedUnlocked = ({ folder }: NpmPackage): boolean => {
    const sources = new Set(['', 'srv', 'gen/srv'].map((part) => joinPath(folder, part)))
    const built = allModules.filter((one) => !one.isBundle && !one.isContent && sources.has(one.folder))
    return built.length > 0 && built.every(({ omitsLock }) => omitsLock)
  }
  const runs = own.filter((one) => isServer(one) || isOwnServer(one))
  const pages = own.filter((one) => !runs.includes(one) && (bundled.has(one.folder) || isHostedApp(one, ui5Apps, hasServer)))
  const others = own.filter((one) => !pages.includes(one))
  const leftOutBy = createLeftOutReader(deployment.mtas.filter((one) => counts(one.file)))
  const areOthersNamed = packages.some(isNamed) || others.every(({ folder }) => leftOutBy(folder) !== undefined)
  const rest = createRestReader(
    { runs, idle: others.filter((one) => !runs.includes(one)), areOthersNamed, isPackedUnlocked },
    { file, lock, packages: installed },
    {
      files,
      importedIn: (part) => loaded().flatMap(({ file: from, value }) => (packageOf(from) === part.folder ? value.name : [])),
      isFrame: createFrameReader(packages.filter(isNamed), files, packageOf),
      runsJava: ({ folder }) =>
        project.capRoots.some(({ root, runtime }) => runtime === 'java' && (root === folder || root === joinPath(folder, 'srv'))),
    },
  )
  const isLeft = createLeftReader(own, installed, { ...project, packageOf })
  if (pages.length === 0)
    return (found, repaired) => {
      const place = rest(found, repaired)
      return place === 'deployed' && runs.length === 0 && isLeft(found) ? 'exercise' : place
    }

  const folders = new Set(pages.map(({ folder }) => folder))
  const isOfPages = (path: string): boolean => folders.has(packageOf(path) ?? '/')
  let inBundle: ReadonlySet<string> | undefined
  const findBundled = (): ReadonlySet<string> => {
    const imported = loaded().flatMap(({ file: from, value }) => (isOfPages(from) && !value.onServer ? value.name : []))
    return neededFrom([...imported, ...pages.flatMap(({ folder }) => namedInBuild(folder, ui5Apps))], installed, isLoadedInPages)
  }
  let forOthers: ReadonlySet<string> | undefined
  let forPages: ReadonlySet<string> | undefined
  return (found, repaired) => {
    const { name } = found
    inBundle ??= findBundled()
    if (isAmong(found, inBundle)) return 'deployed'
    if (others.length === 0) return 'build'
    forOthers ??= neededBy(others, installed)
    if (forOthers.has(name)) return rest(found, repaired)
    forPages ??= neededBy(pages, installed)
    return forPages.has(name) ? 'build' : rest(found, repaired)
  }
}

/** Tells which descriptors count: one for runs on a developer's machine does where there is no other. */
export function createDescriptorFilter(packages: readonly NpmPackage[]): (descriptor: string) => boolean {
  const isProductive = (descriptor: string): boolean => !isForTesting(descriptor)
  const haveProductive = packages.some(({ deployedBy }) => deployedBy.some(isProductive))
  return (descriptor) => !haveProductive || isProductive(descriptor)
}

/** Tells what nothing of some packages loads but exercises. */
function createLeftReader(
  own: readonly NpmPackage[],
  installed: readonly LockedPackage[],
  project: Pick<Project, 'once' | 'reach'> & { packageOf(path: string): string | undefined },
): (found: LockedPackage) => boolean {
  const { reach, packageOf } = project
  let needs: { readonly exercises: ReadonlySet<string>; readonly others: ReadonlySet<string> } | undefined
  const read = (): NonNullable<typeof needs> => {
    const folders = new Set(own.map(({ folder }) => folder))
    const here = loadedByApp(project).filter(({ file }) => folders.has(packageOf(file) ?? '/'))
    const of = (isOf: boolean): ReadonlySet<string> =>
      neededFrom(
        here.flatMap(({ file, value }) => (reach.isExercise(file) === isOf ? value.name : [])),
        installed,
      )
    return { exercises: of(true), others: of(false) }
  }
  return ({ name }) => {
    needs ??= read()
    return needs.exercises.has(name) && !needs.others.has(name)
  }
}

/** The parts that a lock file is for and that are no pages: those that run, and the others. */
interface Parts {
  readonly runs: readonly NpmPackage[]
  readonly idle: readonly NpmPackage[]
  readonly areOthersNamed: boolean
  /** All modules that are built of it leave its lock file out. */
  isPackedUnlocked(part: NpmPackage): boolean
}

interface RestFacts {
  readonly files: Project['files']
  importedIn(part: NpmPackage): readonly string[]
  isFrame(part: NpmPackage): boolean
  /** The server of its folder is Java. */
  runsJava(part: NpmPackage): boolean
}

/** Settings of editors and tools: `.vscode/cds.js`. */
const IN_HIDDEN = /(?:^|\/)\.[^/]/

/**
 * Tells the packages that only stand around those that are deployed, each with a package.json of its own: no code and no model is theirs, so that what they install runs for developers and the build alone.
 * An index.cds of such a folder only lists the models of the others. An approuter needs no code: its routes are its own.
 */
function createFrameReader(
  deployed: readonly NpmPackage[],
  files: Project['files'],
  packageOf: (path: string) => string | undefined,
): (part: NpmPackage) => boolean {
  const holdsAnother = ({ folder }: NpmPackage): boolean =>
    deployed.some((other) => other.folder !== folder && isBelow(other.folder, folder))
  const isSource = (file: string, folder: string): boolean =>
    file === joinPath(folder, 'xs-app.json') ||
    isAppCode(file) ||
    (file.endsWith('.cds') && file !== joinPath(folder, 'index.cds'))
  let withSource: ReadonlySet<string> | undefined
  const findSources = (): ReadonlySet<string> =>
    new Set(
      [...files.keys()].flatMap((file) => {
        const folder = IN_HIDDEN.test(file) ? undefined : packageOf(file)
        return folder !== undefined && isSource(file, folder) ? folder : []
      }),
    )
  return (part) => holdsAnother(part) && !(withSource ??= findSources()).has(part.folder)
}

/** An approuter that nothing deploys and that could not start: its routes are missing. Fact: @sap/approuter 23.0.0 README, "Configurations" (xs-app.json in the working directory). */
function isUnconfigured({ folder, dependencies, deployedBy, scripts: commands }: NpmPackage, files: RestFacts['files']): boolean {
  return (
    deployedBy.length === 0 &&
    dependencies.every(({ name, member }) => name === '@sap/approuter' || member === 'devDependencies') &&
    dependencies.length > 0 &&
    !files.has(joinPath(folder, 'xs-app.json')) &&
    !commands.some(({ command }) => /\s(?:-w|--workingDir)\b/.test(command))
  )
}

function createRestReader(
  { runs, idle, areOthersNamed, isPackedUnlocked }: Parts,
  { file, lock, packages: installed }: LockedPackages,
  { files, importedIn, isFrame, runsJava }: RestFacts,
): PlaceReader {
  // the plugin of Maven installs and runs them, to build the model that the server reads; an approuter needs no code
  const isForMaven = (part: NpmPackage): boolean =>
    runsJava(part) &&
    part.scripts.every(({ name, command }) => !/^(?:start|web)$/.test(name) && !/\bnode\s|approuter/.test(command)) &&
    part.dependencies.every(({ name }) => name !== '@sap/approuter') &&
    importedIn(part).length === 0
  const whenIdle = (): PackagePlace => {
    if (idle.every(({ isStopped }) => isStopped)) return 'stopped'
    if (idle.every(isForMaven)) return 'build'
    if (areOthersNamed && idle.every((part) => isUnconfigured(part, files) && importedIn(part).length === 0)) return 'stopped'
    if (!areOthersNamed) return 'deployed'
    return idle.every(isFrame) ? 'build' : 'elsewhere'
  }
  const left = idle.length === 0 ? 'build' : whenIdle()
  if (runs.length === 0) return () => left
  const needs = new Map<NpmPackage, ReadonlySet<string>>()
  const needOf = (part: NpmPackage): ReadonlySet<string> => {
    // what stands in a folder above is found too
    const known = needs.get(part) ?? neededBy([part], installed, importedIn(part))
    needs.set(part, known)
    return known
  }
  const folder = folderOf(file)
  const isUnlocked = (part: NpmPackage): boolean =>
    isPackedUnlocked(part) || (part.folder !== folder && part.deployedBy.every((by) => installsAnew(by, files)))
  const unlocked = lock === undefined ? [] : runs.filter(isUnlocked)
  return (found, repaired) => {
    const { name } = found
    const needing = runs.filter((part) => needOf(part).has(name))
    if (needing.length === 0) return idle.some((part) => needOf(part).has(name)) ? left : 'deployed'
    if (repaired === undefined || needing.some((part) => !unlocked.includes(part))) return 'deployed'
    const ranges = needing.flatMap(({ dependencies }) => dependencies.flatMap((one) => (one.name === name ? one.range : [])))
    return mayGet(found, repaired, ranges) ? 'unlocked' : 'deployed'
  }
}

/**
 * Whether the platform or the build of an MTA installs a part in its own folder, where no lock file of a folder above is found, unless the descriptor brings it there.
 * Facts: Cloud MTA Build Tool, "Builders"; Node.js buildpack of Cloud Foundry: `npm ci` with a lock file in the folder, `npm install` without.
 */
function installsAnew(descriptor: string, files: Project['files']): boolean {
  const { kind, content } = files.get(descriptor) ?? {}
  if ((kind?.role !== 'mta' && kind?.role !== 'cf-manifest') || content?.as !== 'data') return false
  return !content.roots
    .flatMap((root) => textsBelow(root))
    .some(({ text }) => /package-lock|shrinkwrap|yarn\.lock|pnpm/.test(text))
}

/** Whether one entry of a lock file is among needed packages: another place of its name, which something else needs, is not. */
function isAmong({ name, direct, path, neededBy = [] }: LockedPackage, needed: ReadonlySet<string>): boolean {
  if (neededBy.length > 0 && !needed.has(name)) return false
  if (path !== undefined && needed.has(headOf(path))) return true
  return direct || neededBy.length === 0 ? needed.has(name) : neededBy.some((by) => needed.has(by))
}

/** What packages of the project need to run, by name. */
function neededBy(
  parts: readonly NpmPackage[],
  installed: readonly LockedPackage[],
  imported: readonly string[] = [],
): ReadonlySet<string> {
  const named = parts.flatMap(({ dependencies }) =>
    dependencies.flatMap(({ name, member }) => (member === 'devDependencies' ? [] : name)),
  )
  return neededFrom([...named, ...imported], installed, requirersAtRuntime(installed))
}
