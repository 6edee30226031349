import { constantOf, pathOf } from '../../facts/index.ts'
import { isKeptBy } from '../kept-scripts.ts'
import type { ScriptFacts, Value } from '../../facts/types.ts'
import { at, booleanOf, membersOf, stringOf } from '../../parse/data.ts'
import type { DataNode } from '../../parse/data.ts'
import type { Place } from '../../types.ts'
import { fieldOf } from './constructions.ts'
import type { Ui5App } from './types.ts'

/** An address that an app gets data from, as it is written. */
export interface ServiceAddress {
  readonly address: string
  readonly at: Place
  /** Where the app says that the browser sends cookies there, whatever the origin. */
  readonly credentials: Place | undefined
}

const MODELS =
  /^(?:module:sap\/ui\/model\/|global:sap\.ui\.model\.)(?:odata[./](?:v[24][./])?ODataModel|json[./]JSONModel|xml[./]XMLModel)$/u
const REQUESTS: ReadonlySet<string> = new Set([
  'global:fetch',
  'global:jQuery.ajax',
  'global:$.ajax',
  'module:sap/ui/thirdparty/jquery.ajax',
])

/** Models of a manifest, with the address of their data source. */
export interface ManifestModel {
  readonly file: string
  readonly settings: DataNode | undefined
  readonly uri: string | undefined
}

export function manifestModelsOf({ manifest }: Ui5App): ManifestModel[] {
  if (manifest === undefined) return []
  const { file, root } = manifest
  return membersOf(at(root, 'sap.ui5', 'models')).map(({ value }) => {
    const source = stringOf(at(value, 'dataSource'))
    const uri =
      stringOf(at(value, 'uri')) ??
      (source === undefined ? undefined : stringOf(at(root, 'sap.app', 'dataSources', source, 'uri')))
    return { file, settings: at(value, 'settings'), uri }
  })
}

/** Data sources and models of the manifest, then what productive scripts (whose facts were kept) ask for. */
export function* serviceAddressesOf(app: Ui5App): Generator<ServiceAddress> {
  const { manifest } = app
  const sending = new Map<string | undefined, DataNode>()
  for (const { uri, settings } of manifestModelsOf(app)) {
    const node = at(settings, 'withCredentials')
    if (node !== undefined && booleanOf(node) === true) sending.set(uri, node)
  }
  for (const { value } of membersOf(at(manifest?.root, 'sap.app', 'dataSources'))) {
    const uri = at(value, 'uri')
    const address = stringOf(uri)
    if (manifest === undefined || uri === undefined || address === undefined) continue
    const credentials = sending.get(address)
    yield {
      address,
      at: { file: manifest.file, span: uri },
      credentials: credentials && { file: manifest.file, span: credentials },
    }
  }
  for (const script of app.scripts) if (!script.test && isKeptBy(script, asksForData)) yield* askedBy(script.file, script.facts)
}

function* askedBy(file: string, facts: ScriptFacts): Generator<ServiceAddress> {
  const placeOf = ({ start, end }: Value): Place => ({ file, span: { start, end } })
  for (const call of facts.calls) {
    const path = pathOf(call.callee)?.join('.') ?? ''
    const [first, second] = call.args
    if (first === undefined || (call.kind === 'new' ? !MODELS.test(path) : !REQUESTS.has(path))) continue
    const settings = first.kind === 'object' ? first : second?.kind === 'object' ? second : undefined
    const url = first.kind === 'object' ? (fieldOf(first, 'serviceUrl') ?? fieldOf(first, 'url')) : first
    const address = url && constantOf(url)
    if (url === undefined || typeof address !== 'string') continue
    const asked = fieldOf(settings, 'withCredentials') ?? fieldOf(settings, 'credentials')
    const answer = asked && constantOf(asked)
    const sends = answer === true || answer === 'include'
    yield { address, at: placeOf(url), credentials: sends && asked !== undefined ? placeOf(asked) : undefined }
  }
}

/** Whether a script makes models or asks for data by itself. */
export function asksForData(facts: ScriptFacts): boolean {
  return !askedBy('', facts).next().done
}
