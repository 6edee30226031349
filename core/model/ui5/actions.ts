import { at, stringOf } from '../../parse/data.ts'
import type { Span } from '../../types.ts'
import { membersBelow } from './tooling.ts'
import type { Ui5App } from './types.ts'

/** A function of an app that Fiori elements calls for an action, as the descriptor names it. */
export interface ActionHandler {
  /** `my/app/ext/Actions` */
  readonly module: string
  readonly method: string
  readonly at: Span
}

/** `.extension.my.app.ext.controller.List.onShow`: a method of a controller extension. */
const EXTENSION = /^\.extension\./
/** A descriptor declares some dozens of actions; the rest of a hostile one is not looked at. */
const MAX_ACTIONS = 500

/** Facts: documentation of SAPUI5, "Adding Custom Actions Using Extension Points" of SAP Fiori elements for OData V4: `press` is the path of a module and a function. */
export function actionHandlersOf({ manifest }: Ui5App): ActionHandler[] {
  const targets = at(manifest?.root, 'sap.ui5', 'routing', 'targets')
  const handlers: ActionHandler[] = []
  if (targets === undefined) return handlers
  for (const { key, value } of membersBelow(targets)) {
    const name = key === 'press' ? stringOf(value)?.replace(EXTENSION, '') : undefined
    const end = name?.lastIndexOf('.') ?? -1
    if (name === undefined || end < 1) continue
    handlers.push({ module: name.slice(0, end).replaceAll('.', '/'), method: name.slice(end + 1), at: value })
    if (handlers.length === MAX_ACTIONS) break
  }
  return handlers
}
