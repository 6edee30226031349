import type { ProjectFile } from '../../files.ts'
import { at, stringOf, type DataNode } from '../../parse/data.ts'
import { folderOf } from '../../paths.ts'
import { findCommands, isForTesting, type Command } from '../deployment/index.ts'

/** A variable that a command gives an application. */
export interface CommandVariable {
  readonly file: string
  readonly name: string
  readonly value: DataNode
  /** False: of a script for tests. */
  readonly deployed: boolean
  /** The application that it is set for, as the command names it. */
  readonly app?: string
  /** The folder whose application the command starts. */
  readonly folder?: string
}

/** `cf set-env <app> <name> <value>`: one line, each word plain or in quotes. Source: https://cli.cloudfoundry.org/en-US/v8/set-env.html */
const SET_ENV =
  /(?<![\w-])cf[ \t]{1,20}(?:set-env|se)[ \t]{1,20}(?<app>"[^"\n]{1,200}"|'[^'\n]{1,200}'|[^\s"']{1,200})[ \t]{1,20}["']?(?<name>[A-Za-z_]\w{0,100})["']?[ \t]{1,20}(?<value>"(?:\\.|[^"\\\n]){0,5000}"|'[^'\n]{0,5000}'|[^\s"';&|]{1,5000})/g
/** `NAME=value node …`, `cross-env NAME=value node …`. */
const STARTED =
  /^\s{0,20}(?:(?:npx[ \t]{1,5})?cross-env[ \t]{1,20})?(?:[A-Za-z_]\w{0,100}=(?:"[^"\n]{0,5000}"|'[^'\n]{0,5000}'|[^\s"']{0,5000})[ \t]{1,20}){1,30}/
const ASSIGNED = /(?<name>[A-Za-z_]\w{0,100})=(?<value>"[^"\n]{0,5000}"|'[^'\n]{0,5000}'|[^\s"']{1,5000})/g

/** Variables that pipelines and scripts set by `cf set-env`, and those before the command of a `start` script. What the shell would fill in is not known. */
export function* findCommandVariables(files: ReadonlyMap<string, ProjectFile>): Generator<CommandVariable> {
  for (const command of findCommands(files)) {
    if (!command.text.includes('cf ')) continue
    for (const { index, 0: text, groups } of command.text.matchAll(SET_ENV)) {
      const { app = '', name = '', value = '' } = groups ?? {}
      const node = toNode(value, index + text.length - value.length, command)
      if (node !== undefined)
        yield { file: command.file, name, value: node, deployed: !isForTesting(command.file), app: unquoted(app) }
    }
  }
  for (const { path: file, kind, content, scope } of files.values()) {
    if (kind.role !== 'package' || kind.test || scope !== 'all' || content.as !== 'data') continue
    for (const root of content.roots) yield* startVariables(file, at(root, 'scripts', 'start'))
  }
}

function* startVariables(file: string, script: DataNode | undefined): Generator<CommandVariable> {
  const text = stringOf(script)
  const [before] = STARTED.exec(text ?? '') ?? []
  if (script === undefined || text === undefined || before === undefined) return
  // offsets are those of the file where nothing in it is escaped
  const isPlain = text.length === script.end - script.start
  const spanOf: Command['spanOf'] = (start, end) =>
    isPlain ? { start: script.start + start, end: script.start + end } : { start: script.start, end: script.end }
  for (const { index, 0: assigned, groups } of before.matchAll(ASSIGNED)) {
    const { name = '', value = '' } = groups ?? {}
    const node = toNode(value, index + assigned.length - value.length, { spanOf })
    if (node !== undefined) yield { file, name, value: node, deployed: true, folder: folderOf(file) }
  }
}

/** `start`: where the written value begins in the command. */
function toNode(written: string, start: number, { spanOf }: Pick<Command, 'spanOf'>): DataNode | undefined {
  const value = unquoted(written)
  if (!written.startsWith("'") && /\$[\w{(]|`/.test(value)) return undefined
  const quoted = written.length - value.length === 2 ? 1 : 0
  return { kind: 'string', value, ...spanOf(start + quoted, start + written.length - quoted) }
}

function unquoted(word: string): string {
  if (word.startsWith('"')) return word.slice(1, -1).replace(/\\(["\\$`])/g, '$1')
  return word.startsWith("'") ? word.slice(1, -1) : word
}
