import type { Log } from '../../../core/index.ts'
import type { Blobs } from './blobs.ts'
import type { Board } from './board.ts'
import type { Register } from './register.ts'

interface Swept {
  readonly register: Register
  readonly board: Board
  readonly blobs: Blobs
  readonly log: Log
}

const SWEEP_EVERY_MS = 10 * 60_000

/** What is younger may belong to somebody who is still at it: an archive that is written, an outcome that is fetched. */
const LEFT_BEHIND_MS = 10 * 60_000

const DAY_MS = 24 * 60 * 60_000

/** Removes now and then what processes left behind that were killed; of all workers one does. Gives how to stop. */
export function startSweeping(swept: Swept): () => void {
  const work = async (): Promise<void> => {
    try {
      if (await swept.register.mayStartSweep(SWEEP_EVERY_MS / 2000)) await sweep(swept, Date.now())
    } catch (error) {
      swept.log({ level: 'warn', event: 'sweep-failed', error })
    }
  }
  const timer = setInterval(() => void work(), SWEEP_EVERY_MS)
  timer.unref()
  void work()
  return () => clearInterval(timer)
}

/** `now`: milliseconds since 1970. Rejects while Redis or the storage of blobs is away. */
export async function sweep({ register, board, blobs, log }: Swept, now: number): Promise<void> {
  const old = now - LEFT_BEHIND_MS
  let removed = 0
  for (const blob of await register.oldBlobs(old)) {
    const found = await board.look(blob.id)
    // one that waits or runs needs its archive, and may be about to hand over its outcome
    if (found?.isEnded === false) continue
    await blobs.remove(blob)
    await register.dropBlob(blob)
    removed++
  }
  for (const space of await register.spaces()) {
    for (const id of await register.oldOpen(space, old)) {
      if ((await board.look(id))?.isEnded !== false) await register.close(id, space)
    }
    for (const id of await register.oldListed(space, now - DAY_MS)) {
      if ((await board.look(id)) === undefined) await register.unlist(id, space)
    }
  }
  if (removed > 0) log({ level: 'info', event: 'blobs-swept', removed })
}
