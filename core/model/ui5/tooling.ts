import { at, itemsOf, membersOf, stringOf } from '../../parse/data.ts'
import type { DataMember, DataNode } from '../../parse/data.ts'
import type { ProjectFile } from '../../files.ts'
import { resolvePath } from '../../paths.ts'
import type { Ui5App } from './types.ts'

/** A middleware of the development server, or a task of the build, as a ui5*.yaml configures it. */
export interface ToolingStep {
  readonly file: string
  readonly kind: 'middleware' | 'task'
  readonly name: string
  readonly configuration: DataNode
}

export function toolingSteps({ tooling }: Ui5App): ToolingStep[] {
  return tooling.flatMap(({ file, root }) => [
    ...stepsOf(file, 'middleware', at(root, 'server', 'customMiddleware')),
    ...stepsOf(file, 'task', at(root, 'builder', 'customTasks')),
  ])
}

function stepsOf(file: string, kind: ToolingStep['kind'], list: DataNode | undefined): ToolingStep[] {
  return itemsOf(list).flatMap((item) => {
    const configuration = at(item, 'configuration')
    return configuration === undefined ? [] : { file, kind, name: stringOf(at(item, 'name')) ?? '', configuration }
  })
}

/**
 * Scripts that the development server or the build loads, by the extensions that the project defines itself: paths from the root of its package.
 * Facts: UI5 Tooling, "Custom Server Middleware" and "Custom Tasks" (`kind: extension`, `middleware.path`, `task.path`).
 */
export function extensionScripts(files: ReadonlyMap<string, ProjectFile>): string[] {
  return [...files.values()].flatMap(({ path: file, kind, content }) => {
    if (kind.role !== 'ui5-yaml' || content.as !== 'data') return []
    const extensions = content.roots.filter((root) => stringOf(at(root, 'kind')) === 'extension')
    const paths = extensions.flatMap((root) => [at(root, 'middleware', 'path'), at(root, 'task', 'path')])
    return paths.flatMap((path) => resolvePath(file, stringOf(path) ?? '') ?? [])
  })
}

/** All members below a node, at any depth, in the order of the text. */
export function* membersBelow(root: DataNode): Generator<DataMember> {
  const stack: (DataNode | DataMember)[] = [root]
  for (let here = stack.pop(); here !== undefined; here = stack.pop()) {
    if ('key' in here) yield here
    const node = 'key' in here ? here.value : here
    for (const next of [...itemsOf(node), ...membersOf(node)].reverse()) stack.push(next)
  }
}

/** A build leaves out a few folders; the rest of a hostile list is not looked at. */
const MAX_EXCLUDES = 1000

/** Patterns of files that a build leaves out, of all ui5*.yaml of an app: `builder.resources.excludes`, and `exclude` of a deployment. */
export function excludesOf({ tooling }: Ui5App): string[] {
  const patterns = tooling.flatMap(({ root }) => {
    const lists = [at(root, 'builder', 'resources', 'excludes')]
    for (const task of itemsOf(at(root, 'builder', 'customTasks'))) lists.push(at(task, 'configuration', 'exclude'))
    return lists.flatMap((list) => itemsOf(list).flatMap((item) => stringOf(item) ?? []))
  })
  return patterns.slice(0, MAX_EXCLUDES)
}
