import type { ProjectFile } from '../../files.ts'
import { membersOf, stringOf, type DataNode } from '../../parse/data.ts'
import type { Place } from '../../types.ts'
import { isForTesting, type EnvironmentVariable } from '../deployment/index.ts'
import type { CapRoot } from './types.ts'

/** What settings are looked for in. */
type JavaRoot = Pick<CapRoot, 'test' | 'runtime' | 'files' | 'deployments'>

/** One value of an application.yaml, application.properties or deployment that holds where the application is deployed. */
export interface JavaSetting {
  /** The path as it is written, or the name of the variable. */
  readonly key: string
  readonly node: DataNode
  readonly place: Place
  /** Of its document or file; undefined: it holds in every profile. */
  readonly profile: string | undefined
  /** The variable of a deployment that sets it. */
  readonly variable?: string
}

/** Profiles of a developer's own machine and of tests; `default` holds only where no profile is set. */
const NOT_PRODUCTIVE =
  /^(?:default|test|tests|testing|local|dev|develop|development|h2|sqlite|mock|mocked|ci|it|integration.{0,20}|hybrid)$/i

/**
 * What a path is set to, last word first: a variable of a deployment, a productive profile before what holds in all of them. Keys may be nested, dotted, camel or kebab case.
 * With `isFallback`, as it is where nobody names a profile: the profile `default` counts.
 * Facts: Spring Boot 3, externalized configuration (relaxed binding, `spring.config.activate.on-profile`).
 */
export function javaSetting(root: JavaRoot, path: string, isFallback = false): JavaSetting | undefined {
  if (root.test || root.runtime !== 'java') return undefined
  const variable = findVariable(root, path)
  if (variable !== undefined)
    return { key: variable.name, node: variable.value, place: variable.place, profile: undefined, variable: variable.name }
  const active = activeProfiles(root)
  let found: JavaSetting | undefined
  for (const file of root.files) {
    if (!isSettings(file) || file.kind.test || file.content.as !== 'data') continue
    const ofFile = /application-([\w-]{1,60})\.(?:ya?ml|properties)$/i.exec(file.path)?.[1]
    for (const document of file.content.roots) {
      const written =
        stringOf((find(document, 'spring.config.activate.on-profile') ?? find(document, 'spring.profiles'))?.node) ?? ofFile
      const profiles = written?.split(/[,|&]/, 20).map((name) => name.trim())
      const isActive = isFallback && profiles?.includes('default') === true
      if (
        !isActive &&
        profiles?.every((name) => !active.has(name) && (name.startsWith('!') || NOT_PRODUCTIVE.test(name))) === true
      )
        continue
      const match = find(document, path)
      if (match === undefined || (found?.profile !== undefined && written === undefined)) continue
      const { key, node } = match
      found = { key, node, place: { file: file.path, span: { start: node.start, end: node.end } }, profile: written }
    }
  }
  return found
}

/** Profiles that a deployment switches on, even those of one's own machine. */
function activeProfiles(root: JavaRoot): ReadonlySet<string> {
  const variables = ['spring.profiles.active', 'spring.profiles.include'].flatMap((name) => findVariable(root, name) ?? [])
  return new Set(variables.flatMap(({ value }) => (stringOf(value) ?? '').split(',', 20).map((name) => name.trim())))
}

/** `CDS_SECURITY_XSUAA_ENABLED` and `cds.security.xsuaa.enabled` alike. */
function findVariable(root: JavaRoot, path: string): EnvironmentVariable | undefined {
  const wanted = fold(path).replaceAll('.', '')
  for (const { variables } of root.deployments)
    for (const variable of variables)
      if (fold(variable.name).replaceAll('.', '') === wanted && !isForTesting(variable.place.file)) return variable
  return undefined
}

function isSettings({ kind: { role } }: ProjectFile): boolean {
  return role === 'application-yaml' || role === 'application-properties'
}

function find(node: DataNode | undefined, path: string): Pick<JavaSetting, 'key' | 'node'> | undefined {
  const wanted = fold(path)
  let found: Pick<JavaSetting, 'key' | 'node'> | undefined
  for (const { key, value } of membersOf(node)) {
    const step = fold(key)
    if (step === wanted) found = { key, node: value }
    else if (step !== '' && wanted.startsWith(`${step}.`)) {
      const below = find(value, wanted.slice(step.length + 1))
      if (below !== undefined) found = { key: `${key}.${below.key}`, node: below.node }
    }
  }
  return found
}

function fold(key: string): string {
  return key.slice(0, 200).replaceAll(/[-_]/g, '').toLowerCase()
}

/** Truths as Spring and YAML 1.1 take them. */
const TRUTHS: ReadonlyMap<string, string> = new Map([
  ['no', 'false'],
  ['off', 'false'],
  ['yes', 'true'],
  ['on', 'true'],
])

/** `false`, `"false"` and `no` alike: the text of a scalar. */
export function scalarText(node: DataNode): string {
  const text = node.kind === 'object' || node.kind === 'array' ? '' : String(node.value).trim().toLowerCase()
  return TRUTHS.get(text) ?? text
}

/** How a message names a profile. */
