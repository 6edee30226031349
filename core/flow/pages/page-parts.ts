import { addBasicAuth } from '../sinks/basic-auth.ts'
import { addBrowserParts } from './browser.ts'
import { addAddresses } from './controls.ts'
import { addReturnedCredentials } from '../sources/credentials.ts'
import { addCustomElements, mayUseElements } from './custom-elements.ts'
import { addSocketHandlers } from './custom-events.ts'
import { addDocuments } from '../sinks/documents.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { addMadeFunctions } from '../calls/made-functions.ts'
import { addReact } from './react.ts'
import { addElementSinks } from '../sinks/sinks.ts'
import { addWorkers } from './workers.ts'

/** What only scripts of pages have, beside calls and assignments. */
export function addPageParts(exportable: Parameters<typeof addBrowserParts>[0], draft: FlowDraft): void {
  addElementSinks(draft)
  addReact(draft)
  addMadeFunctions(draft)
  addSocketHandlers(draft)
  addWorkers(draft)
  addBrowserParts(exportable, draft)
}

/** Where data of others must not arrive in a page, beside the arguments of calls. */
export function addPageSinks(draft: FlowDraft): void {
  addAddresses(draft)
  addBasicAuth(draft)
  addReturnedCredentials(draft)
  if (draft.facts.types.size > 0 || mayUseElements(draft.text)) addCustomElements(draft)
  addDocuments(draft)
}
