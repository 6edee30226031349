const LOGINS = /["']?auth["']?\s{0,4}:\s{0,9}(?=\{)/g
/** All but the one that `cds-serve --production` takes are of developers. */
const PROFILES = /["']\[(?!production\])[\w-]{1,40}\]["']\s{0,4}:\s{0,9}(?=\{)/g
const IN_PRODUCTION = /["']\[production\]["']\s{0,4}:\s{0,9}(?=\{)/g
const BASIC = /["']?kind["']?\s{0,4}:\s{0,4}["']basic(?:-auth)?["']/
const TOKENS = /["']?(?:auth|kind)["']?\s{0,4}:\s{0,4}["'](?:xsuaa|jwt|ias)/

/** Objects that are looked at, and their characters; a configuration has few and small ones. */
const MAX_OBJECTS = 20
const MAX_LENGTH = 3000

/**
 * Whether the users of a configuration in front of a name are those of a real login: `"auth": { "kind": "basic", "users": { …` in no profile of developers, and production has no other one.
 * Fact: capire, "Authentication", Basic Authentication (users are who the configuration lists, in each profile).
 */
export function isOfBasicLogin(before: string, text: string): boolean {
  const open = (pattern: RegExp): readonly string[] => objectsIn(before, pattern).filter((object) => !isClosed(object))
  return (
    open(LOGINS).some((rest) => BASIC.test(rest)) &&
    open(PROFILES).length === 0 &&
    !objectsIn(text, IN_PRODUCTION).some((object) => TOKENS.test(object.slice(0, endOf(object))))
  )
}

/** What begins with the objects behind some keys. */
function objectsIn(text: string, pattern: RegExp): readonly string[] {
  const found = [...text.matchAll(pattern)].slice(-MAX_OBJECTS)
  return found.map(({ 0: key, index }) => text.slice(index + key.length, index + key.length + MAX_LENGTH))
}

export function isClosed(object: string): boolean {
  return endOf(object) !== undefined
}

function endOf(object: string): number | undefined {
  let depth = 0
  for (let at = 0; at < object.length; at++) {
    if (object[at] === '{') depth++
    else if (object[at] === '}' && --depth === 0) return at
  }
  return undefined
}
