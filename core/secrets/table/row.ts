import type { Confidence, Evidence, Impact, Localized } from '../../types.ts'

export type SapFamily =
  | 'sap-instance-secret'
  | 'sap-client'
  | 'sap-identity'
  | 'sap-certificate'
  | 'sap-schema'
  | 'sap-database'
  | 'sap-system'
  | 'sap-platform'
  | 'sap-destination'
  | 'sap-destination-client'
  | 'mta-value'
  | 'manifest-value'
  | 'set-env-value'
  | 'ui5-tooling'
  | 'ui5-deployment'
  | 'cap-service'
  | 'abap-code'
  | 'sap-sandbox'

export type CloudFamily =
  | 'cloud'
  | 'cloud-key-pair'
  | 'cloud-application'
  | 'temporary-cloud'
  | 'key-id'
  | 'google-key'
  | 'oauth-application'
  | 'oauth-client'
  | 'refresh-token'
  | 'short-lived-token'
  | 'azure-key'
  | 'azure-messaging-key'
  | 'azure-signature'
  | 'image-registry'
  | 'cluster'
  | 'hosting'
  | 'edge'
  | 'tailnet'
  | 'tunnel'
  | 'streaming'
  | 'infrastructure'

/** Credentials that their provider no longer issues or accepts: the advice names what replaces them. */
export type RetiredFamily =
  | 'bitbucket-app-password'
  | 'expired-atlassian-token'
  | 'origin-certificate'
  | 'teams-webhook'
  | 'jfrog-key'
  | 'grafana-key'
  | 'slack-legacy-token'
  | 'snowflake-password'

export type CodeFamily =
  | 'code'
  | 'github-app'
  | 'gitlab-token'
  | 'repository'
  | 'session'
  | 'pipeline'
  | 'build-service'
  | 'code-analysis'
  | 'security-analysis'
  | 'code-search'
  | 'jenkins-secret'
  | 'atlassian'
  | 'npm'
  | 'publishing'
  | 'package-repository'
  | 'nuget-feed'
  | 'maven-repository'

export type ServiceFamily =
  | 'messaging'
  | 'slack-connection'
  | 'slack-configuration'
  | 'telephony'
  | 'webhook'
  | 'slack-webhook'
  | 'webhook-signature'
  | 'captcha'
  | 'email'
  | 'support'
  | 'payment'
  | 'shop'
  | 'banking'
  | 'bank-access'
  | 'shipping'
  | 'service'
  | 'media'
  | 'customer-data'
  | 'application-session'
  | 'search-index'
  | 'identity'
  | 'monitoring'
  | 'ingestion'
  | 'monitoring-or-ingestion'
  | 'error-tracking'
  | 'feature-flags'
  | 'public'
  | 'public-ingestion'
  | 'ai'
  | 'temporary-ai'
  | 'ai-data'

export type PlainFamily =
  | 'database'
  | 'data-platform'
  | 'secret-store'
  | 'onepassword-key'
  | 'file-encryption'
  | 'kubernetes-secret'
  | 'password'
  | 'command'
  | 'bearer'
  | 'json-web-token'
  | 'url-key'
  | 'secret'

/** What a credential opens: decides what a rule says about the consequence and the remedy. */
export type Family = SapFamily | CloudFamily | RetiredFamily | CodeFamily | ServiceFamily | PlainFamily

/** Checks beyond a shape; each is a function of `shapes.ts`. */
export type Check = 'crc32' | 'jwt' | 'json'

/** One type of credential: data that becomes a rule `secrets/<name>`. */
export interface TokenRow {
  readonly name: string
  /** As its vendor calls it; completes "Hard-coded …". */
  readonly what: Localized<string>
  readonly family: Family
  /** What it opens: production, less than that, or nothing by itself. */
  readonly impact: Impact
  /** `shown` where nothing is said: with what it needs, it opens what its provider guards. */
  readonly evidence?: Evidence
  /** What has to stand beside it, so that a stranger could use it: whose it is, the public host that takes it, or both; or the client of OAuth that it was given to, with its secret. */
  readonly needs?: 'identity' | 'host' | 'login' | 'client'
  /** `high` where nothing is said. */
  readonly confidence?: Confidence
  readonly docs: string
  /** A regular expression of the whole credential: literals, classes and bounded quantifiers alone. Without: a reader of structures finds it. */
  readonly shape?: string
  /** Words of its provider, in lower case. One of them must stand in the name that the value is given, or right before it. Without: the shape is like no other. */
  readonly words?: readonly string[]
  /** Where to look, if not at the literal that the shape begins with. */
  readonly keywords?: readonly string[]
  /** How many characters of the credential stand before a keyword; below zero: the keyword ends before it. */
  readonly lead?: number
  readonly check?: Check
  /** Must stand within a few hundred characters of it. */
  readonly near?: RegExp
  /** A value of this form with all of these beside it is complete: whose it is stands there, and the host is known to the libraries of its provider. They count as its words, too. */
  readonly complete?: { readonly value: RegExp; readonly beside: readonly RegExp[] }
  /** What stands right before one that was meant to be shown. */
  readonly publicBehind?: RegExp
  /** Shown in pages, which cannot hide it: known by the file or by what stands beside it. Told as this. */
  readonly inPages?: { readonly path: RegExp; readonly near: RegExp; readonly impact: Impact }
  /** With this beside it, it pays for calls of one service and opens nothing else. Told as this. */
  readonly billing?: { readonly near: RegExp; readonly impact: Impact }
  /** Shown to the public on purpose, or of a test environment: told as this. */
  readonly lesser?: { readonly when: RegExp; readonly impact: Impact }
}

/** Classes of characters of the shapes. */
export const W: string = '[A-Za-z0-9]'
export const L: string = '[a-z0-9]'
export const C: string = '[A-Z0-9]'
export const U: string = '[A-Za-z0-9_-]'
export const H: string = '[0-9a-f]'
export const B: string = '[A-Za-z0-9+/]'
export const D: string = '[0-9]'
export const GUID: string = `${H}{8}-${H}{4}-${H}{4}-${H}{4}-${H}{12}`

/** The words of a row that are the same in both languages but for their order. */
export function token(vendor: string): Localized<string> {
  return { en: `${vendor} token`, fr: `jeton ${vendor}` }
}

export function apiKey(vendor: string): Localized<string> {
  return { en: `${vendor} API key`, fr: `clé d’API ${vendor}` }
}

export function accessToken(vendor: string): Localized<string> {
  return { en: `${vendor} access token`, fr: `jeton d’accès ${vendor}` }
}

export function secretKey(vendor: string): Localized<string> {
  return { en: `${vendor} secret key`, fr: `clé secrète ${vendor}` }
}

export function password(of: { readonly en: string; readonly fr: string }): Localized<string> {
  return { en: `${of.en} password`, fr: `mot de passe ${of.fr}` }
}
