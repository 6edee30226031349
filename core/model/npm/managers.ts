import type { NpmPackage } from './types.ts'

/** What a package manager writes, the commands that write it and hold to it, and where it reads versions that replace others. */
export type PackageManager = Readonly<
  Record<'install' | 'lock' | 'build' | 'add' | 'addDevelopment' | 'remove' | 'list' | 'overrides', string>
>

const NPM: PackageManager = {
  install: 'npm install',
  lock: 'package-lock.json',
  build: 'npm ci',
  add: 'npm install',
  addDevelopment: 'npm install --save-dev',
  remove: 'npm uninstall',
  list: 'npm ls',
  overrides: 'package.json ("overrides")',
}

/**
 * Facts: npm, "package.json" (overrides); Yarn 1 and 4, "resolutions"; pnpm, "Settings" (overrides: in pnpm-workspace.yaml since 10.5.1, no longer in
 * package.json since 11); Bun, "overrides"; pnpm and Bun, "install" (--frozen-lockfile); Yarn 4, "yarn install" (--immutable).
 */
const MANAGERS: Readonly<Record<string, PackageManager>> = {
  npm: NPM,
  pnpm: {
    install: 'pnpm install',
    lock: 'pnpm-lock.yaml',
    build: 'pnpm install --frozen-lockfile',
    add: 'pnpm add',
    addDevelopment: 'pnpm add --save-dev',
    remove: 'pnpm remove',
    list: 'pnpm list',
    overrides: 'pnpm-workspace.yaml ("overrides"; pnpm < 10.5.1: package.json, "pnpm.overrides")',
  },
  yarn: {
    install: 'yarn install',
    lock: 'yarn.lock',
    // Yarn 2 and later know it as an alias
    build: 'yarn install --frozen-lockfile',
    add: 'yarn add',
    addDevelopment: 'yarn add --dev',
    remove: 'yarn remove',
    list: 'yarn why',
    overrides: 'package.json ("resolutions")',
  },
  bun: {
    install: 'bun install',
    lock: 'bun.lock',
    build: 'bun install --frozen-lockfile',
    add: 'bun add',
    addDevelopment: 'bun add --dev',
    remove: 'bun remove',
    list: 'bun pm ls',
    overrides: 'package.json ("overrides")',
  },
}
const NEW_YARN = /^yarn@(?!1\.)/

/** The package manager that writes a lock file; npm, where a package.json stands in for one. */
export function managerOfLock(file: string): PackageManager {
  const base = file.slice(file.lastIndexOf('/') + 1)
  return Object.values(MANAGERS).find(({ lock }) => lock === base) ?? NPM
}

/** The package manager of a package.json: that of its lock file, or the one that Corepack is told to use. */
export function managerOf({ locks, packageManager }: NpmPackage, root?: NpmPackage): PackageManager {
  const told = packageManager ?? root?.packageManager
  const [name = ''] = told?.split('@') ?? []
  const [lock] = locks
  const manager = MANAGERS[name] ?? (lock === undefined ? NPM : managerOfLock(lock.file))
  return told !== undefined && NEW_YARN.test(told) ? { ...manager, build: 'yarn install --immutable' } : manager
}
