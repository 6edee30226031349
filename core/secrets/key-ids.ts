import type { Budget } from '../budget.ts'
import { countLook } from './layers.ts'

/** How far from an access key its secret key is looked for. */
const AROUND = 1500
const ACCESS_KEY = /^(.{0,60}?)access[_-]?key(?:[_-]?id)?$/i

/**
 * Whether a value is the ID of a pair, whose secret stands beside it under the same prefix: `QUEUE_ACCESS_KEY` beside `QUEUE_SECRET_KEY`. It names the key and opens nothing.
 * Facts: AWS, Scaleway, Alibaba Cloud and MinIO, documentation of access keys (an ID and a secret).
 */
export function isIdOfPair(name: string, text: string, at: number, budget: Budget): boolean {
  const [, prefix] = ACCESS_KEY.exec(name.slice(0, 100)) ?? []
  if (prefix === undefined || /secret[_-]?$/i.test(prefix)) return false
  countLook(budget, 2 * AROUND)
  const around = plainOf(text.slice(Math.max(0, at - AROUND), at + AROUND))
  const own = plainOf(prefix)
  return around.includes(`${own}secretkey`) || around.includes(`${own}secretaccesskey`)
}

function plainOf(text: string): string {
  return text.toLowerCase().replaceAll(/[_-]/g, '')
}
