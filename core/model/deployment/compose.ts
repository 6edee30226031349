import type { ProjectFile } from '../../files.ts'
import { at, itemsOf, membersOf, stringOf, type DataNode } from '../../parse/data.ts'
import { withoutSlashesBehind } from '../../paths.ts'
import type { EnvironmentVariable } from './types.ts'

/** One service of a compose file (Docker documentation, "Compose file reference"). */
export interface ComposeService {
  readonly file: string
  readonly name: string
  readonly node: DataNode
  /** Names by which others know it: of the service, the container, the image, the folder that is built. */
  readonly names: readonly string[]
  readonly variables: readonly EnvironmentVariable[]
  /** `image`; undefined: it is built, or depends on a variable without a default. */
  readonly image: string | undefined
  /** The stage of its Dockerfile that is built for it, `build: { target: api }`. */
  readonly target?: string
  /** `command` and `entrypoint`. */
  readonly commands: readonly DataNode[]
}

/** Bounds for hostile files: services of one, and variables of a service. */
const MAX_SERVICES = 300
const MAX_VARIABLES = 500

/** The services of all compose files; those of tests are left out. */
export function* findComposeServices(files: ReadonlyMap<string, ProjectFile>): Generator<ComposeService> {
  for (const { path: file, kind, content } of files.values()) {
    if (kind.role !== 'compose' || kind.test || content.as !== 'data') continue
    for (const root of content.roots)
      for (const { key: name, value: node } of membersOf(at(root, 'services')).slice(0, MAX_SERVICES)) {
        const target = stringOf(at(node, 'build', 'target'))
        const image = withDefaults(stringOf(at(node, 'image')) ?? '')
        yield {
          file,
          name,
          node,
          names: namesOf(name, node),
          variables: variablesOf(file, at(node, 'environment')),
          image: image === '' ? undefined : image,
          ...(target !== undefined && { target }),
          commands: ['command', 'entrypoint'].flatMap((key) => at(node, key) ?? []),
        }
      }
  }
}

/** The folder that the image of a service is built from, `build: ./api`. */
export function contextOf({ node }: Pick<ComposeService, 'node'>): string | undefined {
  return stringOf(at(node, 'build', 'context')) ?? stringOf(at(node, 'build'))
}

/** Whether other machines reach a service: it publishes a port, and not only on the address of its own machine. */
export function opensPort({ node }: Pick<ComposeService, 'node'>): boolean {
  return itemsOf(at(node, 'ports')).some((port) => !LOOPBACK.test(stringOf(at(port, 'host_ip')) ?? stringOf(port) ?? ''))
}

const LOOPBACK = /^(?:127\.|localhost|\[?::1\b)/

function namesOf(name: string, node: DataNode): string[] {
  const context = contextOf({ node })
  const image = stringOf(at(node, 'image'))
  const others = [
    stringOf(at(node, 'container_name')),
    context === undefined ? undefined : withoutSlashesBehind(context).split('/').at(-1),
    image?.split('@', 1)[0]?.split('/').at(-1)?.split(':', 1)[0],
  ]
  return [name, ...others.filter((other) => other !== undefined && /\w/.test(other))].flatMap((one) => one ?? [])
}

/** A map, or a list of `NAME=value`. */
function variablesOf(file: string, node: DataNode | undefined): EnvironmentVariable[] {
  const listed = itemsOf(node).flatMap((item) => {
    const text = stringOf(item) ?? ''
    const name = /^(\w{1,200})=/.exec(text)?.[1]
    if (name === undefined) return []
    const value = text.slice(name.length + 1)
    return [{ name, value: { kind: 'string' as const, value, start: item.end - value.length, end: item.end } }]
  })
  const mapped = membersOf(node).map(({ key: name, value }) => ({ name, value }))
  return [...listed, ...mapped].slice(0, MAX_VARIABLES).flatMap(({ name, value }) => {
    const text = stringOf(value)
    const known = text === undefined ? undefined : withDefaults(text)
    if (known === '' || value.kind === 'null') return []
    const { start, end } = value
    return [
      {
        name,
        value: known === undefined ? value : { kind: 'string', value: known, start, end },
        place: { file, span: { start, end } },
      },
    ]
  })
}

/** With the defaults of variables: `${NODE_ENV:-development}`; '' where one has none. */
function withDefaults(text: string): string {
  const known = text.replaceAll(/\$\{\w{1,100}:?-([^}$]{0,500})\}/g, '$1')
  return /\$(?:\{|\w)/.test(known) ? '' : known
}
