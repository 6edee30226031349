import { runsOnSqlite } from '../../model/cap/index.ts'
import type { NpmPackage } from '../../model/npm/index.ts'
import type { Project } from '../subjects.ts'

/** CAP's driver of SQLite before version 7, which projects have for development. */
const DRIVER = 'sqlite3'

/** Whether a package that is a tool of development elsewhere is the driver of the database that a deployed CAP project runs on. */
export function isRunningDriver(
  name: string,
  { folder, dependencies }: Pick<NpmPackage, 'folder' | 'dependencies'>,
  { capRoots }: Pick<Project, 'capRoots'>,
): boolean {
  return (
    name === DRIVER &&
    dependencies.some((one) => one.name === name && one.member === 'dependencies') &&
    capRoots.some((root) => root.root === folder && runsOnSqlite(root))
  )
}
