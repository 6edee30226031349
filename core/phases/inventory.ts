import { createBudget, StopSignal } from '../budget.ts'
import { listInventory } from '../inventory/index.ts'
import type { Inventory } from '../report/build.ts'
import { untilCancelled } from '../meter.ts'
import type { Project } from '../rules/subjects.ts'
import type { Localized } from '../types.ts'
import type { ScanContext } from './scan-context.ts'

/** A row is made of what models know already. */
const INVENTORY_STEPS = 4_000_000

/** What the report lists beside its findings, in both languages. Where that takes too much it lists nothing, and says so. */
export function buildInventory(project: Project, { findings, control, meter }: ScanContext): Localized<Inventory> {
  // a scan that is out of time lists what it knows all the same
  meter.use(createBudget(INVENTORY_STEPS, () => (control.interruption?.() === 'cancelled' ? 'cancelled' : undefined)))
  try {
    return { en: listInventory(project, 'en'), fr: listInventory(project, 'fr') }
  } catch (error) {
    if (!(error instanceof StopSignal) || error.reason !== 'steps') throw error
    findings.notice({ code: 'time-limit', reason: 'model', args: { part: 'inventory' }, partial: true })
    const { source, date, complete } = project.advisories
    const nothing: Inventory = { apps: [], services: [], packages: [], routes: [], advisories: { source, date, complete } }
    return { en: nothing, fr: nothing }
  } finally {
    // findings are graded after it
    meter.use(untilCancelled(control))
  }
}
