import { spawn, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'
import type { History } from '../../core/history.ts'
import { bundleForNode } from '../bundle.ts'

export interface Saver {
  readonly child: ChildProcess
  /** Acknowledged, by id; with the hash of both records. */
  readonly saved: Map<string, string>
  readonly removed: Set<string>
  readonly exit: Promise<unknown>
  readonly begun: Promise<unknown>
}

let saver: string | undefined

/** Starts a process that saves so many reports into a storage and removes every fifth (saver.ts). */
export function startSaver(place: string, count: number): Saver {
  saver ??= bundleForNode('test/node/saver.ts')
  const child = spawn(process.execPath, [saver, place, String(count)], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const saved = new Map<string, string>()
  const removed = new Set<string>()
  let text = ''
  child.stdout?.on('data', (chunk) => {
    const lines = (text + String(chunk)).split('\n')
    // the last may be half of one
    text = lines.pop() ?? ''
    for (const [word, id = '', hash = ''] of lines.map((line) => line.split(' '))) {
      if (word === 'saved') saved.set(id, hash)
      if (word === 'removing') removed.add(id)
    }
  })
  return {
    child,
    saved,
    removed,
    exit: once(child, 'close'),
    begun: child.stdout === null ? Promise.resolve() : once(child.stdout, 'data'),
  }
}

/** Of both records of a scan. */
export async function hashOf(history: History, id: string): Promise<string> {
  const [en, fr] = [await history.read(id, 'en'), await history.read(id, 'fr')]
  return createHash('sha256').update(en.bytes).update(fr.bytes).digest('hex')
}
