import type { ProjectFile } from '../../files.ts'
import { folderOf } from '../../paths.ts'
import type { Span } from '../../types.ts'

/** One instruction of a Dockerfile: continued lines and here-documents are part of it. */
export interface DockerInstruction extends Span {
  /** Upper case: `FROM`, `COPY`. */
  readonly name: string
  /** What follows, continuations as blanks; offsets are those of `argumentStart` on. */
  readonly arguments: string
  readonly argumentStart: number
}

/** One `FROM` and what follows it. */
export interface DockerStage {
  readonly from: DockerInstruction
  /** `node:24-alpine`; where an ARG before the first stage has a default, with that. */
  readonly image: string
  /** Span of the image in the file. */
  readonly imageSpan: Span
  /** `AS build`, lower case. */
  readonly alias?: string
  readonly instructions: readonly DockerInstruction[]
}

export interface Dockerfile {
  readonly file: string
  readonly folder: string
  readonly stages: readonly DockerStage[]
}

const MAX_INSTRUCTIONS = 2000
const MAX_ARGUMENTS = 20_000
/** Here-documents of one instruction, and the lines of one. */
const MAX_MARKS = 3
const MAX_LINES = 2000

/** The Dockerfiles of a project that have a stage (Dockerfile reference); those of tests are left out. */
export function findDockerfiles(files: ReadonlyMap<string, ProjectFile>): Dockerfile[] {
  const found: Dockerfile[] = []
  for (const { path, kind, content, scope } of files.values()) {
    if (kind.role !== 'dockerfile' || kind.test || scope !== 'all' || content.as !== 'text') continue
    const stages = toStages(readInstructions(content.text ?? ''))
    if (stages.length > 0) found.push({ file: path, folder: folderOf(path), stages })
  }
  return found
}

/**
 * The last stage and those that it is built upon, the last one first: what runs. Stages that it only copies from are left out. `target`: the stage that a build names
 * instead (Docker documentation, "Multi-stage builds").
 */
export function runningStages({ stages }: Dockerfile, target?: string): DockerStage[] {
  const running: DockerStage[] = []
  const named = target === undefined ? -1 : stages.findIndex(({ alias }) => alias === target.toLowerCase())
  for (let at = named === -1 ? stages.length - 1 : named; at >= 0;) {
    const stage = stages[at]
    if (stage === undefined) break
    running.push(stage)
    at = stages.findLastIndex(({ alias }, index) => index < at && alias !== undefined && alias === stage.image.toLowerCase())
  }
  return running
}

/** Stages whose Node.js the running ones take: `COPY --from=build /usr/local /usr/local`. Fact: official images of Node.js have it below /usr/local, those of distroless in /nodejs. */
export function stagesOfRuntime({ stages }: Dockerfile, running: readonly DockerStage[]): DockerStage[] {
  const sources = running
    .flatMap(({ instructions }) => instructions)
    .flatMap(({ name, arguments: text }) => (name === 'COPY' ? (RUNTIME.exec(text)?.[1]?.toLowerCase() ?? []) : []))
  return stages.filter(({ alias }, index) => sources.some((source) => source === alias || source === String(index)))
}

const RUNTIME =
  /^(?:--\w{1,20}=\S{1,60}\s{1,20}){0,3}--from=([\w.-]{1,80})\s{1,20}(?:--\w{1,20}=\S{1,60}\s{1,20}){0,3}(?:\/usr\/local(?:\/(?:bin(?:\/node)?|lib)?\/?)?|\/nodejs\/?(?:bin\/node)?|\/usr\/bin\/node)\s/

function readInstructions(text: string): DockerInstruction[] {
  const instructions: DockerInstruction[] = []
  for (let from = 0; from < text.length && instructions.length < MAX_INSTRUCTIONS;) {
    let end = lineEnd(text, from)
    const start = from + (text.slice(from, end).length - text.slice(from, end).trimStart().length)
    if (start === end || text[start] === '#') {
      from = end + 1
      continue
    }
    // a line that ends in a backslash goes on; comments and empty lines between are part of it
    while (/\\[ \t\r]*$/.test(text.slice(Math.max(start, end - 40), end)) && end < text.length) {
      end = lineEnd(text, end + 1)
      while (end < text.length && /^[ \t]*(?:#.*)?$/.test(lastLine(text, end))) end = lineEnd(text, end + 1)
    }
    const [, name = '', gap = ''] = /^([A-Za-z]{1,20})(\s*)/.exec(text.slice(start, Math.min(end, start + 200))) ?? []
    const marks = [...text.slice(start, Math.min(end, start + MAX_ARGUMENTS)).matchAll(/<<-?["']?(\w{1,60})["']?/g)].map(
      ([, mark = '']) => mark,
    )
    if (/^(?:RUN|COPY)$/i.test(name)) for (const mark of marks.slice(0, MAX_MARKS)) end = hereEnd(text, end, mark)
    if (name !== '') {
      const argumentStart = start + name.length + gap.length
      const raw = text.slice(argumentStart, Math.min(end, argumentStart + MAX_ARGUMENTS))
      const plain = raw.replace(/\\[ \t]{0,20}\r?\n|(?<=\n)[ \t]{0,200}#[^\n]*/g, (part) => ' '.repeat(part.length)).trimEnd()
      instructions.push({ name: name.toUpperCase(), arguments: plain, argumentStart, start, end: argumentStart + plain.length })
    }
    from = end + 1
  }
  return instructions
}

function lineEnd(text: string, from: number): number {
  const feed = text.indexOf('\n', from)
  return feed === -1 ? text.length : feed
}

function lastLine(text: string, end: number): string {
  return text
    .slice(text.lastIndexOf('\n', end - 1) + 1, end)
    .slice(0, 1000)
    .trimEnd()
}

/** The end of a here-document; `from` where nothing ends it within reach. */
function hereEnd(text: string, from: number, mark: string): number {
  let end = from
  for (let lines = 0; lines < MAX_LINES; lines++) {
    end = lineEnd(text, end + 1)
    if (lastLine(text, end).trim() === mark || end >= text.length) return end
  }
  return from
}

function toStages(instructions: readonly DockerInstruction[]): DockerStage[] {
  const stages: (DockerStage & { instructions: DockerInstruction[] })[] = []
  const defaults = new Map<string, string>()
  for (const instruction of instructions) {
    const { name, arguments: rest, argumentStart } = instruction
    if (name === 'ARG' && stages.length === 0) {
      const [, key = '', value = ''] = /^(\w{1,100})=["']?([^\s"']{0,300})/.exec(rest) ?? []
      if (key !== '') defaults.set(key, value)
    }
    if (name !== 'FROM') {
      stages.at(-1)?.instructions.push(instruction)
      continue
    }
    const [, options = '', written = '', , alias] =
      /^((?:--\w{1,30}=\S{1,200}\s{1,20}){0,5})(\S{1,500})(\s{1,20}as\s{1,20}(\S{1,200}))?/i.exec(rest) ?? []
    const start = argumentStart + options.length
    const image = written.replaceAll(
      /\$\{?(\w{1,100})(?::-([^}]{0,200}))?\}?/g,
      (whole, key: string, fallback?: string) => defaults.get(key) ?? fallback ?? whole,
    )
    stages.push({
      from: instruction,
      image,
      imageSpan: { start, end: start + written.length },
      ...(alias !== undefined && { alias: alias.toLowerCase() }),
      instructions: [],
    })
  }
  return stages
}
