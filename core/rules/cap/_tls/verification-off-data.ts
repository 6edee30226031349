import type { FileKind } from '../../../files.ts'
import { isForTesting } from '../../../model/deployment/index.ts'
import { at, booleanOf, itemsOf, membersOf, stringOf, type DataNode } from '../../../parse/data.ts'
import type { Reach, Span } from '../../../types.ts'

/** A declared variable that switches the check of certificates off for a process. */
export interface DeclaredFault {
  readonly span: Span
  readonly where: string
  /** It is a setting of the credentials of a service. */
  readonly isOfService?: true
  /** Who sits on the path, where not anybody on the internet. */
  readonly reach?: Reach
}

const VARIABLE = 'NODE_TLS_REJECT_UNAUTHORIZED'
/** `NODE_TLS_REJECT_UNAUTHORIZED=0 node …`, `cross-env …`, `set NODE_TLS_REJECT_UNAUTHORIZED=0&& …`. */
const IN_COMMAND = /\bNODE_TLS_REJECT_UNAUTHORIZED=(["']?)0\1(?![\d.])/
const FOR_DEVELOPERS = /dev|local|test|mock|debug|hybrid|watch|sandbox|lint|karma|unit|e2e|int4|nodemon/i
const RUNS = /^(?:start|serve|prod|production|cf|deployed)(?:$|[:_-])/i

/** What one file of data declares; descriptors of the Cloud Foundry platform belong to btp/tls-off-env. */
export function* findDeclaredFaults(path: string, kind: FileKind, roots: readonly DataNode[]): Generator<DeclaredFault> {
  if (kind.test) return
  const [root] = roots
  switch (kind.role) {
    case 'package':
      for (const { key, value } of membersOf(at(root, 'scripts'))) {
        if (FOR_DEVELOPERS.test(key) || !IN_COMMAND.test(stringOf(value) ?? '')) continue
        yield { span: value, where: `scripts.${key}`, ...(!RUNS.test(key) && { reach: 'privileged' as const }) }
      }
      return
    case 'env':
    case 'default-env': {
      const reach = readersOf(path)
      if (reach === undefined) return
      for (const { key, value } of membersOf(root))
        if (key === VARIABLE && isZero(value)) yield { span: value, where: VARIABLE, reach }
      yield* findBoundFaults(at(root, 'VCAP_SERVICES'), reach)
      return
    }
    case 'compose':
    case 'kubernetes':
    case 'github-workflow':
    case 'azure-pipeline':
    case 'gitlab-pipeline':
      for (const node of roots)
        for (const value of findInTree(node)) {
          const isDeployed = kind.role === 'kubernetes' || (kind.role === 'compose' && !isForTesting(path))
          yield { span: value, where: VARIABLE, ...(!isDeployed && { reach: 'privileged' as const }) }
        }
      return
    default:
  }
}

/** Credentials of the services of an application, as `cf env` prints them: `{ hana: [{ credentials: { sslValidateCertificate: false } }] }`. */
function* findBoundFaults(services: DataNode | undefined, reach: Reach): Generator<DeclaredFault> {
  for (const { value: instances } of membersOf(services))
    for (const instance of itemsOf(instances)) {
      const credentials = at(instance, 'credentials')
      const host = ['host', 'hostname', 'uri', 'url']
        .map((name) => stringOf(at(credentials, name)))
        .find((text) => text !== undefined)
      if (credentials === undefined || host === undefined || LOCAL_HOST.test(host)) continue
      for (const [path, isOff] of CREDENTIALS_OFF) {
        const value = at(credentials, ...path)
        if (value !== undefined && isOff(value)) yield { span: value, where: path.join('.'), isOfService: true, reach }
      }
    }
}

const LOCAL_HOST = /(?:^|\/\/|@)(?:localhost|127\.0\.0\.1|\[?::1)/i

/** `.env.production` is deployed; `.env` and default-env.json are of one's own machine, and tell what developers are used to. */
function readersOf(path: string): Reach | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  if (/dev|local|test|example|sample|template|dist|mock|hybrid/.test(name)) return undefined
  return /prod|live|stag/.test(name) ? 'user' : 'local'
}

function isZero(value: DataNode): boolean {
  return (value.kind === 'string' || value.kind === 'number') && String(value.value).trim() === '0'
}

const MAX_NODES = 20_000

/** Values of the variable in a tree: as a key, or as `name` beside `value`. */
function* findInTree(root: DataNode): Generator<DataNode> {
  const open: DataNode[] = [root]
  for (let visits = 0; visits < MAX_NODES; visits++) {
    const node = open.pop()
    if (node === undefined) return
    if (node.kind === 'array') open.push(...node.items.toReversed())
    // an item of a list in a compose file
    if (/^NODE_TLS_REJECT_UNAUTHORIZED=["']?0["']?$/.test(stringOf(node) ?? '')) yield node
    if (node.kind !== 'object') continue
    const value = stringOf(at(node, 'name')) === VARIABLE ? at(node, 'value') : at(node, VARIABLE)
    if (value !== undefined && isZero(value)) yield value
    for (const member of node.members.toReversed()) open.push(member.value)
  }
}

/**
 * Settings in the credentials of a service of CAP that switch it off, by their paths.
 * Fact: @cap-js/postgres 2.3.0, lib/PostgresService.js: `credentials.ssl` is handed to `pg` as it is.
 */
export const CREDENTIALS_OFF: readonly (readonly [readonly string[], (node: DataNode) => boolean])[] = [
  [['sslValidateCertificate'], isFalse],
  [['rejectUnauthorized'], isFalse],
  [['ssl', 'rejectUnauthorized'], isFalse],
  [['encrypt'], isFalse],
  [['isTrustingAllCertificates'], (node) => booleanOf(node) === true],
]

function isFalse(node: DataNode): boolean {
  return booleanOf(node) === false || stringOf(node)?.toLowerCase() === 'false'
}
