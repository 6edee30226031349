import type { ProjectFile } from '../../files.ts'
import { at, itemsOf, membersOf, stringOf, type DataNode } from '../../parse/data.ts'
import type { PipelineImage, PipelineStep } from './pipelines.ts'

/** A pipeline that another one includes (GitLab documentation, "include"). */
export interface GitlabInclude {
  readonly file: string
  readonly node: DataNode
  /** `remote`: an address, `project`: a file of another repository, `component`: of the catalogue. */
  readonly kind: 'remote' | 'project' | 'component'
  /** Address, path of the repository, or component without its version. */
  readonly source: string
  /** Branch, tag, commit or version; undefined: the newest. */
  readonly reference: string | undefined
  /** The hash of what is included is checked. */
  readonly isVerified: boolean
}

/** Keys on top of a pipeline that are no jobs. */
const NO_JOBS: ReadonlySet<string> = new Set(['variables', 'workflow', 'include', 'stages', 'spec', 'cache', 'services', 'image'])
const SCRIPTS = ['before_script', 'script', 'after_script']
/** Bounds for hostile pipelines: jobs, and lines of one. */
const MAX_JOBS = 500
const MAX_LINES = 500
const MAX_TEXT = 20_000

/** `$CF_PASSWORD`, `"${NPM_TOKEN}"`. */
const CREDENTIAL_USED = /\$\{?(?<name>(?!CI_)[A-Z][A-Z0-9_]{0,60}(?:TOKEN|PASSWORD|SECRET|API_?KEY))\b/g

interface Job {
  readonly file: string
  readonly name: string
  readonly node: DataNode
  readonly root: DataNode
}

/** The lines of all scripts; what stands on top, or in `default`, is a job without a name. */
export function* findGitlabSteps(files: ReadonlyMap<string, ProjectFile>): Generator<PipelineStep> {
  for (const { file, name, node, root } of findJobs(files)) {
    const secrets = [...secretsIn(at(root, 'variables')), ...secretsIn(at(node, 'variables'))]
    for (const { key } of membersOf(at(node, 'secrets'))) secrets.push(key)
    const lines = SCRIPTS.flatMap((part) => linesOf(at(node, part)))
    for (const used of credentialsUsed(lines)) if (!secrets.includes(used)) secrets.push(used)
    for (const line of lines) yield { file, node: line, command: line, secrets, job: name }
  }
}

/** `image: node:24`, `image: { name: node:24 }`. */
export function* findGitlabImages(files: ReadonlyMap<string, ProjectFile>): Generator<PipelineImage> {
  for (const { file, node } of findJobs(files)) {
    const written = at(node, 'image', 'name') ?? at(node, 'image')
    const image = stringOf(written)
    if (written !== undefined && image !== undefined)
      yield { file, image, place: { file, span: { start: written.start, end: written.end } } }
  }
}

export function* findGitlabIncludes(files: ReadonlyMap<string, ProjectFile>): Generator<GitlabInclude> {
  for (const { file, root } of findRoots(files)) {
    const include = at(root, 'include')
    for (const item of include?.kind === 'array' ? include.items.slice(0, MAX_JOBS) : include === undefined ? [] : [include]) {
      const written = stringOf(item)
      const remote = at(item, 'remote') ?? (written !== undefined && /^https?:\/\//i.test(written) ? item : undefined)
      const [address, project, component] = [stringOf(remote), stringOf(at(item, 'project')), stringOf(at(item, 'component'))]
      if (remote !== undefined && address !== undefined)
        yield {
          file,
          node: remote,
          kind: 'remote',
          source: address,
          reference: undefined,
          isVerified: at(item, 'integrity') !== undefined,
        }
      else if (project !== undefined)
        yield {
          file,
          node: at(item, 'project') ?? item,
          kind: 'project',
          source: project,
          reference: stringOf(at(item, 'ref')),
          isVerified: false,
        }
      else if (component !== undefined) {
        const [source = '', reference] = component.split('@', 2)
        yield { file, node: at(item, 'component') ?? item, kind: 'component', source, reference, isVerified: false }
      }
    }
  }
}

function* findRoots(files: ReadonlyMap<string, ProjectFile>): Generator<{ readonly file: string; readonly root: DataNode }> {
  for (const { path: file, kind, content } of files.values()) {
    if (kind.role !== 'gitlab-pipeline' || kind.test || content.as !== 'data') continue
    for (const root of content.roots) yield { file, root }
  }
}

function* findJobs(files: ReadonlyMap<string, ProjectFile>): Generator<Job> {
  for (const { file, root } of findRoots(files)) {
    yield { file, name: '', node: root, root }
    for (const { key, value } of membersOf(root).slice(0, MAX_JOBS))
      if (value.kind === 'object' && !NO_JOBS.has(key)) yield { file, name: key === 'default' ? '' : key, node: value, root }
  }
}

/** A line, a list of lines, or lists that references to other jobs brought. */
function linesOf(node: DataNode | undefined): DataNode[] {
  const lines =
    node?.kind === 'array' ? itemsOf(node).flatMap((item) => [item, ...itemsOf(item)]) : node === undefined ? [] : [node]
  return lines.filter((line) => stringOf(line) !== undefined).slice(0, MAX_LINES)
}

/** Credentials of the project's settings are in the environment of all jobs: the commands that use one tell its name. Those of GitLab itself, `CI_…`, expire with the job. */
function credentialsUsed(lines: readonly DataNode[]): ReadonlySet<string> {
  const names = lines.flatMap((line) => [...(stringOf(line) ?? '').slice(0, MAX_TEXT).matchAll(CREDENTIAL_USED)])
  return new Set(names.flatMap(({ groups }) => groups?.['name'] ?? []))
}

/** `NPM_TOKEN: $PUBLISH_TOKEN` passes on a variable of the project; the token of the job itself expires with it. */
function secretsIn(variables: DataNode | undefined): string[] {
  return membersOf(variables).flatMap(({ key, value }) =>
    /^\$\{?(?!CI_JOB_TOKEN\b)\w{1,100}\}?$/.test(stringOf(value) ?? stringOf(at(value, 'value')) ?? '') ? [key] : [],
  )
}
