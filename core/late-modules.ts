import { createSnapshot } from './advisories/snapshot-index.ts'
import { loadFetchClient } from './network/fetch-json.ts'
import { loadProjectsModule } from './projects.ts'
import { EXPORT_FORMATS, loadVexWriter, loadWriter } from './writers.ts'

/** Loads what is else loaded when it is first wanted: for a process that lives long, beneath which an installation may replace modules meanwhile. */
export async function loadLateModules(): Promise<void> {
  await Promise.all([
    ...EXPORT_FORMATS.map(loadWriter),
    loadVexWriter(),
    loadProjectsModule(),
    loadFetchClient(),
    createSnapshot()(),
  ])
}
