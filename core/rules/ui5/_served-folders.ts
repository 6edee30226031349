import type { FlowHit } from '../../flow/index.ts'
import type { Ui5App } from '../../model/ui5/index.ts'
import { at, itemsOf, stringOf } from '../../parse/data.ts'
import type { Project } from '../subjects.ts'
import { appAround } from './_row-writers.ts'

/** What a script asks for: `loadData("/api/data.json")`. */
const FILE = /\((?:"|'|`)(\/[^"'`?]{1,300}\.(?:json|csv|xml))["'`?]/
const SERVES = /servestatic/i

/**
 * Whether a page shows a file of the folder that the development server of its app has under an address of its own: nobody but the app writes it.
 * Facts: README of ui5-middleware-servestatic (`mountPath`, `rootPath`), of @sap/ux-ui5-tooling, "fiori-tools-servestatic" (`paths`).
 */
export function isOfOwnFolder({ origin, part, at: place }: FlowHit, { ui5Apps }: Pick<Project, 'ui5Apps'>): boolean {
  const [, address] = origin === 'backend' ? (FILE.exec(part) ?? []) : []
  const app = address === undefined ? undefined : appAround(place.file, ui5Apps)
  return app !== undefined && mountsOf(app).some((mount) => address?.startsWith(`${mount.replace(/\/$/, '')}/`) === true)
}

function mountsOf({ tooling }: Ui5App): readonly string[] {
  return tooling
    .flatMap(({ root }) => itemsOf(at(root, 'server', 'customMiddleware')))
    .flatMap((step) => {
      if (!SERVES.test(stringOf(at(step, 'name')) ?? '')) return []
      const configuration = at(step, 'configuration')
      const own = { path: stringOf(at(step, 'mountPath')), folder: stringOf(at(configuration, 'rootPath')) }
      const listed = itemsOf(at(configuration, 'paths')).map((one) => ({
        path: stringOf(at(one, 'path')),
        folder: stringOf(at(one, 'src')),
      }))
      // below `/` other systems answer as well
      return [own, ...listed].flatMap(({ path, folder }) =>
        path !== undefined && path !== '/' && folder !== undefined && /^(?:\.\/)?\w/.test(folder) && !folder.includes('..')
          ? path
          : [],
      )
    })
}
