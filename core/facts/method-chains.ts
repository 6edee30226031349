import type { CallValue, Value } from './types.ts'

/** Parts of a chain that are looked at. */
const MAX_PARTS = 60
/** Calls of what gives itself back: a page may be written by one statement. */
const MAX_LINKS = 1000

/**
 * A chain of calls and fields from its end to its beginning: `SELECT.from(Books).where(x)` gives itself, `SELECT.from(Books).where`, `SELECT.from(Books)`, `SELECT.from`
 * and `SELECT`. `through` says what the chain goes on with behind a part that is neither, as a name; undefined: that is its beginning.
 */
export function* chainBack(value: Value, through: (part: Value) => Value | undefined = () => undefined): Generator<Value> {
  let here: Value | undefined = value
  for (let parts = 0; parts < MAX_PARTS && here !== undefined; parts++) {
    yield here
    if (here.kind === 'member') here = here.object
    else if (here.kind === 'call' || here.kind === 'tagged') here = here.callee
    else here = through(here)
  }
}

/** The calls of methods that a chain ends with, the last one first: those of `where` and `from` in `SELECT.from(Books).where(x)`; `through` is what the object of each is read as. */
export function* methodsBack(
  value: Value,
  through: (object: Value) => Value = (object) => object,
): Generator<{ readonly call: CallValue; readonly name: string; readonly object: Value }> {
  let here = value
  for (let links = 0; links < MAX_LINKS && here.kind === 'call' && here.callee.kind === 'member'; links++) {
    const object = through(here.callee.object)
    yield { call: here, name: here.callee.name ?? '', object }
    here = object
  }
}

/** What calls of such methods begin with, each of which gives its object back: `map` of `map.set('a', x).set('b', y)`. */
export function beginningOf(value: Value, isLink: (name: string) => boolean): Value {
  let begin = value
  for (const { name, object } of methodsBack(value)) {
    if (!isLink(name)) break
    begin = object
  }
  return begin
}
