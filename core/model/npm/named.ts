import type { ProjectFile } from '../../files.ts'
import { at, itemsOf, membersOf, stringOf, type DataNode } from '../../parse/data.ts'
import type { Place } from '../../types.ts'
import { findDockerfiles, findPipelineSteps } from '../deployment/index.ts'
import type { PackageManifest } from './manifests.ts'
import { isExactVersion, isPackageName } from '../../parse/lock/index.ts'
import type { NamedVersion } from './types.ts'

/** Versions of one text, and of a project, that are looked at. */
const MAX_IN_TEXT = 50
const MAX_NAMED = 5000
const MAX_TEXT = 20_000

const INSTALLS =
  /\b(?:npx|bunx|npm\s{1,5}(?:exec|x|i|install|add)|yarn\s{1,5}(?:dlx|add|global\s{1,5}add)|pnpm\s{1,5}(?:dlx|add|i|install))\b([^\n;&|]{0,500})/g
const VERSION = /(?<![^\s"'`=])((?:@[a-z0-9~_-][\w.~-]{0,100}\/)?[a-z0-9~_-][\w.~-]{0,200})@(\d[\w.+-]{0,60})(?![^\s"'`),])/gi
const ARCHIVE = /\/((?:@[^/@]{1,100}(?:\/|%2f))?[^/@%]{1,214})\/-\/[^/]{1,300}?-(\d{1,9}\.\d[\w.+-]{0,80})\.tgz(?:[?#]|$)/i

/**
 * Exact versions that a project names beside its dependencies: overrides, archives of a registry by their address, and what commands install
 * (`npx mbt@1.2.48`) in scripts, pipelines, images and builds of an MTA.
 */
export function findNamed(files: ReadonlyMap<string, ProjectFile>, manifests: readonly PackageManifest[]): NamedVersion[] {
  const found: NamedVersion[] = []
  const add = (name: string, version: string, place: Place): void => {
    if (found.length < MAX_NAMED && isPackageName(name) && isExactVersion(version)) found.push({ name, version, place })
  }
  for (const { file, overrides, dependencies, scripts } of manifests) {
    for (const { name, range, start, end } of overrides)
      add(name, range.replace(/^[=v]{1,2}/, ''), { file, span: { start, end } })
    for (const { range, start, end } of dependencies) {
      const [, name = '', version = ''] = /^https?:/i.test(range) ? (ARCHIVE.exec(range) ?? []) : []
      if (name !== '') add(name.replace(/%2f/i, '/'), version, { file, span: { start, end } })
    }
    for (const { command, start, end } of scripts)
      for (const { name, version } of installedBy(command)) add(name, version, { file, span: { start, end } })
  }
  for (const { file, command } of findPipelineSteps(files)) {
    if (command === undefined) continue
    const place = { file, span: { start: command.start, end: command.end } }
    for (const { name, version } of installedBy(stringOf(command) ?? '')) add(name, version, place)
  }
  for (const { file, stages } of findDockerfiles(files))
    for (const { name: instruction, arguments: text, argumentStart } of stages.flatMap(({ instructions }) => instructions)) {
      if (instruction !== 'RUN') continue
      for (const { name, version, start, end } of installedBy(text))
        add(name, version, { file, span: { start: argumentStart + start, end: argumentStart + end } })
    }
  for (const { path, kind, content } of files.values()) {
    if (kind.role !== 'mta' || kind.test || content.as !== 'data') continue
    const [root] = content.roots
    for (const node of commandsOf(root))
      for (const { name, version } of installedBy(stringOf(node) ?? ''))
        add(name, version, { file: path, span: { start: node.start, end: node.end } })
  }
  return found
}

function* installedBy(text: string): Generator<{ name: string; version: string; start: number; end: number }> {
  let left = MAX_IN_TEXT
  for (const { 0: whole, 1: rest = '', index } of text.slice(0, MAX_TEXT).matchAll(INSTALLS)) {
    for (const { 0: found, 1: name = '', 2: version = '', index: inside } of rest.matchAll(VERSION)) {
      if (left-- <= 0) return
      const start = index + whole.length - rest.length + inside
      yield { name, version, start, end: start + found.length }
    }
  }
}

/** `build-parameters` of an MTA and of its modules: commands of custom builders (SAP documentation, "Cloud MTA Build Tool"). */
function* commandsOf(root: DataNode | undefined): Generator<DataNode> {
  const parts = [root, ...itemsOf(at(root, 'modules'))].map((node) => at(node, 'build-parameters'))
  for (const part of parts) {
    const builders = [part, ...membersOf(part).flatMap(({ value }) => [...itemsOf(value)])]
    for (const builder of builders) yield* itemsOf(at(builder, 'commands'))
  }
}
