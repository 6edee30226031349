import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import * as z from 'zod'

export interface HealthWatch {
  /** Ends it, and gives the times of all requests in ms, ascending. Each got its answer, or this rejects. */
  stop(): Promise<readonly number[]>
}

/** Asks all the time, one request after the other, each on a socket of its own; in a thread of its own, because what a test does must not count. */
const WATCH = `
const { parentPort, workerData } = require('node:worker_threads')
const { get } = require('node:http')
const times = []
let going = true
const ask = () => {
  const begun = performance.now()
  get(workerData, { agent: false }, (answer) => {
    if (answer.statusCode !== 200) throw new Error('health: ' + answer.statusCode)
    answer.resume().on('end', () => {
      times.push(performance.now() - begun)
      if (going) setTimeout(ask, 10)
      else parentPort.postMessage(times)
    })
  })
}
parentPort.once('message', () => (going = false))
ask()
`

/** Watches the health of a service. Whoever is not answered makes `stop` reject. */
export function watchHealth(url: string): HealthWatch {
  const worker = new Worker(WATCH, { eval: true, workerData: `${url}/api/health` })
  const times = once(worker, 'message')
  times.catch(() => undefined)
  return {
    async stop() {
      worker.postMessage('stop')
      const [measured] = await times
      await worker.terminate()
      return z
        .array(z.number())
        .parse(measured)
        .toSorted((a, b) => a - b)
    },
  }
}

export const percentile = (ascending: readonly number[], share: number): number =>
  ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))] ?? 0
