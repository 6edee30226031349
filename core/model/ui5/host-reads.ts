import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { constantOf, pathsOf, resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import type { Span } from '../../types.ts'
import { isOfServerFolder, leadingTextOf } from '../script/index.ts'
import { askedAddressOf, createAddressFinder, type AskedAddress } from './given-addresses.ts'
import { hostIn, isForAll, isPage, readsPersonsAt } from './host-requests.ts'
import type { Ui5App } from './types.ts'

/** A request to a host that the code of the app names, by a call that has no place for headers, or is given none. All of them are sent by jQuery. */
export interface HostRead {
  readonly file: string
  readonly at: Span
  readonly host: string
  /** As far as the path tells. */
  readonly readsPersons: boolean
}

interface SentRead {
  readonly at: Span
  readonly text: string
  readonly asked?: AskedAddress
  readonly isForAll: boolean
}

const JSON_MODEL = /^(?:global:sap ui model json JSONModel|module:sap\/ui\/model\/json\/JSONModel(?: default)?)( new loadData)?$/
const JQUERY = /^(?:global:(?:jQuery|\$)|module:(?:sap\/ui\/thirdparty\/)?jquery(?:\.sap\.global)?)(?: |$)/

/** `jQuery.get(url)`, `$.getJSON(url)`; `$(list).get(0)` reads no address. */
const READS_DIRECTLY =
  /(?:\$|jQuery)(?:\s{0,20}\.\s{0,20}\w{1,40})?\s{0,20}\.\s{0,20}get(?:JSON)?\((?!\s{0,20}\d)|jQuery["'`]\s{0,20}\]\s{0,20}\.get/
const LOADS_JQUERY = /["'](?:sap\/ui\/thirdparty\/)?jquery(?:\.sap\.global)?["']/
/** A parameter or an import of its usual names. */
const TAKES_JQUERY = /[(,]\s{0,40}(?:jQuery|\$)\s{0,40}[,)]|\bimport\s{1,4}(?:\*\s{1,4}as\s{1,4})?(?:jQuery|\$)\s/
/** It is given to another name: `const jq = window.jQuery`, `{ jq: $ }`, `(function (jq) { … })(jQuery)`, `const { jQuery: jq } = window`; not `${value}`. */
const HANDS_JQUERY =
  /(?:[=:|?]|[})]\s{0,20}\()\s{0,20}(?:(?:window|self|globalThis|global)\.)?(?:jQuery|\$)(?![\w${/"'`]|\s{0,20}[.([])|[{,]\s{0,20}(?:jQuery|\$)\s{0,4}:/

/** Whether a script may read by jQuery: by its names, or by any other that it gives it. Most of what is called `get` belongs to maps, models and registries. */
function mayReadByJquery(text: string): boolean {
  return (
    /\.get(?:JSON)?\(/.test(text) &&
    (READS_DIRECTLY.test(text) || (LOADS_JQUERY.test(text) && !TAKES_JQUERY.test(text)) || HANDS_JQUERY.test(text))
  )
}

/** Facts: jQuery API, `get` and `getJSON`; API of sap.ui.model.json.JSONModel, constructor and `loadData`, whose seventh argument are headers. */
export const hostReads: Extract<SentRead> = defineExtract({
  name: 'ui5-host-reads',
  keywords: ['.get(', '.getJSON(', 'loadData(', 'JSONModel('],
  prefilter: (text) => mayReadByJquery(text) || /loadData\(|JSONModel\((?!\s{0,80}[{)])/.test(text),
  isFor: (path) => !isOfServerFolder(path),
  *collect({ facts }) {
    for (const call of facts.calls) {
      const address = addressRead(call)
      if (address === undefined) continue
      const text = beginningOf(address)
      const asked = text === '' ? askedAddressOf(address) : undefined
      if (asked === undefined && hostIn(text) === undefined) continue
      yield {
        at: { start: call.start, end: call.end },
        text,
        isForAll: isForAll(address) || isPage(address),
        ...(asked !== undefined && { asked }),
      }
    }
  },
})

/** The same of an app, those included whose address another script gives. */
export function hostReadsOf(app: Ui5App): HostRead[] {
  const find = createAddressFinder(app)
  return app.scripts.get(hostReads).flatMap(({ file, value: { at, text, asked, isForAll: isOfAll } }) => {
    const whole = asked === undefined ? text : (find(file, asked)?.text ?? '')
    const host = hostIn(whole)
    return host === undefined ? [] : [{ file, at, host, readsPersons: !isOfAll && readsPersonsAt(whole) }]
  })
}

function addressRead({ kind, callee, args }: CallValue): Value | undefined {
  const name = lastNameOf(callee)
  const [first, , , method, , , headers] = args
  if (first === undefined || resolveValue(first).kind === 'object') return undefined
  if (kind === 'new') return name === 'JSONModel' && isReadFrom(callee, JSON_MODEL) ? first : undefined
  if (callee.kind !== 'member') return undefined
  if (name === 'loadData') {
    const verb = method && constantOf(method)
    const isBare = headers === undefined && (method === undefined || verb === 'GET' || verb === undefined)
    return isBare && isReadFrom(callee, JSON_MODEL) ? first : undefined
  }
  if (name !== 'get' && name !== 'getJSON') return undefined
  return isReadFrom(callee, JQUERY) ? first : undefined
}

/** A class of the project may have the same name, and send what it needs: the module counts. */
function isReadFrom(callee: Value, whence: RegExp): boolean {
  return pathsOf(callee).some((path) => whence.test(path.join(' ')))
}

const MAX_CHAIN = 20

/** The beginning of an address; of `URI(base).segment("users").query(what)`, too. Fact: API of URI.js. */
function beginningOf(address: Value): string {
  const segments: string[] = []
  let here = resolveValue(address)
  for (let count = 0; count < MAX_CHAIN && here.kind === 'call'; count++) {
    const [first] = here.args
    const name = lastNameOf(here.callee)
    if (here.callee.kind !== 'member') {
      if (name !== 'URI' || first === undefined) break
      return [leadingTextOf(first).text.replace(/\/$/, ''), ...segments.toReversed()].join('/')
    }
    if (name === 'segment' && first !== undefined) segments.push(leadingTextOf(first).text)
    else if (!/^(?:query|search|addQuery|addSearch|valueOf|toString|href|normalize)$/.test(name ?? '')) break
    here = resolveValue(here.callee.object)
  }
  return leadingTextOf(address).text
}
