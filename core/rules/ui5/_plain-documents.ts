import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { pathsOf, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { isOfServerFolder, leadingTextOf } from '../../model/script/index.ts'
import type { Span } from '../../types.ts'

/** A service of an ABAP system that a script opens in a window without TLS. */
interface PlainDocument {
  readonly at: Span
  /** Without the port. */
  readonly host: string
  /** Without the leading slash, as far as it is constant. */
  readonly path: string
}

/** Facts: SAP Gateway, `/sap/opu/odata`; SAP NetWeaver AS ABAP, "Maintaining the Internet Communication Framework" (`/sap/bc`): services ask for a logon, unless one keeps a user for all. */
const SERVICE = /^http:\/\/([\w.-]{1,300})(?::\d{1,5})?\/(sap\/(?:opu|bc)\/[^?#\s(]{0,300})/i
const OPENS =
  /^global:(?:(?:window|globalThis)\.)?open$|^global:(?:window\.)?location\.(?:assign|replace)$|^module:sap\/m\/library(?:\.default)?\.URLHelper\.redirect$|^global:(?:sap\.m\.)?URLHelper\.redirect$/
const LOCATION = /^global:(?:window\.)?location(?:\.href)?$/

/** `window.open("http://host/sap/opu/odata/…")`, `URLHelper.redirect(…)`, `location.href = …`. */
export const plainDocuments: Extract<PlainDocument> = defineExtract({
  name: 'ui5-plain-documents',
  keywords: ['http://'],
  isFor: (path) => !isOfServerFolder(path),
  prefilter: (text) => /\bhttp:\/\/[^"'`/\s]{1,300}\/sap\/(?:opu|bc)\//i.test(text),
  inPages: true,
  *collect({ facts }) {
    for (const { callee, args } of facts.calls) {
      const [address] = args
      if (address !== undefined && pathsOf(callee).some((path) => OPENS.test(path.join('.')))) yield* documentAt(address)
    }
    for (const { target, value } of facts.assignments)
      if (lastNameOf(target) === 'href' && pathsOf(target).some((path) => LOCATION.test(path.join('.')))) yield* documentAt(value)
  },
})

function* documentAt(address: Value): Generator<PlainDocument> {
  const [, host, path = ''] = SERVICE.exec(leadingTextOf(address).text) ?? []
  const { start, end } = address
  if (host !== undefined) yield { at: { start, end }, host: host.toLowerCase(), path }
}
