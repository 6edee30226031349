/** Connections that a page opens to the host that it names. Facts: HTML and WebSockets standards; API reference of SAPUI5, "sap.ui.core.ws". */
export const SOCKETS: readonly string[] = [
  'global:EventSource new',
  'global:WebSocket new',
  'module:sap/ui/core/ws/WebSocket new',
  'module:sap/ui/core/ws/SapPcpWebSocket new',
]

/** Connections of socket.io, which hand the data itself to their listeners. Fact: socket.io-client 4, "Client API". */
export const CONNECTIONS: RegExp = /^(?:global:io|module:socket\.io-client(?: io| default| connect)?)(?: connect)? \(\)$/
