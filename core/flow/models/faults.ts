import type { Origin } from '../types.ts'

/** What a client names is no less its choice for being a number or a UUID. */
export const ABOUT_CHOICE: ReadonlySet<string> = new Set([
  'cap/tenant-from-request',
  'cap/context-user-override',
  'cap/shared-handler-state',
  'cap/privileged-user-in-request',
  'cap/event-queue-privileged-replay',
])

/** What runs code, changes queries or chooses files does so whoever wrote the row; what is shown or called is often meant to be chosen there. */
export const STORED_FAULTS: ReadonlySet<string> = new Set([
  'cap/cql-injection',
  'cap/code-injection',
  'cap/command-injection',
  'cap/unsafe-deserialization',
  'cap/path-traversal',
])

/** Of what was stored surely: markup that is shown. Of addresses what says which host is called, or where they begin. */
export const STORED_SHOWN = 'cap/reflected-xss'
export const STORED_CALLED = 'cap/ssrf'

/** Keys that the back end gave out, and what the storage of the same browser held: of no interest there, whatever else may reach the place. */
export const UNHEEDED: ReadonlyMap<string, Origin> = new Map<string, Origin>([
  ['ui5/odata-filter-injection', 'backend'],
  ['ui5/log-injection', 'storage'],
  ['ui5/path-injection', 'storage'],
])

/** The subscription of a tenant names it. */
export const SUBSCRIPTION_CLEANS: readonly string[] = ['cap/tenant-from-request']

/** What is encoded for one of these, is encoded as a text within code. */
export const ENCODED_IN_CODE: readonly string[] = ['ui5/eval', 'ui5/odata-filter-injection']
/** The beginning of an address was checked. */
export const CHECKED_LINK = 'ui5/javascript-url'
/** What is wrong with a listener that takes messages from any sender. */
export const UNCHECKED_SENDER = 'ui5/postmessage-no-origin-check'

/** Faults of what shows links as they are written. */
export const SHOWING_LINKS: ReadonlySet<string> = new Set([
  'ui5/xss-dom-sink',
  'ui5/xss-html-control',
  'ui5/renderer-unsafe-output',
  'ui5/webcomponents-raw-html',
])

/** An entity of the model is no text that a client chooses; that it was chosen, its queries tell. */
export const MODEL_NAME_CLEANS: readonly string[] = [
  'cap/cql-injection',
  'cap/log-injection',
  'cap/ssrf',
  'cap/path-traversal',
  'cap/open-redirect',
  'cap/reflected-xss',
  'cap/command-injection',
  'cap/code-injection',
  'cap/prototype-pollution',
  'cap/messaging-handler-trusts-payload',
  'cap/privileged-user-in-request',
  'cap/event-queue-privileged-replay',
  'cap/shared-handler-state',
]
