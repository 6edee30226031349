import type { CallValue } from '../../facts/index.ts'
import type { FlowDraft } from './draft.ts'
import { addRawFields } from './templates.ts'

/** Calls of what a template engine has compiled, and of engines that get the template with its data. Facts: documentation of Handlebars 4, Mustache 4, Lodash 4. */
const COMPILED =
  /^module:(?:handlebars(?: create \(\))? compile|hogan\.js compile|(?:lodash|underscore) template|lodash[./]template)(?: \(\))(?: render)?$/
const RENDERING = /^module:mustache render$/

/** Adds the text that a template of the file makes: the fields that it writes as they are are in it, the others are encoded. */
export function addServerTemplate(call: CallValue, paths: readonly string[], result: number, draft: FlowDraft): void {
  const given = paths.some((path) => COMPILED.test(path)) ? 0 : paths.some((path) => RENDERING.test(path)) ? 1 : undefined
  const data = given === undefined ? undefined : call.args[given]
  if (data !== undefined) addRawFields(call, data, result, draft)
}
