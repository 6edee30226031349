import type { ProjectFile } from '../../files.ts'
import type { PipelineImage } from './pipelines.ts'

/** A part of a Jenkinsfile in whose environment credentials are. */
export interface CredentialBlock {
  readonly file: string
  readonly variables: readonly string[]
  readonly text: string
  /** Offset of the text in the file. */
  readonly start: number
}

const MAX_TEXT = 200_000
const MAX_BLOCKS = 100

/** `withCredentials([string(credentialsId: 'npm', variable: 'NPM_TOKEN')]) {` */
const WITH_CREDENTIALS = /\bwithCredentials\s{0,5}\(?\s{0,20}\[([^\]]{0,2000})\]\s{0,20}\)?\s{0,20}\{/g
/** `environment {`, and in it `NPM_TOKEN = credentials('npm')`. */
const ENVIRONMENT = /\benvironment\s{0,20}\{([^}]{0,5000})\}/g
/** `docker { image 'node:24' }`, `docker 'node:24'`, `docker.image('node:24')`. */
const IMAGE = /\bdocker(?:\s{0,5}\{\s{0,100}image\s{1,5}|\.image\s{0,5}\(\s{0,5}|\s{1,5})(["'])([\w./:@-]{1,300})\1/g

/** Jenkins documentation, "Using Docker with Pipeline". */
export function* findJenkinsImages(files: ReadonlyMap<string, ProjectFile>): Generator<PipelineImage> {
  for (const { path: file, kind, content, scope } of files.values()) {
    if (kind.role !== 'jenkinsfile' || kind.test || scope !== 'all' || content.as !== 'text') continue
    let left = MAX_BLOCKS
    for (const { 0: found, 2: image = '', index } of (content.text ?? '').slice(0, MAX_TEXT).matchAll(IMAGE)) {
      if (left-- <= 0) break
      const end = index + found.length - 1
      yield { file, image, place: { file, span: { start: end - image.length, end } } }
    }
  }
}

/** Blocks of Jenkinsfiles with credentials (Jenkins documentation, "Credentials Binding", "Pipeline Syntax": environment); braces in strings are taken as they are. */
export function* findCredentialBlocks(files: ReadonlyMap<string, ProjectFile>): Generator<CredentialBlock> {
  for (const { path: file, kind, content, scope } of files.values()) {
    if (kind.role !== 'jenkinsfile' || kind.test || scope !== 'all' || content.as !== 'text') continue
    const text = (content.text ?? '').slice(0, MAX_TEXT)
    let left = MAX_BLOCKS
    for (const pattern of [WITH_CREDENTIALS, ENVIRONMENT]) {
      for (const { 0: head, 1: inside = '', index } of text.matchAll(pattern)) {
        const named =
          pattern === ENVIRONMENT ? /(\w{1,100})\s{0,5}=\s{0,5}credentials\(/g : /[vV]ariable\s{0,5}:\s{0,5}["'](\w{1,100})/g
        const variables = [...inside.matchAll(named)].map(([, name = '']) => name)
        if (variables.length === 0 || left-- <= 0) continue
        const start = index + head.length
        yield { file, variables, text: text.slice(start, endOfBlock(text, start)), start }
      }
    }
  }
}

function endOfBlock(text: string, start: number): number {
  let depth = 0
  for (let index = start; index < text.length; index++) {
    if (text[index] === '{') depth++
    else if (text[index] === '}' && --depth < 0) return index
  }
  return text.length
}
