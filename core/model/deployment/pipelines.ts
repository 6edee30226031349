import type { ProjectFile } from '../../files.ts'
import { at, itemsOf, membersOf, stringOf, type DataMember, type DataNode } from '../../parse/data.ts'
import type { Place } from '../../types.ts'
import { findGitlabImages, findGitlabSteps } from './gitlab.ts'
import { findJenkinsImages } from './jenkins.ts'

/** One workflow of GitHub Actions (GitHub documentation, "Workflow syntax"). */
export interface Workflow {
  readonly file: string
  readonly node: DataNode
  /** Names of the events that start it. */
  readonly events: ReadonlySet<string>
  readonly permissions: DataMember | undefined
  readonly jobs: readonly WorkflowJob[]
}

export interface WorkflowJob {
  readonly name: string
  readonly node: DataNode
  readonly permissions: DataMember | undefined
  readonly steps: readonly WorkflowStep[]
  /** A workflow that it calls as a whole. */
  readonly uses: DataNode | undefined
}

export interface WorkflowStep {
  readonly node: DataNode
  /** `actions/checkout@v4`. */
  readonly uses: DataNode | undefined
  readonly run: DataNode | undefined
}

/** The workflows of a project. Members of any type are left out one by one. */
export function findWorkflows(files: ReadonlyMap<string, ProjectFile>): Workflow[] {
  const workflows: Workflow[] = []
  for (const { path, kind, content } of files.values()) {
    if (kind.role !== 'github-workflow' || content.as !== 'data') continue
    const node = content.roots[0]
    const workflow = node === undefined ? undefined : readWorkflow(path, node)
    if (workflow !== undefined) workflows.push(workflow)
  }
  return workflows
}

/** One file's workflow; undefined where it has no jobs. */
export function readWorkflow(file: string, node: DataNode): Workflow | undefined {
  const jobs = membersOf(at(node, 'jobs')).map(({ key, value }) => readJob(key, value))
  if (jobs.length === 0) return undefined
  return { file, node, events: readEvents(at(node, 'on') ?? at(node, 'true')), permissions: permissionsOf(node), jobs }
}

function readJob(name: string, node: DataNode): WorkflowJob {
  const steps = itemsOf(at(node, 'steps')).map((step) => ({ node: step, uses: textAt(step, 'uses'), run: textAt(step, 'run') }))
  return { name, node, permissions: permissionsOf(node), steps, uses: textAt(node, 'uses') }
}

function textAt(node: DataNode, key: string): DataNode | undefined {
  const value = at(node, key)
  return stringOf(value) === undefined ? undefined : value
}

function permissionsOf(node: DataNode): DataMember | undefined {
  return membersOf(node).findLast(({ key }) => key === 'permissions')
}

/** `on: push`, `on: [push, issues]`, `on: { push: … }`. */
function readEvents(node: DataNode | undefined): ReadonlySet<string> {
  const single = stringOf(node)
  return new Set([
    ...(single === undefined ? [] : [single]),
    ...itemsOf(node).flatMap((item) => stringOf(item) ?? []),
    ...membersOf(node).map(({ key }) => key),
  ])
}

/** Whether `permissions` gives a right for writing: `write-all`, or `write` for that name. */
export function mayWrite(permissions: DataMember | undefined, name: string): boolean {
  return stringOf(permissions?.value) === 'write-all' || stringOf(at(permissions?.value, name)) === 'write'
}

/** One step of a pipeline of GitHub, Azure or GitLab, with what surrounds it. */
export interface PipelineStep {
  readonly file: string
  readonly node: DataNode
  /** The command that it runs. */
  readonly command: DataNode | undefined
  /** Variables of the pipeline, the job and the step that hold a secret of the repository, but for the token of the run itself. */
  readonly secrets: readonly string[]
  /** Name of the job; '' where there is none. */
  readonly job: string
}

/** An image in which a pipeline runs a job. */
export interface PipelineImage {
  readonly file: string
  /** `node:24-slim`. */
  readonly image: string
  readonly place: Place
}

/** The images of all pipelines: `container` of GitHub and Azure, `image` of GitLab, `docker` of Jenkins. */
export function* findPipelineImages(files: ReadonlyMap<string, ProjectFile>): Generator<PipelineImage> {
  for (const { file, job } of findJobs(files)) {
    const container = at(job, 'container', 'image') ?? at(job, 'container')
    const image = stringOf(container)
    if (container !== undefined && image !== undefined)
      yield { file, image, place: { file, span: { start: container.start, end: container.end } } }
  }
  yield* findGitlabImages(files)
  yield* findJenkinsImages(files)
}

/** The jobs of GitHub's pipelines, and of Azure's (Azure documentation, "YAML schema": stages, jobs). */
function* findJobs(files: ReadonlyMap<string, ProjectFile>): Generator<{ readonly file: string; readonly job: DataNode }> {
  for (const { file, jobs } of findWorkflows(files)) for (const { node } of jobs) yield { file, job: node }
  for (const { path: file, kind, content } of files.values()) {
    if (kind.role !== 'azure-pipeline' || content.as !== 'data') continue
    for (const root of content.roots) {
      const stages = [root, ...itemsOf(at(root, 'stages'))]
      for (const job of [root, ...stages.flatMap((stage) => itemsOf(at(stage, 'jobs')))]) yield { file, job }
    }
  }
}

/** The steps of all pipelines, GitHub's (see above), Azure's (Azure documentation, "YAML schema": deployment jobs, steps) and GitLab's. */
export function findPipelineSteps(files: ReadonlyMap<string, ProjectFile>): PipelineStep[] {
  const found: PipelineStep[] = []
  for (const { file, node, jobs } of findWorkflows(files))
    for (const job of jobs)
      for (const step of job.steps) {
        const secrets = secretsOf([node, job.node, step.node])
        found.push({ file, node: step.node, command: step.run, secrets, job: job.name })
      }
  for (const { file, job } of findJobs(files)) {
    if (files.get(file)?.kind.role !== 'azure-pipeline') continue
    const steps = [at(job, 'steps'), at(job, 'strategy', 'runOnce', 'deploy', 'steps')].flatMap(itemsOf)
    const name = stringOf(at(job, 'job')) ?? stringOf(at(job, 'deployment')) ?? ''
    for (const step of steps) {
      const command = textAt(step, 'script') ?? textAt(step, 'bash') ?? textAt(step, 'pwsh')
      found.push({ file, node: step, command, secrets: secretsOf([step]), job: name })
    }
  }
  found.push(...findGitlabSteps(files))
  return found
}

/** `env` with `${{ secrets.X }}` of GitHub, or `$(x)` of Azure. */
function secretsOf(scopes: readonly DataNode[]): string[] {
  return scopes.flatMap((node) =>
    membersOf(at(node, 'env')).flatMap(({ key, value }) =>
      /\bsecrets\.(?!GITHUB_TOKEN\b)|^\$\([\w.-]{1,100}\)$/.test(stringOf(value) ?? '') ? [key] : [],
    ),
  )
}
