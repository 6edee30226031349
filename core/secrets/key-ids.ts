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
  const [, prefix] = ACCESS_KEY.exec(name.slice(name.lastIndexOf('.') + 1).slice(0, 100)) ?? []
  // of access tokens it is the key that signs them
  if (prefix === undefined || /(?:secret|jwt|token)[_-]?$/i.test(prefix)) return false
  countLook(budget, 2 * AROUND)
  const around = text.slice(Math.max(0, at - AROUND), at + AROUND)
  const own = plainOf(prefix)
  const secrets = new Set([`${own}secretkey`, `${own}secretaccesskey`])
  // the secret of something else has a name of its own: `SESSION_SECRET_KEY`
  return Array.from(around.matchAll(SECRET_KEY), ([whole]) => plainOf(whole)).some((one) => secrets.has(one))
}

const SECRET_KEY = /(?<![\w-])[\w-]{0,70}secret[_-]?(?:access[_-]?)?key(?![\w-])/gi

function plainOf(text: string): string {
  return text.toLowerCase().replaceAll(/[_-]/g, '')
}
