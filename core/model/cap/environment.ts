import { stringOf, type DataNode } from '../../parse/data.ts'
import { around, isTrue, objectOf, toEntry, type Entry, type Members, type Origin } from './merge.ts'
import type { EnvironmentVariable } from '../deployment/index.ts'
import { parseJsonIn } from '../../parse/json.ts'

/**
 * What variables set together: `CDS_CONFIG` with `cds_requires_auth_kind`, `CDS_REQUIRES_AUTH_KIND` and `cds.requires.auth.kind` in it, in
 * their order.
 * Facts: @sap/cds 9.9.3, lib/env/cds-env.js (`_add_process_env`): upper case is folded, `__` is one underscore, JSON values are parsed.
 */
export function variablesEntry(variables: readonly EnvironmentVariable[]): Entry {
  const whole = variables.find(({ name }) => name === 'CDS_CONFIG')
  const start = whole === undefined ? undefined : valueOf(whole)
  const top = start?.members === undefined ? objectOf(undefined, []) : start
  for (const variable of variables) {
    const steps = stepsOf(variable.name)
    if (steps !== undefined && top.members !== undefined) put(top.members, steps, valueOf(variable))
  }
  return top
}

/** `['requires', 'auth', 'kind']` of `CDS_REQUIRES_AUTH_KIND`; undefined: it is no configuration. */
function stepsOf(name: string): readonly string[] | undefined {
  if (name === 'CDS_ENV' || name === 'CDS_CONFIG' || !/^cds[._]./i.test(name) || name.length > 300) return undefined
  // a doubled underscore is one of the key's own, so it splits nothing
  const guarded = name.replaceAll('__', '!!')
  const folded = /[a-z]/.test(guarded) ? guarded : guarded.toLowerCase()
  const steps = folded
    .slice(4)
    .split(folded.charAt(3))
    .map((step) => step.replaceAll('!!', '_'))
  return steps.includes('') ? undefined : steps
}

function put(top: Members, steps: readonly string[], value: Entry): void {
  let members = top
  for (const step of steps.slice(0, -1)) {
    const before = members.get(step)
    const isFree = before === undefined || (before.members === undefined && !isTrue(before))
    const here = isFree ? objectOf(around(value), []) : before
    // below a value that has no members nothing can be set: CAP does not start with it
    if (here.members === undefined) return
    members.set(step, here)
    members = here.members
  }
  const last = steps.at(-1)
  if (last !== undefined) members.set(last, value)
}

function valueOf({ name, value, place }: EnvironmentVariable): Entry {
  const ofFile: Origin = {
    variable: name,
    placeOf: ({ start, end }) => (place.span === undefined ? place : { file: place.file, span: { start, end } }),
  }
  const text = stringOf(value)
  if (text === undefined) return toEntry(value, ofFile)
  const json = /^[[{]/.test(text) ? parseJsonIn(text) : undefined
  // places within such a value are those of the variable
  if (json !== undefined) return toEntry(json, { variable: name, placeOf: () => place })
  return toEntry(scalarOf(text, value), ofFile)
}

function scalarOf(text: string, { start, end }: DataNode): DataNode {
  if (text === 'true' || text === 'false') return { kind: 'boolean', value: text === 'true', start, end }
  if (!Number.isNaN(Number(text))) return { kind: 'number', value: Number.parseFloat(text), start, end }
  return { kind: 'string', value: text, start, end }
}

/** The profiles that a process with these variables has: NODE_ENV, which platforms set to production, and CDS_ENV. */
export function profilesOf(variables: readonly EnvironmentVariable[]): string[] {
  const textOf = (name: string): string => stringOf(variables.findLast((variable) => variable.name === name)?.value) ?? ''
  const profiles = [textOf('NODE_ENV') || 'production', ...textOf('CDS_ENV').split(',')]
  return profiles.map((profile) => profile.trim()).filter((profile) => profile !== '')
}
