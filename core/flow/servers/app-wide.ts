import { pathsOf, resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { FOUND_SINKS } from '../models/found-sinks.ts'
import { placeOf } from '../frameworks/registrations.ts'
import type { Span } from '../../types.ts'
import type { FlowGate } from '../types.ts'
import { UPLOADS_ANYWHERE } from '../tables/routes.ts'
import { uploaderOf } from './route-guards.ts'

/**
 * What runs for each request of an app, whatever its path, is reached like a route that asks nobody: `app.use(fileUpload())`, and the handler of errors,
 * `app.use((error, req, res, next) => …)`. Facts: Express 5, "Using middleware" and "Error handling": such a handler has four parameters.
 */
export function addAppWide({ args, ...call }: CallValue, receiver: number, draft: FlowDraft): void {
  const gates = args.filter(isErrorHandler).map((handler): FlowGate => ({ node: draft.use(handler), given: [] }))
  const uploads = args.flatMap((made) => [...uploaderOf(made), ...(isUploader(made) ? [spanOf(resolveValue(made))] : [])])
  if (gates.length === 0 && uploads.length === 0) return
  const { start, end } = placeOf({ ...call, args })
  draft.ends.sinks.push({ ...FOUND_SINKS.entrance, name: 'USE', node: receiver, start, end, only: { gates, uploads } })
}

function isErrorHandler(argument: Value): boolean {
  return functionOf(argument)?.parameters.length === 4
}

/** `fileUpload()` */
function isUploader(argument: Value): boolean {
  return pathsOf(resolveValue(argument)).some((path) => UPLOADS_ANYWHERE.test(path.join(' ')))
}

const spanOf = ({ start, end }: Span): Span => ({ start, end })
