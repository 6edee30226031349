import type { ProjectFile } from '../../files.ts'
import { at, booleanOf, memberOf } from '../../parse/data.ts'
import { folderOf, foldersAround, ownerOf } from '../../paths.ts'
import type { NpmProject } from '../npm/index.ts'
import type { XsServers } from './xsjs-servers.ts'

/** What the packages of XS classic say of the scripts and services in them. */
export interface XsPackages {
  /** Whether HANA serves it, whatever its folder is called. */
  isServed(file: string): boolean
  /** Whether nobody has to log in for it. */
  isOpen(file: string): boolean
  /** Whether it is open, and whoever does not log in gets no connection to the database: the package names none for them. What a script connects with by itself is not looked at. */
  isOpenWithoutConnection(file: string): boolean
  /** Whether no package of the project asks for a login or names a connection for those who do not log in: then its scripts get at the database only where an administrator has given them one. */
  isAllAnonymous(): boolean
  /** Whether users have to log in for it, and the package names no connection of its own: the database knows them by their own names. */
  isOfDatabaseUsers(file: string): boolean
  /** Whether a server of XS advanced runs it. */
  isRunByXsAdvanced(file: string): boolean
}

interface XsAccess {
  readonly exposed: boolean | undefined
  /** Undefined: as the package around says. */
  readonly isOpen: boolean | undefined
  /** A connection for those who do not log in; undefined: as the package around says. */
  readonly isConnected: boolean | undefined
  /** A connection for all who log in; undefined: as the package around says. */
  readonly isShared: boolean | undefined
}

/** What a package serves. */
const SERVED = /\.xs(?:js|jslib|odata|access)$/i
/** Servers of XS advanced run scripts of XS classic as well, and read no `.xsaccess`. Fact: README of @sap/xsjs 6.7.9, called sap-xsjs before it had a scope. */
const SUCCESSORS: ReadonlySet<string> = new Set(['@sap/xsjs', '@sap/async-xsjs', 'sap-xsjs'])

/**
 * Reads the files `.xsaccess` of a project: a package without one of its own is as the one around it. A server of XS advanced is known by its package or by
 * the script that starts it.
 * Facts: SAP HANA Developer Guide for XS classic, "Application-Access File Keyword Options" (exposed, authentication: null; anonymous_connection: the .xssqlcc file whose user the database is read with
 * where the request has none; default_connection: the same for those who log in) and "Anonymous Connections in SAP HANA XSC" (developers.sap.com): the login alone does not open the database.
 */
export function createXsPackages(
  files: ReadonlyMap<string, ProjectFile>,
  npm: Pick<NpmProject, 'byFolder'>,
  servers: XsServers,
): XsPackages {
  let known: ReadonlyMap<string, XsAccess> | undefined
  const successors = new Map<string, boolean>()
  let started: ReadonlySet<string> | undefined
  const isOfSuccessor = (folder: string): boolean => {
    const before = successors.get(folder)
    if (before !== undefined) return before
    started ??= new Set(servers.all().map(folderOf))
    const found = started.has(folder) || holdsSuccessor(folder, npm)
    successors.set(folder, found)
    return found
  }
  const around = (file: string): readonly XsAccess[] => {
    if (!SERVED.test(file)) return []
    known ??= readPackages(files)
    if (known.size === 0) return []
    const found: XsAccess[] = []
    for (let folder = folderOf(file); ; folder = folderOf(folder)) {
      if (isOfSuccessor(folder)) return []
      const own = known.get(folder)
      if (own !== undefined) found.push(own)
      if (folder === '') return found
    }
  }
  const isServed = (file: string): boolean => around(file).find(({ exposed }) => exposed !== undefined)?.exposed === true
  let openFolders: ReadonlySet<string> | undefined
  const isBelowAnonymous = (file: string): boolean => {
    if (!SERVED.test(file)) return false
    openFolders ??= new Set(servers.anonymous().map(folderOf))
    return ownerOf(file, openFolders) !== undefined
  }
  const isOpenPackage = (file: string): boolean =>
    isServed(file) && around(file).find(({ isOpen }) => isOpen !== undefined)?.isOpen === true
  return {
    isServed,
    isOpen: (file) => isBelowAnonymous(file) || isOpenPackage(file),
    isOpenWithoutConnection: (file) =>
      !isBelowAnonymous(file) &&
      isOpenPackage(file) &&
      around(file).find(({ isConnected }) => isConnected !== undefined)?.isConnected !== true,
    isAllAnonymous: () => {
      known ??= readPackages(files)
      return [...known.values()].every(({ isOpen, isConnected }) => isOpen !== false && isConnected !== true)
    },
    isOfDatabaseUsers: (file) =>
      isServed(file) &&
      !isBelowAnonymous(file) &&
      !isOpenPackage(file) &&
      around(file).find(({ isShared }) => isShared !== undefined)?.isShared !== true,
    isRunByXsAdvanced: (file) => [...foldersAround(file)].some(isOfSuccessor),
  }
}

function holdsSuccessor(folder: string, npm: Pick<NpmProject, 'byFolder'>): boolean {
  return (npm.byFolder.get(folder)?.dependencies ?? []).some(({ name }) => SUCCESSORS.has(name))
}

function readPackages(files: ReadonlyMap<string, ProjectFile>): ReadonlyMap<string, XsAccess> {
  const found = new Map<string, XsAccess>()
  for (const { path, kind, content } of files.values()) {
    if (kind.role !== 'xsaccess' || content.as !== 'data') continue
    const [root] = content.roots
    const authentication = memberOf(root, 'authentication')?.value
    const connection = memberOf(root, 'anonymous_connection')?.value
    const shared = memberOf(root, 'default_connection')?.value
    found.set(folderOf(path), {
      exposed: booleanOf(at(root, 'exposed')),
      isOpen: authentication === undefined ? undefined : authentication.kind === 'null',
      isConnected: connection === undefined ? undefined : connection.kind !== 'null',
      isShared: shared === undefined ? undefined : shared.kind !== 'null',
    })
  }
  return found
}
