import type { Extracted } from '../../../extracts/scripts.ts'
import { isInternal } from '../../../model/deployment/index.ts'
import { at, stringOf, type DataNode } from '../../../parse/data.ts'
import { fileNameOf, folderOf, lastName } from '../../../paths.ts'
import type { Span } from '../../../types.ts'
import type { Project } from '../../subjects.ts'
import type { XsLogin } from './logins.ts'

/** A destination of XS classic that sends a user name and password without TLS. */
export interface OpenDestination {
  readonly file: string
  readonly span: Span
  readonly host: string
  readonly isInside: boolean
  /** `host = "https://erp.example.com"`: no such host has an address, so nothing is sent. */
  readonly isBroken: boolean
}

export function openDestinations(files: Project['files']): readonly OpenDestination[] {
  return [...files.values()].flatMap(({ path, kind, content }) =>
    kind.role !== 'xshttpdest' || kind.test || content.as !== 'data' ? [] : [...judgeDestination(path, content.roots[0])],
  )
}

/**
 * A line is `key = value;`. Fact: SAP HANA Developer Guide for XS classic, "HTTP Destination Syntax": `useSSL` is optional.
 * Without it, an HTTP port of AS ABAP or AS Java says what is spoken.
 */
function* judgeDestination(file: string, root: DataNode | undefined): Generator<OpenDestination> {
  const textOf = (key: string): string => textAt(root, key)
  const login = at(root, 'authType')
  if (login === undefined || textOf('authType') !== 'basic') return
  const switched = at(root, 'useSSL')
  if (switched === undefined ? !HTTP_PORT.test(textOf('port')) : textOf('useSSL') !== 'false') return
  const host = textOf('host')
  if (LOCAL.test(host)) return
  const { start, end } = switched ?? login
  yield {
    file,
    span: { start, end },
    host,
    isInside: isInternal(host) || /^onpremise$/i.test(textOf('proxyType')),
    isBroken: /[\s/]/.test(host),
  }
}

/**
 * Whether a script sends its requests through destinations of the project alone that log in to nothing, at hosts that anyone may ask. Fact: "HTTP Destination Syntax", `authType` (none, basic, …).
 */
export function usesPublicDestinations(logins: readonly XsLogin[], files: Project['files']): boolean {
  const all = [...files.values()].filter(({ kind }) => kind.role === 'xshttpdest')
  return (
    logins.length > 0 &&
    logins.every(({ kind, name }) => {
      const named = kind === 'destination' ? all.filter(({ path }) => nameOf(path) === name) : []
      return named.length > 0 && named.every(({ content }) => content.as === 'data' && isPublic(content.roots[0]))
    })
  )
}

function isPublic(root: DataNode | undefined): boolean {
  const host = textAt(root, 'host')
  const isOutside =
    host.includes('.') && !LOCAL.test(host) && !isInternal(host) && !/^onpremise$/i.test(textAt(root, 'proxyType'))
  return isOutside && textAt(root, 'authType') === 'none'
}

function textAt(root: DataNode | undefined, key: string): string {
  return (stringOf(at(root, key)) ?? '').replace(/;\s*$/, '').replaceAll('"', '').trim()
}

/** Ports 80NN of the ICM and 5NN00 of AS Java are HTTP, 443NN and 5NN01 HTTPS. */
const HTTP_PORT = /^(?:80(?:\d\d)?|5\d\d00)$/

const LOCAL = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[?::1\]?)?$/

/** Which scripts read a destination: `app` also where nothing tells it, `none` where scripts read others alone. */
type DestinationUse = 'app' | 'tests' | 'none'

/** Asks the scripts of a project for `$.net.http.readDestination('harbour.jobs', 'partner')`. */
export function createDestinationReader(
  files: Project['files'],
  logins: readonly Extracted<XsLogin>[],
): (file: string) => DestinationUse {
  const readings = logins.filter(({ value }) => value.kind === 'destination')
  const isNamed = (file: string, { value }: Extracted<XsLogin>): boolean => value.name === nameOf(file)
  const isOfPackage = (file: string, { value }: Extracted<XsLogin>): boolean =>
    value.package === '' || lastName(value.package ?? '') === fileNameOf(folderOf(file))
  // folders are packages where some reading shows it; else the repository stands for a package with another name
  const areFolders = [...files.values()].some(
    ({ path, kind }) =>
      kind.role === 'xshttpdest' && readings.some((it) => it.value.package !== '' && isNamed(path, it) && isOfPackage(path, it)),
  )
  return (file) => {
    if (readings.length === 0 || readings.some(({ value }) => value.name === '')) return 'app'
    const own = readings.filter((it) => isNamed(file, it) && (!areFolders || isOfPackage(file, it)))
    if (own.length === 0) return 'none'
    return own.every((it) => files.get(it.file)?.kind.test === true || TEST.test(it.file)) ? 'tests' : 'app'
  }
}

/** Files and packages that are called tests: `TestJobs/Bank.xsjs`, `testJob1.xsjs`. */
const TEST = /(?:^|\/)(?:tests?|TESTS?|Tests?)(?=[A-Z\d_.-]|\/|$)/

function nameOf(file: string): string {
  return fileNameOf(file).replace(/\.xshttpdest$/i, '')
}
