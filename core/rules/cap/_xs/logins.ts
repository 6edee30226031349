import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { constantOf, pathOf, type ScriptFacts, type Value } from '../../../facts/index.ts'

/**
 * What a script of XS classic has to do with other systems: `destination`, that it reads one of this package and name, each empty where that is put together; `login`, that a script which
 * answers requests gives one a password that the project holds.
 * Fact: SAP HANA XS JavaScript API Reference, $.net.http.readDestination.
 */
export interface XsLogin {
  readonly kind: 'destination' | 'login'
  readonly name: string
  readonly package?: string
}

export const xsLogins: Extract<XsLogin> = defineExtract({
  name: 'cap-xs-logins',
  keywords: ['readDestination', '.Password', '.password', 'Passwd', 'pwd'],
  isFor: (path) => /\.xsjs(?:lib)?$/i.test(path),
  collect: ({ facts, path, step }) => [...findLogins(facts, path, step)],
})

function* findLogins(facts: ScriptFacts, path: string, step: (count?: number) => void): Generator<XsLogin> {
  step(facts.calls.length + facts.assignments.length)
  for (const { callee, args } of facts.calls)
    if (pathOf(callee)?.join('.') === 'global:$.net.http.readDestination')
      yield { kind: 'destination', name: textOf(args[1]), package: textOf(args[0]) }
  // a library answers none
  if (!/\.xsjs$/i.test(path)) return
  for (const { target, value } of facts.assignments)
    if (PASSWORD.test(target.name ?? '') && isStored(value)) yield { kind: 'login', name: target.name ?? '' }
}

function textOf(value: Value | undefined): string {
  return String((value && constantOf(value)) ?? '')
}

const PASSWORD = /^(?:password|passwd|pwd)$/i

/** `constants.getPassword()`, a constant: nothing that the caller sends. */
function isStored(value: Value): boolean {
  const written = constantOf(value)
  if (written !== undefined) return written !== ''
  if (!('callee' in value) || /request/.test(pathOf(value.callee)?.join(' ') ?? '')) return false
  return value.args.every((given) => constantOf(given) !== undefined)
}
