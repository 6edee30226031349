import type { LineTable } from '../parse/position.ts'
import type { Inventory } from '../report/build.ts'
import type { Project } from '../rules/subjects.ts'
import type { Locale } from '../types.ts'
import { listRoutes } from './approuter.ts'
import { listCapServices } from './cap.ts'
import { listPackages } from './npm.ts'
import { listUi5Apps } from './ui5.ts'

/** What the report lists beside its findings, so that a reader sees why there is none. */
export function listInventory(project: Project, locale: Locale): Inventory {
  const { source, date, complete } = project.advisories
  const step = (): void => project.step()
  const linesOf = (file: string): LineTable | undefined => project.files.get(file)?.lines
  return {
    apps: listUi5Apps(project.ui5Apps, project.catalogue, project.date, locale, step),
    services: listCapServices(project.capRoots, project.reach, linesOf, locale, step),
    packages: listPackages(project.packages, step),
    advisories: { source, date, complete },
    routes: listRoutes(project.approuters, project.reach, linesOf, locale, step),
  }
}
