/** Shorter strings are copied by the engine itself when they are cut out of another one. */
const MIN_PART = 13

/**
 * Gives the strings in plain data a memory of their own, in place: a part of a file's text would keep the whole text. Objects, arrays and Maps are walked; lists of
 * numbers hold none.
 */
export function detachStrings<Data extends object>(data: Data): Data {
  const own = new Map<string, string>()
  const detached = (text: string): string => {
    const known = own.get(text)
    if (known !== undefined) return known
    const copy = copied(text)
    own.set(copy, copy)
    return copy
  }
  // as deep as the data, whose shape the code gives, not the text
  const walk = (here: object): void => {
    if (Array.isArray(here)) {
      if (typeof here[0] === 'number') return
      for (let at = 0; at < here.length; at++) {
        const value: unknown = here[at]
        if (typeof value === 'string') {
          if (value.length >= MIN_PART) here[at] = detached(value)
        } else if (isHolder(value)) walk(value)
      }
    } else if (here instanceof Map) {
      for (const [key, value] of here)
        if (typeof value === 'string') {
          if (value.length >= MIN_PART) here.set(key, detached(value))
        } else if (isHolder(value)) walk(value)
    } else if (isRecord(here))
      for (const key in here) {
        const value = here[key]
        if (typeof value === 'string') {
          if (value.length >= MIN_PART) here[key] = detached(value)
        } else if (isHolder(value)) walk(value)
      }
  }
  walk(data)
  return data
}

/** Engines put a text and another one together in a new place when it is asked for a part of both. */
function copied(text: string): string {
  return `${text} `.slice(0, -1)
}

function isHolder(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function isRecord(value: object): value is Record<string, unknown> {
  return !ArrayBuffer.isView(value)
}
