import type { FlowSink } from '../types.ts'

/** A sink that no access path names: the graph finds it by how code is built, and asks here what that is. */
export type FoundSink = Pick<FlowSink, 'fault'> &
  Partial<Pick<FlowSink, 'name' | 'of' | 'needs' | 'detail' | 'isDeep' | 'isOpen' | 'isPassedOn'>>

/** Those that have a name of their own; others are called as the code calls them. */
type NamedKind =
  | 'claimDecision'
  | 'tableAddress'
  | 'filterText'
  | 'attachedFile'
  | 'attachedAddress'
  | 'viewerSource'
  | 'tableCell'

type FoundKind =
  | 'contentType'
  | 'shownType'
  | 'rawTemplateField'
  | 'viewDefinition'
  | 'templateMarkup'
  | 'linkAddress'
  | 'pagePassword'
  | 'sharedState'
  | 'uploadPlace'
  | 'mailMarkup'
  | 'loggedCredential'
  | 'sentHeaders'
  | 'writtenKey'
  | 'deletedKey'
  | 'matchedText'
  | 'queryName'
  | 'queryText'
  | 'sentText'
  | 'returnedError'
  | 'returnedText'
  | 'answeredError'
  | 'nativeStatement'
  | 'route'
  | 'entrance'
  | 'servicePath'
  | 'filterLiteral'
  | 'batchLine'
  | 'changeLine'
  | 'htmlContent'
  | 'openedMarkup'
  | 'parsedSetting'
  | 'formattedMarkup'
  | 'renderedMarkup'
  | 'renderedAttribute'
  | 'trustedRow'
  | 'queuedRow'
  | 'spawnedRow'
  | 'privilegedQuery'
  | 'privilegedUser'
  | 'identity'
  | 'messageIdentity'

/** What each of them is a fault of, what must not arrive, and in which form. */
export const FOUND_SINKS: Readonly<Record<FoundKind, FoundSink> & Record<NamedKind, FoundSink & { readonly name: string }>> = {
  /** The content type of a response. */
  contentType: { fault: 'cap/reflected-xss', detail: 'type' },
  /** The same of one that says by itself that browsers show it. */
  shownType: { fault: 'cap/reflected-xss', detail: 'shown-type' },
  /** A field that a compiled template writes as it is. */
  rawTemplateField: { fault: 'ui5/template-engine-raw' },
  /** What a condition asks of a token. */
  claimDecision: { fault: 'cap/jwt-not-verified', name: 'decision', of: 'claims' },
  viewDefinition: { fault: 'ui5/xmlview-dynamic-definition', isOpen: true },
  /** An attribute of a template that gets markup. */
  templateMarkup: { fault: 'ui5/webcomponents-raw-html' },
  /** An address that somebody clicks, or that is opened at once: its beginning decides. */
  linkAddress: { fault: 'ui5/javascript-url', detail: 'begin' },
  pagePassword: { fault: 'ui5/basic-auth-in-client', isOpen: true },
  /** A table that a spreadsheet opens. */
  tableAddress: { fault: 'ui5/formula-injection', name: 'data:' },
  filterText: { fault: 'ui5/odata-filter-injection', name: '$filter', isPassedOn: true },
  /** What lives as long as the process. */
  sharedState: { fault: 'cap/shared-handler-state', isDeep: true },
  /** Where an upload is stored. */
  uploadPlace: { fault: 'cap/path-traversal' },
  /** What a mail shows. */
  mailMarkup: { fault: 'cap/reflected-xss', detail: 'mail' },
  attachedFile: { fault: 'cap/path-traversal', name: 'sendMail' },
  attachedAddress: { fault: 'cap/ssrf', name: 'sendMail' },
  loggedCredential: { fault: 'cap/sensitive-log', of: 'credential', isDeep: true },
  /** Headers that a request sends to a system of others. */
  sentHeaders: { fault: 'cap/request-headers-forwarded', of: 'credential' },
  /** A key of an object that is written. */
  writtenKey: { fault: 'cap/prototype-pollution' },
  /** A key of an object that loses one of its own. */
  deletedKey: { fault: 'cap/prototype-pollution', detail: 'deleted' },
  /** What a regular expression with exponential backtracking is run on. */
  matchedText: { fault: 'cap/regex-denial-of-service' },
  /** The name of an entity or column. */
  queryName: { fault: 'cap/dynamic-entity-or-column' },
  queryText: { fault: 'cap/cql-injection' },
  sentText: { fault: 'cap/cql-injection', needs: 'concatenated', detail: 'sql' },
  /** What a method of a controller returns is the answer. Fact: NestJS 11, "Controllers". */
  answeredError: { fault: 'cap/error-details-to-client', of: 'error', isDeep: true },
  /** What a handler of CAP returns beside it: a text that an exception became. */
  returnedText: { fault: 'cap/error-details-to-client', of: 'error', detail: 'returned-text', isDeep: true },
  /** An exception as the result of an operation. */
  returnedError: { fault: 'cap/error-details-to-client', of: 'error', detail: 'returned' },
  /** A statement that no CDS model restricts. */
  nativeStatement: { fault: 'cap/native-sql-bypasses-auth', of: 'statement' },
  route: { fault: 'cap/express-route-unauthenticated', of: 'open-app' },
  /** The same of one that has to be public, by which people register or log in: no fault, but whoever calls it needs no login. */
  entrance: { fault: 'cap/express-route-unauthenticated', of: 'open-app', detail: 'entrance' },
  viewerSource: { fault: 'ui5/pdfviewer-trusted-source', name: 'PDFViewer.source' },
  /** The path below the address of a service. */
  servicePath: { fault: 'cap/ssrf', detail: 'fixed-path' },
  /** A value between the quotes of a filter of OData or SCIM. */
  filterLiteral: { fault: 'cap/ssrf', detail: 'filter' },
  /** The request line of a part of an OData batch, one that reads and one that changes something. */
  batchLine: { fault: 'cap/ssrf', detail: 'batch' },
  changeLine: { fault: 'cap/ssrf', detail: 'changeset' },
  /** A text among the settings of a control, which is parsed as a binding. */
  parsedSetting: { fault: 'ui5/binding-injection' },
  /** What an HTML control shows, and what a formatter of the app puts between tags for it. */
  htmlContent: { fault: 'ui5/xss-html-control', isOpen: true },
  /** A page that is made of a text and opened. */
  openedMarkup: { fault: 'ui5/xss-dom-sink' },
  /** What a column of DataTables shows. */
  tableCell: { fault: 'ui5/xss-dom-sink', name: 'render', needs: 'tagged' },
  formattedMarkup: { fault: 'ui5/formatter-html', needs: 'tagged', isOpen: true },
  /** What a renderer writes without encoding, and what it writes into addresses and styles. */
  renderedMarkup: { fault: 'ui5/renderer-unsafe-output' },
  renderedAttribute: { fault: 'ui5/metadata-property-any' },
  /** Rows that are written with all rights, at once, later or in a task. */
  trustedRow: { fault: 'cap/messaging-handler-trusts-payload', detail: 'stored' },
  queuedRow: { fault: 'cap/event-queue-privileged-replay', detail: 'queued' },
  spawnedRow: { fault: 'cap/event-queue-privileged-replay', detail: 'spawned' },
  /** Conditions and rows of a query of the privileged user. */
  privilegedQuery: { fault: 'cap/privileged-user-in-request', isDeep: true },
  privilegedUser: { fault: 'cap/privileged-user-in-request', of: 'privileged' },
  /** User and tenant of a request, which decide about its rights. */
  identity: { fault: 'cap/context-user-override', isDeep: true },
  /** The same as a message names them. */
  messageIdentity: { fault: 'cap/messaging-handler-trusts-payload', isDeep: true },
}
