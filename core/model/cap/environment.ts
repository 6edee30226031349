import { stringOf, type DataNode } from '../../parse/data.ts'
import { ParseFailure } from '../../parse/failure.ts'
import { parseJson } from '../../parse/json.ts'
import type { EnvironmentVariable } from './types.ts'

/** Part of the configuration that a variable stands for; `exact`: its spans are those of the file. */
interface Overlay {
  readonly node: DataNode
  readonly exact: boolean
}

/**
 * What `cds_requires_auth_kind`, `CDS_REQUIRES_AUTH_KIND`, `cds.requires.auth.kind` or `CDS_CONFIG` set; undefined for every other variable.
 * Facts: @sap/cds 9.9.3, lib/env/cds-env.js (`_add_process_env`): upper case is folded, `__` is one underscore, JSON values are parsed.
 */
export function toOverlay({ name, value }: EnvironmentVariable): Overlay | undefined {
  if (name === 'CDS_ENV' || !/^cds[._]./i.test(name) || name.length > 300) return undefined
  const parsed = toValue(value)
  if (name === 'CDS_CONFIG') return parsed.node.kind === 'object' ? parsed : undefined
  const folded = /[a-z]/.test(name) ? name : name.toLowerCase()
  // a doubled underscore is one of the key's own, so it splits nothing
  const steps = folded
    .slice(4)
    .replaceAll('__', '\u0000')
    .split(folded.charAt(3))
    .map((step) => step.replaceAll('\u0000', '_'))
  let { node } = parsed
  const { start, end } = value
  for (const key of steps.toReversed())
    node = { kind: 'object', members: [{ key, keySpan: { start, end }, value: node }], start, end }
  return { node, exact: parsed.exact }
}

function toValue(value: DataNode): Overlay {
  const text = stringOf(value)
  if (text === undefined || !/^[[{]/.test(text)) return { node: value, exact: true }
  try {
    return { node: parseJson(text), exact: false }
  } catch (error) {
    if (error instanceof ParseFailure) return { node: value, exact: true }
    throw error
  }
}

/** The profiles that a process with these variables has: NODE_ENV, which platforms set to production, and CDS_ENV. */
export function profilesOf(variables: readonly EnvironmentVariable[]): string[] {
  const textOf = (name: string): string => stringOf(variables.findLast((variable) => variable.name === name)?.value) ?? ''
  const profiles = [textOf('NODE_ENV') || 'production', ...textOf('CDS_ENV').split(',')]
  return profiles.map((profile) => profile.trim()).filter((profile) => profile !== '')
}
