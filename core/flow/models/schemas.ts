/** Libraries that describe what they let through in calls: `z.object({ name: z.string() })`. */
export const SCHEMA_LIBRARIES: RegExp = /^module:(?:zod(?:\/(?:v4|mini|v3))?|joi|@hapi\/joi|yup)(?: |$)/

/** Of those the one whose `validate` promises the value. */
export const PROMISING = 'module:yup'

/** Schemas that are written as JSON. */
export const JSON_SCHEMAS: RegExp = /^module:ajv(?:\/dist\/\w{1,12})?(?: default| Ajv\w{0,8})? new /

/** Chains of checks of parts of requests: `body('site').isIn(SITES)`. */
export const REQUEST_CHAINS = 'module:express-validator'

/** A schema takes no more than it names, and its author has thought of what may come. */
export const SCHEMA_CLEANS: readonly string[] = [
  'cap/messaging-handler-trusts-payload',
  'cap/prototype-pollution',
  'cap/query-object-from-request',
]
