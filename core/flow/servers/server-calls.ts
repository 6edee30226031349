import type { CallValue } from '../../facts/index.ts'
import { addOpenCall, addRequired } from '../calls/callables.ts'
import { addCallbackSources } from '../sources/callback-sources.ts'
import { addCalledFunctions } from '../calls/called-functions.ts'
import { addEachEntry, addEntryNames } from '../calls/callees.ts'
import { addClaims } from '../sources/claims.ts'
import { addCollection } from '../values/collections.ts'
import type { FlowDraft } from '../graph/draft.ts'
import type { CallNodes } from '../graph/environment.ts'
import { addSecretAnswer } from '../sources/held-secrets.ts'
import { addMails } from '../sinks/mails.ts'
import { addModelAnswer } from '../pages/model-answers.ts'
import { addPrivilegedNew } from '../sinks/privileged-users.ts'
import { addServerTemplate } from '../sinks/server-templates.ts'
import { addSpreadsheet } from '../sources/spreadsheets.ts'
import { addStream } from './streams.ts'
import { addUploadNames } from '../sources/uploads.ts'

/** Adds what calls do on servers alone: archives, streams, templates, mails, credentials, functions that packages call. */
export function addServerCall(
  call: CallValue,
  paths: readonly string[],
  { result, args: argumentsOf, given, composes }: CallNodes,
  draft: FlowDraft,
): void {
  const args = argumentsOf()
  addEntryNames(call, paths, result, draft)
  addEachEntry(call, draft)
  addRequired(call, result, draft)
  addCollection(call, paths, result, args, draft)
  addStream(call, paths, result, draft)
  addSpreadsheet(call, paths, result, draft)
  addServerTemplate(call, paths, result, draft)
  addMails(call, draft)
  addUploadNames(call, draft)
  addPrivilegedNew(call, paths, result, draft)
  if (draft.follows.models) addModelAnswer(call, paths, result, args, draft)
  if (draft.follows.secrets) addClaims(call, paths, result, draft)
  if (draft.follows.secrets) addSecretAnswer(call, paths, result, draft)
  addCalledFunctions(call, paths, result, args, draft)
  addCallbackSources(call, paths, draft)
  if (!composes) addOpenCall(call, paths, result, given(), draft)
}
