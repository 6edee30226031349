/** Connections that a page opens to the host that it names. Facts: HTML and WebSockets standards; API reference of SAPUI5, "sap.ui.core.ws". */
export const SOCKETS: readonly string[] = [
  'global:EventSource new',
  'global:WebSocket new',
  'module:sap/ui/core/ws/WebSocket new',
  'module:sap/ui/core/ws/SapPcpWebSocket new',
]
