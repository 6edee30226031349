/** Functions that read a token without looking at its signature. Facts: README of jsonwebtoken 9, jwt-decode 4, jose 6. */
export const TOKEN_DECODERS: ReadonlySet<string> = new Set([
  'module:jsonwebtoken decode',
  'module:jwt-decode',
  'module:jwt-decode jwtDecode',
  'module:jose decodeJwt',
])
