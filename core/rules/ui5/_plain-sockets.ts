import { pathsOf, type CallValue, type Value } from '../../facts/index.ts'
import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { isOfServerFolder, leadingTextOf } from '../../model/script/index.ts'
import type { Span } from '../../types.ts'

/** A WebSocket that a page opens without TLS. */
interface PlainSocket {
  readonly at: Span
  /** Without the port; undefined: the host of the page. */
  readonly host?: string
}

/** Facts: HTML standard, "WebSocket"; API reference of SAPUI5, sap.ui.core.ws.WebSocket, sap.ui.core.ws.SapPcpWebSocket. */
const SOCKETS =
  /^global:(?:WebSocket|ReconnectingWebSocket|sap\.ui\.core\.ws\.(?:SapPcp)?WebSocket)$|^module:(?:sap\/ui\/core\/ws\/(?:SapPcp)?WebSocket|ws|isomorphic-ws|reconnecting-websocket|partysocket\/ws)$/
/** What follows the text of an address may be the rest of a name. */
const HOST = /^ws:\/\/([\w.-]{1,300}|\[[\da-f:]{2,40}\])(?=([:/?]|$))/i
const HOST_OF_PAGE = /^global:(?:document\.)?location\.host(?:name)?$/

/** `new WebSocket("ws://host/path")`, `new WebSocket("ws://" + location.host)`. */
export const plainSockets: Extract<PlainSocket> = defineExtract({
  name: 'ui5-plain-sockets',
  keywords: ['ws://'],
  isFor: (path) => !isOfServerFolder(path),
  inPages: true,
  collect: ({ facts }) => facts.calls.flatMap((call) => socketOf(call)),
})

function socketOf({ kind, callee, args: [address] }: CallValue): PlainSocket[] {
  if (kind !== 'new' || address === undefined) return []
  if (!pathsOf(callee).some((path) => SOCKETS.test(path.join('.')))) return []
  const { text, isWhole } = leadingTextOf(address)
  const { start, end } = address
  const at = { start, end }
  const [, host, behind] = HOST.exec(text) ?? []
  if (host !== undefined) return behind !== '' || isWhole ? [{ at, host: host.toLowerCase() }] : []
  let isOfPage = false
  const isHostOfPage = (part: Value): boolean => {
    isOfPage ||= pathsOf(part).some((path) => HOST_OF_PAGE.test(path.join('.')))
    return false
  }
  if (/^ws:\/\/$/i.test(text)) leadingTextOf(address, isHostOfPage)
  return isOfPage ? [{ at }] : []
}
