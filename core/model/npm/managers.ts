import { fileNameOf, joinPath } from '../../paths.ts'
import { packagesOf } from './packages-of.ts'
import type { LockedPackages } from '../../parse/lock/index.ts'
import type { NpmProject, PackageManager } from './types.ts'

const NPM: PackageManager = {
  install: 'npm install',
  lock: 'package-lock.json',
  lockSetting: 'package-lock',
  build: 'npm ci',
  deploy: 'npm ci --omit=dev',
  audit: 'npm audit --audit-level=high',
  add: 'npm install',
  remove: 'npm uninstall',
  list: 'npm ls',
  overrides: 'package.json ("overrides")',
}

/**
 * Facts: npm, "package.json" (overrides); Yarn 1 and 4, "resolutions"; pnpm, "Settings" (overrides: in pnpm-workspace.yaml since 10.5.1, no longer in
 * package.json since 11); Bun, "overrides"; pnpm and Bun, "install" (--frozen-lockfile); Yarn 4, "yarn install" (--immutable),
 * "yarn workspaces focus" (--production), "yarn npm audit"; pnpm, "Settings" (lockfile), "pnpm audit"; Yarn 1, "yarn audit"; Bun, "bun audit";
 * pnpm and Bun, "why" (`pnpm list` shows direct dependencies alone).
 */
const MANAGERS: Readonly<Record<string, PackageManager>> = {
  npm: NPM,
  pnpm: {
    install: 'pnpm install',
    lock: 'pnpm-lock.yaml',
    lockSetting: 'lockfile',
    build: 'pnpm install --frozen-lockfile',
    deploy: 'pnpm install --frozen-lockfile --prod',
    audit: 'pnpm audit --audit-level high',
    add: 'pnpm add',
    remove: 'pnpm remove',
    list: 'pnpm why',
    overrides: 'pnpm-workspace.yaml ("overrides")',
  },
  yarn: {
    install: 'yarn install',
    lock: 'yarn.lock',
    lockSetting: '',
    // Yarn 2 and later know it as an alias
    build: 'yarn install --frozen-lockfile',
    deploy: 'yarn install --frozen-lockfile --production',
    audit: 'yarn audit --level high',
    add: 'yarn add',
    remove: 'yarn remove',
    list: 'yarn why',
    overrides: 'package.json ("resolutions")',
  },
  bun: {
    install: 'bun install',
    lock: 'bun.lock',
    lockSetting: '',
    build: 'bun install --frozen-lockfile',
    deploy: 'bun install --frozen-lockfile --production',
    audit: 'bun audit --audit-level=high',
    add: 'bun add',
    remove: 'bun remove',
    list: 'bun why',
    overrides: 'package.json ("overrides")',
  },
}
const NEW_YARN = /^yarn@(?!1\.)/
/** What differs in Yarn 2 and later. */
const OF_NEW_YARN = {
  build: 'yarn install --immutable',
  deploy: 'yarn workspaces focus --all --production',
  audit: 'yarn npm audit --all --recursive --severity high',
}

const OLD_PNPM = /^pnpm@(?:\d\.|10\.(?:[0-4]\.|5\.0))/
/** What differs before pnpm 10.5.1. */
const OF_OLD_PNPM = { overrides: 'package.json ("pnpm.overrides")' }

/** The package manager that writes a lock file; npm, for a name that none writes. */
function writerOf({ file, lock }: Lock): PackageManager {
  const base = fileNameOf(file)
  const manager = Object.values(MANAGERS).find((it) => it.lock === base) ?? NPM
  return isOfNewYarn({ file, lock }) ? { ...manager, ...OF_NEW_YARN } : manager
}

/** Whether Yarn 2 or later wrote a lock file: only Yarn 1 writes ranges as package.json does. */
export function isOfNewYarn({ file, lock }: Lock): boolean {
  return /(?:^|\/)yarn\.lock$/.test(file) && lock !== undefined && lock.descriptors === undefined
}

/** The package manager that mends a lock file, or the versions of a package.json without one. */
export function managerOfLock(locked: Lock, { packages, manager }: Pick<NpmProject, 'packages' | 'manager'>): PackageManager {
  const { file } = locked
  const own = packagesOf(file, { packages })[0]?.manager
  if (locked.lock === undefined) return own ?? manager
  const writer = writerOf(locked)
  // a lock file of another one is mended by what wrote it
  return own?.lock === writer.lock ? own : writer
}

/** Whether Bun's lock file, which is not read, stands for a package: beside it, or at the root of its workspace. */
export function hasBunLock({ folder, memberOf = folder }: BunLocked, files: { has(path: string): boolean }): boolean {
  return [folder, memberOf].some((at) => BUN_LOCKS.some((name) => files.has(joinPath(at, name))))
}

interface BunLocked {
  readonly folder: string
  readonly memberOf?: string
}

const BUN_LOCKS = ['bun.lock', 'bun.lockb']

/** The package manager that a command is one of: `yarn`. */
export function managerOfCommand(name: string): PackageManager {
  return MANAGERS[name] ?? NPM
}

type Lock = Pick<LockedPackages, 'file' | 'lock'>

/** What a package.json, and that of the root of its workspace, tell of their package manager. */
interface Teller {
  readonly packageManager?: string
  readonly locks: readonly Lock[]
}

/** The package manager that Corepack is told to use, or that of the lock file; undefined: nothing tells. */
export function toldManager({ locks, packageManager }: Teller, root?: Teller): PackageManager | undefined {
  const told = packageManager ?? root?.packageManager
  const [name = ''] = told?.split('@') ?? []
  const [lock] = locks
  const manager = MANAGERS[name] ?? (lock && writerOf(lock))
  if (manager === undefined || told === undefined) return manager
  return { ...manager, ...(NEW_YARN.test(told) && OF_NEW_YARN), ...(OLD_PNPM.test(told) && OF_OLD_PNPM) }
}

/** The one that most packages of a project use, of as many the first; npm, where none tells. */
export function commonManager(told: readonly (PackageManager | undefined)[]): PackageManager {
  const counts = new Map<string, number>()
  let common = NPM
  for (const manager of told) {
    if (manager === undefined) continue
    const count = (counts.get(manager.lock) ?? 0) + 1
    counts.set(manager.lock, count)
    if (count > (counts.get(common.lock) ?? 0)) common = manager
  }
  return common
}
