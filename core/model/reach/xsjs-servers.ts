import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { Scripts } from '../../extracts/scripts.ts'
import type { ProjectFile } from '../../files.ts'
import { constantOf, fieldOf, findPart, pathsOf, type CallValue, type ScriptFacts, type Value } from '../../facts/index.ts'
import type { Span } from '../../types.ts'
import { createDevelopmentReader } from '../script/index.ts'

/** The options with which a script starts a server for XSJS that asks nobody for a login. */
export const anonymousXsjs: Extract<Span> = defineExtract({
  name: 'reach-anonymous-xsjs',
  keywords: ['anonymous'],
  prefilter: (text) => text.includes('xsjs'),
  *collect({ facts }) {
    for (const { start, end } of findAnonymousXsjs(facts)) yield { start, end }
  },
})

/** Scripts that make a server for XSJS, whether or not a package.json names what they load. */
export const xsjsServers: Extract<true> = defineExtract({
  name: 'reach-xsjs-servers',
  keywords: ['@sap/xsjs', '@sap/async-xsjs'],
  *collect({ facts }) {
    if (facts.calls.some(makesServer)) yield true
  },
})

/** What scripts tell of the servers that they start for what lies beside and below them. */
export interface XsServers {
  /** Scripts that start one. */
  all(): readonly string[]
  /** Those that ask nobody for a login. */
  anonymous(): readonly string[]
}

/** Asks the extracts of this file. */
export function createXsServers(files: ReadonlyMap<string, ProjectFile>, scripts: Scripts): XsServers {
  return {
    all: () => scripts.get(xsjsServers).flatMap(({ file }) => (files.get(file)?.kind.test === true ? [] : file)),
    anonymous: () => scripts.get(anonymousXsjs).map(({ file }) => file),
  }
}

const SERVERS = /^module:@sap\/(?:async-)?xsjs$/

function makesServer({ callee }: CallValue): boolean {
  return pathsOf(callee).some((path) => SERVERS.test(path.join(' ')))
}

/** Yields `true` of `anonymous: true` in the options of a server, and of `options.anonymous = true`: development set apart. Fact: README of @sap/xsjs 6.7.9. */
function* findAnonymousXsjs(facts: ScriptFacts): Generator<Value> {
  const given = facts.calls.filter(makesServer).flatMap(({ args }) => args.slice(0, 1))
  if (given.length === 0) return
  const isForDevelopment = createDevelopmentReader(facts)
  for (const options of given) {
    const value = fieldOf(
      findPart(options, (part) => isTrue(fieldOf(part, 'anonymous')?.value)),
      'anonymous',
    )?.value
    if (value !== undefined && !isForDevelopment(value)) yield value
  }
  for (const { target, value } of facts.assignments) {
    const { object } = target
    if (target.name !== 'anonymous' || object.kind !== 'reference' || !isTrue(value) || isForDevelopment(value)) continue
    const isOptions = (part: Value): boolean => part.kind === 'reference' && part.binding === object.binding
    if (given.some((options) => findPart(options, isOptions) !== undefined)) yield value
  }
}

function isTrue(value: Value | undefined): boolean {
  return value !== undefined && constantOf(value) === true
}
