/**
 * Titles of the facts, and the words that the snapshot has for them: those of the field (CWE, OWASP), without note numbers and versions, which other
 * members of an advisory tell.
 */
const CORRECTIONS: ReadonlyMap<string, string> = new Map([
  ['Allow list too wide', 'Overly permissive allowlist'],
  ['Amplified resource use', 'Asymmetric resource consumption'],
  ['Any key URL trusted while JWTs are verified', 'JWT verification trusts any key URL'],
  ['Authenticity check missing', 'Insufficient verification of data authenticity'],
  ['Authorization bypass by user key', 'Authorization bypass through a user-controlled key'],
  ['Case handling bypass', 'Improper handling of case sensitivity'],
  ['Check before decoding', 'Validation before canonicalization'],
  ['Cleanup incomplete', 'Incomplete cleanup'],
  [
    'Compromised release steals credentials and spreads itself (SAP Note 3747787)',
    'Compromised release steals credentials and spreads itself',
  ],
  ['Confused proxy', 'Unintended proxy (confused deputy)'],
  ['Content security policy nonces are used more than once', 'Content Security Policy nonces are reused'],
  ['Credentials insufficiently protected', 'Insufficiently protected credentials'],
  ['Cross-site scripting by alternate syntax', 'Cross-site scripting through alternate syntax'],
  ['Dangerous function exposed', 'Exposed dangerous function'],
  ['Data exposed in output', 'Sensitive information in sent data'],
  ['Denial of service by algorithmic complexity', 'Denial of service through algorithmic complexity'],
  ['Denial of service by resource exhaustion', 'Denial of service through resource exhaustion'],
  ['Deny list incomplete', 'Incomplete denylist'],
  ['Destination cache shared between users without user key', 'Destination cache shared between users'],
  ['Direct request', 'Forced browsing'],
  ['Earlier regular-expression fix is incomplete', 'Incomplete fix of an earlier regular expression'],
  ['Endless loop', 'Infinite loop'],
  ['Error message discloses data', 'Information disclosure through an error message'],
  ['Exception not handled', 'Improper handling of exceptional conditions'],
  ['Excessive resource use in loop', 'Excessive resource consumption in a loop'],
  ['Faulty output encoding', 'Improper output encoding'],
  ['Faulty regular expression', 'Incorrect regular expression'],
  ['File path under attacker control', 'External control of a file path'],
  ['Filtering incomplete', 'Incomplete filtering'],
  [
    'HTTP request smuggling without login desynchronises responses in the approuter',
    'Unauthenticated HTTP request smuggling desynchronizes responses of the approuter',
  ],
  ['Length handling error', 'Improper handling of a length'],
  ['Line-break handling error', 'Improper handling of line breaks'],
  ['Log forging', 'Log injection'],
  ['Memory allocation without limit', 'Memory allocation without limits'],
  ['Null dereference crash', 'Null pointer dereference'],
  ['Origin check missing or weak', 'Missing or insufficient origin check'],
  [
    'Path traversal through localDir routes and open redirect (changelog 22.0.2)',
    'Path traversal through localDir routes, and open redirect',
  ],
  ['Private data exposed', 'Exposure of private data'],
  [
    'Privilege escalation without login through token checks in xssec',
    'Unauthenticated privilege escalation through token validation in xssec',
  ],
  ['Published version carries malicious code', 'Published version contains malicious code'],
  ['Regular-expression denial of service', 'Regular expression denial of service'],
  ['Resource exposed', 'Exposed resource'],
  ['Resource not released', 'Missing release of a resource'],
  ['Resource use without limit', 'Resource allocation without limits'],
  ['Schema details exposed', 'Exposure of schema details'],
  ['Secret in accessible file', 'Secret in an accessible file'],
  ['Secrets in log output', 'Sensitive information in logs'],
  ['Sensitive data cached', 'Caching of sensitive data'],
  ['Session theft while the authorization code is exchanged', 'Session theft during the authorization code exchange'],
  ['Uncontrolled code resources', 'Untrusted search path'],
  ['Unexpected data type', 'Improper handling of an unexpected data type'],
  ['Uninitialized memory disclosed', 'Disclosure of uninitialized memory'],
  ['Untrusted data accepted', 'Acceptance of untrusted data'],
  ['Unusual condition not handled', 'Improper check for unusual conditions'],
  ['Weak default permissions', 'Incorrect default permissions'],
  ['Weak hash', 'Weak hash function'],
  ['Weak or broken cryptography', 'Broken or risky cryptographic algorithm'],
  ['Weak permissions', 'Incorrect permission assignment'],
  ['Wrong comparison', 'Incorrect comparison'],
  ['Wrong control flow', 'Incorrect control flow'],
  ['Wrong type conversion', 'Incorrect type conversion'],
  ['Wrongly resolved name', 'Incorrectly resolved name'],
])

/** A fact's title as the snapshot words it. "Prototype pollution in axios": its reader has the package in sight. */
export function toTitle(title: string, name: string): string {
  const ending = [` in ${name}`, ` (${name})`].find((it) => title.endsWith(it)) ?? ''
  const short = title.slice(0, title.length - ending.length)
  return CORRECTIONS.get(short) ?? short
}
