import type { CallValue } from '../../facts/index.ts'
import { addOpenCall, addRequired } from './callables.ts'
import { addCallbackSources } from './callback-sources.ts'
import { addCalledFunctions } from './called-functions.ts'
import { addEachEntry, addEntryNames } from './callees.ts'
import { addClaims } from './claims.ts'
import { addCollection } from './collections.ts'
import { addComposition } from './compositions.ts'
import type { FlowDraft } from './draft.ts'
import { addSecretAnswer } from './held-secrets.ts'
import { addMails } from './mails.ts'
import { addModelAnswer } from './model-answers.ts'
import { addPrivilegedNew } from './privileged-users.ts'
import { addServerTemplate } from './server-templates.ts'
import { addSpreadsheet } from './spreadsheets.ts'
import { addStream } from './streams.ts'
import { addUploadNames } from './uploads.ts'

interface CallNodes {
  readonly args: readonly number[]
  /** What the function that is called gets: a tag gets the texts first. */
  readonly given: () => readonly number[]
}

/** Adds what calls do on servers alone: archives, streams, templates, mails, credentials, functions that packages call. */
export function addServerCall(
  call: CallValue,
  paths: readonly string[],
  result: number,
  { args, given }: CallNodes,
  draft: FlowDraft,
): void {
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
  if (draft.asksModels) addModelAnswer(call, paths, result, args, draft)
  if (draft.holdsSecrets) addClaims(call, paths, result, draft)
  if (draft.holdsSecrets) addSecretAnswer(call, paths, result, draft)
  addCalledFunctions(call, paths, result, args, draft)
  addCallbackSources(call, paths, draft)
  if (!addComposition(call, result, draft)) addOpenCall(call, paths, result, given(), draft)
}
