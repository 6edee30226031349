import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished } from 'vitest'
import { logFaults } from '../../core/log.ts'
import { createDecisions } from '../../core/projects/decisions.ts'
import type { ExclusiveStorage } from '../../core/exclusive.ts'
import { bundleForNode } from '../bundle.ts'

export interface Decider {
  readonly child: ChildProcess
  /** The reasons of what was acknowledged, with their findings. */
  readonly accepted: Map<string, string>
  refused: number
  readonly exit: Promise<unknown>
}

let decider: string | undefined

/** Starts a process that decides so many times on so many findings (decider.ts). */
export function startDecider(place: string, count: number, findings: number): Decider {
  decider ??= bundleForNode('test/node/decider.ts')
  const child = spawn(process.execPath, [decider, place, String(count), String(findings)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const started: Decider = { child, accepted: new Map(), refused: 0, exit: once(child, 'close') }
  let text = ''
  child.stdout?.on('data', (chunk) => {
    const lines = (text + String(chunk)).split('\n')
    // the last may be half of one
    text = lines.pop() ?? ''
    for (const [word, id = '', , reason = ''] of lines.map((line) => line.split(' '))) {
      if (word === 'accepted') started.accepted.set(reason, id)
      if (word === 'refused') started.refused += 1
    }
  })
  return started
}

/** What was acknowledged is there, each once, for its finding; `beside`: decisions at most whose writer was killed before it told them. */
export async function expectKept(
  storage: ExclusiveStorage,
  accepted: ReadonlyMap<string, string>,
  beside: number,
): Promise<void> {
  const list = (await createDecisions(storage, logFaults, () => new Date()).read('project')).list()
  const kept = list.flatMap(({ findingId, decision, history }) =>
    [...(decision === undefined ? [] : [decision]), ...history].map(({ reason }) => [reason, findingId] as const),
  )
  const reasons = new Map(kept)
  expect(reasons.size).toBe(kept.length)
  for (const [reason, id] of accepted) expect([reason, reasons.get(reason)]).toEqual([reason, id])
  expect(kept.length - accepted.size).toBeGreaterThanOrEqual(0)
  expect(kept.length - accepted.size).toBeLessThanOrEqual(beside)
}
