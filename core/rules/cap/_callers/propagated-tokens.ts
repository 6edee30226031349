import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { constantOf, fieldOf, findPart, type ObjectValue } from '../../../facts/index.ts'
import { isDeveloperFile, isOfUi5App, isToolFile } from '../../../model/script/index.ts'
import { isOfService } from './shared-answers.ts'
import { isTokenOfRequest } from './shared-tokens.ts'

/**
 * One item for a script whose requests to another system carry the token of the caller: `{ destinationName, jwt }`, `Authorization: req.headers.authorization`.
 * That system knows who calls then, and decides by the rights of that user.
 * Facts: SAP Cloud SDK 4, "Principal propagation"; SAP BTP, "OAuth SAML Bearer Assertion Authentication".
 */
export const propagatedTokens: Extract<true> = defineExtract({
  name: 'cap-propagated-tokens',
  keywords: ['jwt', 'authorization'],
  prefilter: (text) => /\bjwt\b/.test(text) || /\bheaders\b[^\n]{0,20}authorization/i.test(text),
  isFor: (path) => !isDeveloperFile(path) && !isToolFile(path) && !isOfUi5App(path),
  *collect({ facts: { values } }) {
    if (values.some(({ value }) => value.kind === 'object' && (isDestination(value) || isHeader(value)))) yield true
  },
})

/** What the Cloud SDK is given to find a destination by. */
function isDestination(object: ObjectValue): boolean {
  const jwt = fieldOf(object, 'jwt')?.value
  if (jwt === undefined || fieldOf(object, 'destinationName') === undefined) return false
  return constantOf(jwt) === undefined && !isOfService(jwt)
}

function isHeader({ fields }: ObjectValue): boolean {
  const header = fields.find(({ key }) => key?.toLowerCase() === 'authorization')?.value
  return header !== undefined && findPart(header, (part) => part.kind === 'member' && isTokenOfRequest(part)) !== undefined
}
