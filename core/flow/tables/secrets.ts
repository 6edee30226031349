/**
 * What of a request, an answer or a configuration is a credential, by the name of the field. Facts: RFC 6749, "Access Token Response"; RFC 9110 (Authorization, Cookie);
 * @sap/xssec (authInfo and tokenInfo hold the token of the user); SAP Cloud SDK 4, "Destination"; bindings of Cloud Foundry (clientsecret).
 */
export const SECRET_FIELDS: ReadonlySet<string> = new Set(
  (
    'authorization cookie cookies set-cookie proxy-authorization x-api-key api-key apikey apiKey api_key access_token refresh_token id_token accessToken refreshToken idToken bearer ' +
    'token jwt tokenValue password passwd pwd secret clientsecret clientSecret client_secret privateKey private_key authTokens certificate key'
  ).split(' '),
)

/** Claims that say when and how a token was made: they tell nobody apart. Fact: RFC 7519, "Registered Claim Names". */
export const FORMAL_CLAIMS: ReadonlySet<string> = new Set(
  'exp iat nbf header alg kid typ jku length jti expires_in iss'.split(' '),
)

/** Where the object with the credentials lies in what holds it. */
export const HOLDING_FIELDS: ReadonlySet<string> = new Set(
  'data body credentials headers authTokens token tokens value result payload response originalProperties destinationConfiguration db auth xsuaa destination'.split(
    ' ',
  ),
)

/** Names that say by themselves that a value is a credential, whatever they are read from. */
export const NAMED_SECRETS: ReadonlySet<string> = new Set(
  'password passwd pwd secret clientSecret clientsecret client_secret accessToken access_token refreshToken refresh_token id_token idToken bearerToken apiKey api_key privateKey private_key jwt'.split(
    ' ',
  ),
)

/** Headers of a request in which callers send a credential, by the words of their names. */
export const SECRET_HEADERS: RegExp =
  /^(?!.{0,60}(?:csrf|xsrf|type|method|expir))(?:\w{1,30}[-_]){0,4}(?:auth|authorization|token|jwt|secret|password|apikey|api[-_]key)$/i

/** Headers by which requests are sent with a credential, as they are written. */
export const SIGNING_HEADERS: readonly string[] =
  'Authorization authorization APIKey apikey ApiKey api-key X-API-Key x-api-key X-Api-Key Proxy-Authorization'.split(' ')

/** A file without one of these has no credentials to follow. */
export const MAY_HOLD_SECRETS: RegExp =
  /passw|pwd|secret|token|credential|authorization|api_?key|jwt|cookie|headers|authInfo|process\.env|destination|bearer|base64|atob|(?:options|config|settings)\s?[,)}]/i

/** Calls that give credentials, or an object with some. Facts: SAP Cloud SDK 4, "connectivity"; sap-cf-destconn 0.0.34, @sap/xsenv 5 (README of each); @sap/xssec 4. */
export const GIVING_SECRETS: ReadonlySet<string> = new Set([
  'module:@sap-cloud-sdk/connectivity getDestination',
  'module:@sap-cloud-sdk/connectivity getDestinationFromDestinationService',
  'module:@sap-cloud-sdk/connectivity useOrFetchDestination',
  'module:@sap-cloud-sdk/connectivity retrieveJwt',
  'module:@sap-cloud-sdk/connectivity serviceToken',
  'module:@sap-cloud-sdk/connectivity jwtBearerToken',
  'module:@sap-cloud-sdk/core getDestination',
  'module:@sap-cloud-sdk/core retrieveJwt',
  'module:sap-cf-destconn readDestination',
  'module:@sap/xsenv getServices',
  'module:@sap/xsenv readServices',
  'module:@sap/xsenv filterServices',
  'module:@sap/xsenv serviceCredentials',
  'module:@sap/xsenv cfServiceCredentials',
])

/** Those of them that read a destination with its credentials. */
export const GIVING_DESTINATIONS: ReadonlySet<string> = new Set(
  [...GIVING_SECRETS].filter((path) => /(?:get|useOrFetch|read)Destination/.test(path)),
)
/** What the destination service answers holds. Fact: REST API of the destination service ("Find a destination"). */
export const DESTINATION_FIELDS: ReadonlySet<string> = new Set(['destinationConfiguration'])
/** What of a destination is a credential. Facts: the same API; SAP Cloud SDK 4, "Destination". */
export const DESTINATION_CREDENTIALS: ReadonlySet<string> = new Set(['Password', 'password', 'authTokens'])

/** Calls that make a token, which is a credential of whoever holds it. Facts: jsonwebtoken 9, jws 4, jwt-simple 0.5 (README of each). */
export const MAKING_TOKENS: ReadonlySet<string> = new Set([
  'module:jsonwebtoken sign',
  'module:jws sign',
  'module:jwt-simple encode',
])

/** What is sent to ask for a token. */
export const ASKS_FOR_TOKEN: RegExp = /grant_type|client_credentials|\/(?:oauth2?\/)?tokens?\b["'`?]/

/** Functions that read a token without looking at its signature. Facts: README of jsonwebtoken 9, jwt-decode 4, jose 6. */
export const TOKEN_DECODERS: ReadonlySet<string> = new Set([
  'module:jsonwebtoken decode',
  'module:jwt-decode',
  'module:jwt-decode jwtDecode',
  'module:jose decodeJwt',
])
