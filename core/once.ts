/** Computes something of a subject; the function itself is the key of what it gave. */
type Reader<Subject, Value> = (subject: Subject) => Value

/** Gives what several ask of a subject in the same way: for the one that asks first it is computed, with its steps. */
export type Once<Subject> = <Value>(read: Reader<Subject, Value>) => Value

/** `subjectOf` is called at the first question, since the subject may hold this. What throws, such as for want of steps, is computed anew for whoever asks next. */
export function createOnce<Subject>(subjectOf: () => Subject): Once<Subject> {
  const given = new Map<Reader<Subject, unknown>, unknown>()
  return (read) => {
    const known = given.get(read)
    if (given.has(read) && isGivenBy(read, known)) return known
    const value = read(subjectOf())
    given.set(read, value)
    return value
  }
}

/** The same answer for the same key, computed when it is asked for first. */
export function oncePer<Key, Value>(read: (key: Key) => Value): (key: Key) => Value {
  const given = new Map<Key, { readonly value: Value }>()
  return (key) => {
    const known = given.get(key) ?? { value: read(key) }
    given.set(key, known)
    return known.value
  }
}

/** What stands under a reader was given by it. */
function isGivenBy<Subject, Value>(_read: Reader<Subject, Value>, _value: unknown): _value is Value {
  return true
}
