import type { Budget } from '../budget.ts'
import type { Assignment } from './assignments.ts'
import { countLook } from './layers.ts'
import { readLiteral } from './literal.ts'
import type { NameKind } from './names.ts'

/** A name of several credentials. */
export const CONTAINER: RegExp = /(?:passwords|secrets|api_?keys|broker_credentials)$/i
const OPENING = /["'`]?\s{0,4}(?::\s{0,4}[\w<>, ]{1,60})?[:=]\s{0,4}["'`]?\{/y
const MEMBER = /["'`]?([\w$-]{1,40})["'`]?\s{0,4}:\s{0,8}(?=["'`])/g
const LONGEST_CONTAINER = 1500

/** `passwords = { dev: 'value', prod: 'value' }`: each member is one. */
export function* readMembers(text: string, start: number, end: number, name: string, budget: Budget): Generator<Assignment> {
  yield* read(text, start, end, name, /(?:passwords|credentials)$/i.test(name) ? 'password' : 'secret', false, budget)
}

/** What stands between a name and an object. */
export const PICKED: RegExp = /^\s{0,3}=\s{0,3}\{/

/** `password = { dev: 'value', prod: 'value' }[stage]`: one of the members is. */
export function* readPicked(
  text: string,
  start: number,
  end: number,
  name: string,
  kind: NameKind | undefined,
  budget: Budget,
): Generator<Assignment> {
  if (kind !== undefined) yield* read(text, start, end, name, kind, true, budget)
}

function* read(
  text: string,
  start: number,
  end: number,
  name: string,
  kind: NameKind,
  isPicked: boolean,
  budget: Budget,
): Generator<Assignment> {
  OPENING.lastIndex = end
  if (!OPENING.test(text)) return
  const from = OPENING.lastIndex
  const rest = text.slice(from, from + LONGEST_CONTAINER)
  // another brace is no member of its
  const close = rest.search(/[{}]/)
  countLook(budget, close === -1 ? rest.length : close)
  if (isPicked && (close === -1 || !/^\}\s{0,4}\[/.test(rest.slice(close, close + 8)))) return
  for (const member of rest.slice(0, close === -1 ? rest.length : close).matchAll(MEMBER)) {
    budget.step(4)
    const literal = readLiteral(text, from + member.index + member[0].length, 'quoted')
    if (literal !== undefined) yield { name: `${name}.${member[1] ?? ''}`, kind, form: 'assigned', nameStart: start, ...literal }
  }
}
