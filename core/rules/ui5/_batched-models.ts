import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { constantOf, pathOf, resolveValue, type CallValue, type ScriptFacts, type Value } from '../../facts/index.ts'
import { isAround } from '../../facts/span-index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { manifestModelsOf, type Ui5App } from '../../model/ui5/index.ts'
import { at, booleanOf, stringOf } from '../../parse/data.ts'
import { fileNameOf } from '../../paths.ts'
import type { Place, Span } from '../../types.ts'

/** Models that send requests within $batch unless something says otherwise. Facts: SAPUI5 API reference, v2.ODataModel (`useBatch` is true), v4.ODataModel (`groupId` is `$auto`). */
const BATCHING =
  /^(?:global:sap\.ui\.model\.odata\.v[24]\.ODataModel|module:sap\/ui\/model\/odata\/v[24]\/ODataModel)(?:\.default)?$/

/** One of them by its module or in code: controls ask for the type of a model by its name. */
const MAY_BATCH = /\bodata\/v[24]\/ODataModel\b|(?<!["'`]sap\.ui\.model\.)\bodata\.v[24]\.ODataModel\b/
/** The first ODataModel, `useBatch` and `$direct`, in whatever settings they stand. Facts: as above; sap.ui.model.odata.ODataModel sends each request by itself. */
const UNBATCHED =
  /\bmodel[./]odata[./]ODataModel\b|\buseBatch['"]?\s{0,4}[:=]\s{0,4}(?:false\b|!1)|\bgroupId['"]?\s{0,4}:\s{0,4}['"`]\$direct\b/

/** Written by SAP Web IDE beside an app: a model of the first kind in a function that nothing calls. */
const GENERATED = 'serviceBinding.js'

/** Models that send each request by itself. */
const unbatchedModels: Extract<true> = defineExtract({
  name: 'ui5-unbatched-models',
  keywords: ['ODataModel', 'useBatch', '$direct'],
  isFor: (path) => fileNameOf(path) !== GENERATED,
  *collectText(text) {
    if (UNBATCHED.test(text)) yield true
  },
})

/** A model that a script makes; or the function in which one is told to batch, or no longer to. */
interface BatchSetting extends Span {
  readonly says: 'made' | 'on' | 'off'
}

const batchSettings: Extract<BatchSetting> = defineExtract({
  name: 'ui5-batch-settings',
  keywords: ['ODataModel', 'setUseBatch'],
  prefilter: (text) => /\bsetUseBatch\b/.test(text) || (MAY_BATCH.test(text) && /\bnew\s/.test(text)),
  *collect({ facts, step }) {
    for (const call of facts.calls) {
      if (call.kind === 'new' && BATCHING.test(pathOf(call.callee)?.join('.') ?? '') && isUsed(call, facts, step))
        yield { start: call.start, end: call.end, says: 'made' }
      const [given] = call.args
      if (given === undefined || lastNameOf(call.callee) !== 'setUseBatch') continue
      const on = constantOf(given)
      if (typeof on !== 'boolean') continue
      const { start, end } = call.function
      yield isMadeHere(call) && !on
        ? { start: 0, end: Number.MAX_SAFE_INTEGER, says: 'off' }
        : { start, end, says: on ? 'on' : 'off' }
    }
  },
})

/** Whether a call is one of a model that is made in front of it and batches: nothing else tells it how to send. */
export function isOfBatchingModel({ callee }: CallValue, text: string): boolean {
  const model = callee.kind === 'member' ? resolveValue(callee.object) : undefined
  return (
    model?.kind === 'new' &&
    BATCHING.test(pathOf(model.callee)?.join('.') ?? '') &&
    !/\bsetUseBatch\b|\buseBatch\b|\$direct\b/.test(text)
  )
}

/** Whether a switch is that of a model which the script makes, so that it holds from the beginning. */
function isMadeHere({ callee }: CallValue): boolean {
  return callee.kind === 'member' && resolveValue(callee.object).kind === 'new'
}

/** `setModel(model)`, `this.model = model`, `model.read(…)`: one that a function only gives back may be that of nobody. */
function isUsed(model: CallValue, { calls, assignments }: ScriptFacts, step: (count?: number) => void): boolean {
  step(calls.length + assignments.length)
  const isIt = (value: Value) =>
    value === model || (value.kind === 'reference' && value.binding?.definitions.some((one) => one.value === model) === true)
  return (
    assignments.some(({ value }) => isIt(value)) ||
    calls.some(({ callee, args }) => args.some(isIt) || (callee.kind === 'member' && isIt(callee.object)))
  )
}

/** What `createBatchReader` needs. */
export const BATCH_EXTRACTS: readonly Extract[] = [unbatchedModels, batchSettings]

/**
 * Tells whether the models of an app send a request within $batch. Where the app switches that off, a request goes within it only if the function around it, or one around that, switches it
 * on and none of them off: what other functions have said before it, nobody can tell, and the higher level counts.
 */
export function createBatchReader(app: Ui5App): (place: Place) => boolean {
  const settings = app.scripts.get(batchSettings)
  const says = (one: BatchSetting['says']) => settings.filter(({ value }) => value.says === one)
  const models = manifestModelsOf(app).filter(({ type }) => type === 'OData' || type?.endsWith('.ODataModel') === true)
  const isKnown = models.length > 0 || says('made').length > 0
  if (!isKnown || app.scripts.get(unbatchedModels).length > 0 || !models.every(isBatching)) return () => false
  const [on, off] = [says('on'), says('off')]
  if (off.length === 0) return () => true
  const isAsked = ({ file, span }: Place, list: typeof on) =>
    span !== undefined && list.some((one) => one.file === file && isAround(one.value, span.start))
  return (place) => isAsked(place, on) && !isAsked(place, off)
}

function isBatching({ type, settings }: ReturnType<typeof manifestModelsOf>[number]): boolean {
  const useBatch = at(settings, 'useBatch')
  const isDirect = stringOf(at(settings, 'groupId')) === '$direct'
  return type !== 'sap.ui.model.odata.ODataModel' && !isDirect && (useBatch === undefined || booleanOf(useBatch) !== false)
}
