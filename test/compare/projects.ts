import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { openDirectory } from '../../adapters/node/directory.ts'
import { openSource, type scan } from '../../core/scanner.ts'
import { DEFAULT_LIMITS } from '../../core/limits.ts'
import type { ProjectSource } from '../../core/types.ts'
import { readLabelledProjects } from '../flow/labelled.ts'
import { readExamples } from '../rules/examples.ts'
import { toSource } from '../scan-files.ts'
import { readSketches } from '../sketches/sketches.ts'

const ROOT = new URL('../../', import.meta.url).pathname
const DEFAULT_DATE = '2026-11-20'

/** Something to scan, by a name that is the same in every run. */
export interface Project {
  readonly name: string
  readonly date: string
  open(): ProjectSource
}

/** What the repository brings along: examples of rules, labelled projects, sketches, the folders of test/projects. */
export const SETS: readonly string[] = ['examples', 'labelled', 'sketches', 'projects']

/**
 * @param sets of `SETS`
 * @param folders each of them holds projects, one a folder or archive
 * @param targets projects: folders or archives
 */
export function* listProjects(
  sets: readonly string[],
  folders: readonly string[],
  targets: readonly string[],
): Generator<Project> {
  if (sets.includes('examples')) yield* listExamples()
  if (sets.includes('labelled'))
    for (const area of ['cap', 'ui5'])
      for (const { name, files } of readLabelledProjects(area)) yield fromFiles(`labelled ${name}`, files)
  if (sets.includes('sketches'))
    for (const area of ['cap', 'ui5'])
      for (const { name, files } of readSketches(area)) yield fromFiles(`sketch ${name}`, new Map([...files, ['README.md', '']]))
  if (sets.includes('projects'))
    for (const name of readdirSync(join(ROOT, 'test/projects')).sort())
      if (name !== 'flow') yield fromPath(`project ${name}`, join(ROOT, 'test/projects', name))
  for (const folder of folders)
    for (const name of readdirSync(folder).sort()) yield fromPath(`${basename(folder)} ${name}`, join(folder, name))
  for (const target of targets) yield fromPath(basename(target), target)
}

function* listExamples(): Generator<Project> {
  for (const path of readdirSync(join(ROOT, 'core/rules'), { recursive: true, encoding: 'utf8' }).sort()) {
    if (!path.endsWith('.md')) continue
    const [area = ''] = path.split('/')
    const id = `${area}/${basename(path, '.md')}`
    for (const { title, files, date } of readExamples(readFileSync(join(ROOT, 'core/rules', path), 'utf8'), id)) {
      // a file beside the folders, so that none of them is the one top folder that is left out
      yield { ...fromFiles(`example ${id}: ${title}`, new Map([...files, ['README.md', '']])), date: date ?? DEFAULT_DATE }
    }
  }
}

function fromFiles(name: string, files: ReadonlyMap<string, string>): Project {
  return { name, date: DEFAULT_DATE, open: () => toSource(files) }
}

function fromPath(name: string, target: string): Project {
  return { name, date: DEFAULT_DATE, open: () => openPath(target) }
}

function openPath(target: string): ProjectSource {
  const [path, name] = [realpathSync(target), basename(target)]
  const options = optionsOf(name, DEFAULT_DATE)
  if (statSync(path).isDirectory()) return openSource({ kind: 'directory', path, name }, options, { openDirectory })
  return openSource({ kind: 'archive', bytes: new Uint8Array(readFileSync(path)), name }, options, {})
}

/** The same options in every run. */
export function optionsOf(projectName: string, date: string): Parameters<typeof scan>[1] {
  return {
    scanId: '00000000-0000-7000-8000-000000000000',
    scannedAt: `${date}T12:00:00.000Z`,
    projectName,
    limits: DEFAULT_LIMITS,
    suppressions: true,
  }
}
