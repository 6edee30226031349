/** Objects of a framework or of a page: what is read from them decides. */
export type ObjectOrigin =
  | 'cap-request'
  | 'cap-query'
  | 'http-request'
  | 'response'
  | 'message'
  | 'window-event'
  | 'window'
  | 'document'
  | 'location'
  | 'navigation'
  | 'activation'
  | 'history-entry'
  | 'web-storage'
  | 'parameters'
  | 'render-manager'
  | 'trusting-viewer'
  | 'open-app'
  | 'open-server'
  | 'upload'
  | 'exchange'
  | 'caller'

/**
 * What a label begins with. Data: `request`, `archive-entry` (a server's), `stored` (rows that clients write, answers of other systems); `url` (the address of the page, its name), `referrer` (the page before), `window-message` (another window),
 * `backend` (what other users may have written), `storage` (web storage), `imported` (files and the clipboard: the user brings in what somebody else made), `input` (what the user of the page enters), `property` (a control's property, set by whoever
 * uses the control), `unknown` (nothing in the project fills it). Of the server itself: `error` (what an exception says), `request-error` (that of a request: it holds the headers that were sent), `signed-error` (the same of a request to which the project gives credentials), `secret` (an address with a credential in it), `statement` (a text of SQL), `personal` (what the model says is personal), `reply` (what a handler gets for its caller from the handlers behind). Of pages and servers: `credential` (what has the name of one), `credentials` (an object with some). `claims` (of a token that nobody verified). `privileged` (the user who may do everything). `open-app` is an app that CAP runs, before it asks who calls, `open-server` one of the project's own. `exchange` and `caller` are a request and its user as far as they hold credentials.
 */
export type Origin =
  | ObjectOrigin
  | 'request'
  | 'archive-entry'
  | 'url'
  | 'referrer'
  | 'window-message'
  | 'backend'
  | 'storage'
  | 'imported'
  | 'input'
  | 'property'
  | 'stored'
  | 'error'
  | 'request-error'
  | 'signed-error'
  | 'secret'
  | 'credential'
  | 'credentials'
  | 'claims'
  | 'privileged'
  | 'statement'
  | 'personal'
  | 'reply'
  | 'unknown'
