import type { Budget } from '../budget.ts'
import type { ScriptFacts } from '../facts/types.ts'
import {
  answersRequests,
  holdsDanger,
  toFileFlow,
  type FileFlow,
  type FlowExtent,
  type FlowSettings,
  type Realm,
} from '../flow/index.ts'
import { runsAnywhere, runsInBrowser } from '../model/script/index.ts'
import { isOfPages, type OwnModules } from '../project/own-modules.ts'

/** A script, or the scripts of a page, whose data flow may be followed. */
export interface FlowScript {
  readonly path: string
  readonly text: string
  readonly facts: ScriptFacts
  /** Where it runs, as far as its path and its words tell. */
  readonly realms: readonly Realm[]
  readonly extent: FlowExtent
  readonly modules: OwnModules | undefined
  readonly settings: FlowSettings | undefined
  readonly budget: Budget
  /** The steps were used up: what was collected by then is what there is. */
  readonly onCut: () => void
}

/** The data flow of a script, where it runs in one of the realms. Throws a StopSignal when the steps are used up. */
export function readFlow({
  path,
  text,
  facts,
  realms,
  extent,
  modules,
  settings,
  budget,
  onCut,
}: FlowScript): FileFlow | undefined {
  const isOpen = !realms.includes('server') && runsAnywhere(path, facts)
  const realm = isOpen || runsInBrowser(path, facts, isOfPages(path, modules)) ? 'browser' : 'server'
  if (!realms.includes(realm)) return undefined
  if (extent === 'sinks' && realm === 'browser' && !holdsDanger(facts, text) && !answersRequests(facts)) return undefined
  return toFileFlow({ path, realm, text, facts, ...(settings !== undefined && { settings }), step: budget.step, onCut })
}
