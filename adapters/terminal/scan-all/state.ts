import { appendFile, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { SEVERITIES, type Severity } from '../../../core/index.ts'

/** Which projects of a run are done: a line of JSON about the run, then one for each project, so that a process that is killed leaves all it finished. */
export const STATE_FILE = '.parapet-scan-all.jsonl'

const count = z.int().min(0)
const counts = z.object({ CRITICAL: count, HIGH: count, MEDIUM: count, LOW: count, INFO: count })

const head = z.strictObject({ parapet: z.literal('scan-all'), run: z.string() })
const doneProject = z.strictObject({
  path: z.string(),
  digest: z.string(),
  reports: z.array(z.string()),
  counts,
  complete: z.boolean(),
  duration: z.number().min(0),
})

export type SeverityCounts = Readonly<Record<Severity, number>>

/** A project whose reports are written. */
export type DoneProject = Readonly<z.infer<typeof doneProject>>

export function countBySeverity(summary: Readonly<Record<Lowercase<Severity>, number>>): SeverityCounts {
  const { critical: CRITICAL, high: HIGH, medium: MEDIUM, low: LOW, info: INFO } = summary
  return { CRITICAL, HIGH, MEDIUM, LOW, INFO }
}

export function sumAtLeast(found: SeverityCounts, severity: Severity): number {
  return SEVERITIES.slice(0, SEVERITIES.indexOf(severity) + 1).reduce((sum, one) => sum + found[one], 0)
}

/** What the state file says: `none` where there is no file, `unusable` where it is torn, of something else, or of a run with other settings. */
export type StoredState = ReadonlyMap<string, DoneProject> | 'none' | 'unusable'

/** Reads what an earlier run into the folder has done. `run`: what decides whether its reports are those of this run. */
export async function readState(folder: string, run: string): Promise<StoredState> {
  const text = await readFile(join(folder, STATE_FILE), 'utf8').catch((error: unknown) =>
    error instanceof Error && 'code' in error && error.code === 'ENOENT' ? undefined : '',
  )
  if (text === undefined) return 'none'
  const [first = '', ...lines] = text.split('\n')
  const header = head.safeParse(parse(first)).data
  // the last line has an end, or it is torn
  if (header?.run !== run || lines.pop() !== '') return 'unusable'
  const done = new Map<string, DoneProject>()
  for (const line of lines) {
    const project = doneProject.safeParse(parse(line)).data
    if (project === undefined) return 'unusable'
    done.set(project.path, project)
  }
  return done
}

export interface StateWriter {
  /** To be called after the reports of the project are in their places. */
  add(project: DoneProject): Promise<void>
}

/** Begins the state of a run with what is known already. */
export async function writeState(folder: string, run: string, known: Iterable<DoneProject>): Promise<StateWriter> {
  const file = join(folder, STATE_FILE)
  const lines = [{ parapet: 'scan-all', run }, ...known].map((line) => `${JSON.stringify(line)}\n`)
  await writeFile(`${file}.new`, lines.join(''))
  await rename(`${file}.new`, file)
  let last = Promise.resolve()
  return {
    add(project) {
      last = last.then(() => appendFile(file, `${JSON.stringify(project)}\n`))
      return last
    },
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
