import type { CapRoot } from '../../model/cap/index.ts'
import { membersOf, stringOf, type DataNode } from '../../parse/data.ts'
import type { Place } from '../../types.ts'

/** One value of an application.yaml that holds where the application is deployed. */
export interface JavaSetting {
  readonly node: DataNode
  readonly place: Place
  /** Of its document or file; undefined: it holds in every profile. */
  readonly profile: string | undefined
}

/** Profiles of a developer's own machine and of tests; `default` holds only where no profile is set. */
const NOT_PRODUCTIVE =
  /^(?:default|test|tests|testing|local|dev|develop|development|h2|sqlite|mock|mocked|ci|it|integration.{0,20}|hybrid)$/i

/**
 * What a path is set to, last word first: a productive profile before what holds in all of them. Keys may be nested, dotted, camel or kebab case.
 * Facts: Spring Boot 3, externalized configuration (relaxed binding, `spring.config.activate.on-profile`).
 */
export function javaSetting(root: CapRoot, path: string): JavaSetting | undefined {
  if (root.test || root.runtime !== 'java') return undefined
  let found: JavaSetting | undefined
  for (const file of root.files) {
    if (file.kind.role !== 'application-yaml' || file.kind.test || file.content.as !== 'data') continue
    const ofFile = /application-([\w-]{1,60})\.ya?ml$/i.exec(file.path)?.[1]
    for (const document of file.content.roots) {
      const written = stringOf(find(document, 'spring.config.activate.on-profile') ?? find(document, 'spring.profiles')) ?? ofFile
      const profiles = written?.split(/[,|&]/, 20).map((name) => name.trim())
      if (profiles?.every((name) => name.startsWith('!') || NOT_PRODUCTIVE.test(name)) === true) continue
      const node = find(document, path)
      if (node === undefined || (found?.profile !== undefined && written === undefined)) continue
      found = { node, place: { file: file.path, span: { start: node.start, end: node.end } }, profile: written }
    }
  }
  return found
}

function find(node: DataNode | undefined, path: string): DataNode | undefined {
  const wanted = fold(path)
  let found: DataNode | undefined
  for (const { key, value } of membersOf(node)) {
    const step = fold(key)
    if (step === wanted) found = value
    else if (step !== '' && wanted.startsWith(`${step}.`)) found = find(value, wanted.slice(step.length + 1)) ?? found
  }
  return found
}

function fold(key: string): string {
  return key.slice(0, 200).replaceAll(/[-_]/g, '').toLowerCase()
}

/** `false`, `"false"` and `no` alike: the text of a scalar. */
export function scalarText(node: DataNode): string {
  return node.kind === 'object' || node.kind === 'array' ? '' : String(node.value).trim().toLowerCase()
}

/** How a message names a profile. */
export function profileName({ profile }: JavaSetting): string {
  return profile ?? '*'
}
