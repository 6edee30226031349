import type { ProjectFile } from '../../files.ts'
import { at, membersOf, stringOf, type DataNode } from '../../parse/data.ts'
import { joinPath } from '../../paths.ts'
import type { Place, Span } from '../../types.ts'
import { findComposeServices } from './compose.ts'
import { findDockerfiles } from './docker.ts'
import { findPipelineSteps } from './pipelines.ts'
import { isForTesting } from './stage.ts'
import type { Application, Deployment } from './types.ts'

/** Commands of a shell that a project runs in a pipeline, in a build or on a developer's machine. */
export interface Command {
  readonly file: string
  /** `build`: of a pipeline or an image; `script`: of package.json, or a file that may be run by hand. */
  readonly runs: 'build' | 'script'
  readonly text: string
  /** Where a part of the text is in the file; the whole command where its text is escaped there. */
  spanOf(start: number, end: number): Span
}

const MAX_TEXT = 200_000

/** Steps of pipelines, `RUN` of images, commands of Compose, scripts of package.json, and the text of Jenkinsfiles, shell scripts and Procfiles. */
export function* findCommands(files: ReadonlyMap<string, ProjectFile>): Generator<Command> {
  for (const { file, command } of findPipelineSteps(files)) if (command !== undefined) yield ofNode(file, 'build', command)
  for (const { file, stages } of findDockerfiles(files))
    for (const { name, arguments: text, argumentStart } of stages.flatMap(({ instructions }) => instructions))
      if (name === 'RUN') yield { file, runs: 'build', text, spanOf: shiftedBy(argumentStart) }
  for (const { file, commands } of findComposeServices(files))
    for (const node of commands.flatMap((command) => (command.kind === 'array' ? command.items : [command])))
      yield ofNode(file, isForTesting(file) ? 'script' : 'build', node)
  for (const { path: file, kind, content, scope } of files.values()) {
    if (kind.test || scope !== 'all') continue
    if (kind.role === 'package' && content.as === 'data')
      for (const { value } of content.roots.flatMap((root) => membersOf(at(root, 'scripts')))) yield ofNode(file, 'script', value)
    if (content.as !== 'text' || content.text === undefined) continue
    if (kind.role === 'jenkinsfile' || kind.role === 'shell-script' || kind.role === 'procfile')
      yield {
        file,
        runs: kind.role === 'shell-script' ? 'script' : 'build',
        text: withoutComments(content.text.slice(0, MAX_TEXT)),
        spanOf: shiftedBy(0),
      }
  }
}

/** The command that starts an application, in place of the default one. */
export interface StartCommand {
  readonly app: string
  readonly text: string
  readonly place: Place
}

/**
 * `command` of applications of manifests, of modules of MTAs and of services of Compose, the processes of Procfiles, and scripts of package.json that these run:
 * `npm start` is what starts an application of Node.js that names no command.
 * Facts: Cloud Foundry, "Tips for Node.js applications"; SAP, "MTA deployment descriptor examples" (module type nodejs).
 */
export function* findStartCommands(
  files: ReadonlyMap<string, ProjectFile>,
  { applications, placeOf }: Deployment,
): Generator<StartCommand> {
  const scripts = new Map<DataNode, StartCommand>()
  for (const application of applications) {
    const { file, name, node, resolve } = application
    const command = at(node, 'command') ?? at(node, 'parameters', 'command')
    const text = stringOf(command)
    const app = name ?? file
    if (command !== undefined && text !== undefined) yield { app, text: resolve(text), place: placeOf(command) }
    const script = findScript(files, application, text)
    if (script !== undefined && !scripts.has(script.node))
      scripts.set(script.node, { app, text: stringOf(script.node) ?? '', place: { file: script.file, span: script.node } })
  }
  yield* scripts.values()
  for (const { file, name: app, commands } of findComposeServices(files))
    for (const { start, end, ...node } of commands) {
      const words =
        node.kind === 'array'
          ? node.items.map((item) => stringOf(item) ?? '')
          : [String(node.kind === 'string' ? node.value : '')]
      yield { app, text: words.join(' '), place: { file, span: { start, end } } }
    }
  for (const { path: file, kind, content, scope } of files.values()) {
    if (kind.role !== 'procfile' || kind.test || scope !== 'all' || content.as !== 'text') continue
    for (const { 0: line, 1: type = '', 2: text = '', index } of (content.text ?? '').slice(0, MAX_TEXT).matchAll(PROCESS)) {
      const start = index + line.length - text.length
      yield { app: type, text, place: { file, span: { start, end: start + text.length } } }
    }
  }
}

const RUNS_SCRIPT = /^\s{0,9}npm (?:(start)|run(?:-script)? ([\w:.-]{1,100}))\s{0,9}$/

/** The script of package.json that starts an application of Node.js, by its command or by none. */
function findScript(
  files: ReadonlyMap<string, ProjectFile>,
  { type, folder, dependencies, isStopped }: Application,
  command: string | undefined,
): { readonly file: string; readonly node: DataNode } | undefined {
  const isNode = type === '' ? command !== undefined : /^(?:nodejs|approuter\.nodejs)$/.test(type)
  if (folder === undefined || dependencies === undefined || isStopped || !isNode) return undefined
  const [, start = command === undefined ? 'start' : undefined, other] = RUNS_SCRIPT.exec(command ?? '') ?? []
  const name = start ?? other
  const file = joinPath(folder, 'package.json')
  const content = files.get(file)?.content
  const node = name === undefined || content?.as !== 'data' ? undefined : at(content.roots[0], 'scripts', name)
  return node === undefined || stringOf(node) === undefined ? undefined : { file, node }
}

/** `web: node server.js` */
const PROCESS = /^([\w-]{1,50}):[ \t]{1,20}(\S[^\r\n]{0,2000})/gm

function ofNode(file: string, runs: Command['runs'], node: DataNode): Command {
  const text = withoutComments((stringOf(node) ?? '').slice(0, MAX_TEXT))
  // as long as it is in the file: written without escapes and indentation
  const isPlain = text.length === node.end - node.start
  return { file, runs, text, spanOf: isPlain ? shiftedBy(node.start) : () => ({ start: node.start, end: node.end }) }
}

function shiftedBy(offset: number): Command['spanOf'] {
  return (start, end) => ({ start: start + offset, end: end + offset })
}

/** Blanks instead of lines that are comments, so that offsets stay. */
function withoutComments(text: string): string {
  return text.replace(/^[ \t]{0,200}(?:#|\/\/)[^\n]*/gm, (line) => ' '.repeat(line.length))
}
