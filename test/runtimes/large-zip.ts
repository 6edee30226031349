import { randomBytes } from 'node:crypto'
import { strToU8, zipSync } from 'fflate'
import { SHOP } from '../runners/projects.ts'

/** The sample project with a picture that no deflate makes smaller: as much as an edge runtime takes, and nothing more. */
export function largeZip(): Uint8Array {
  const files = Object.fromEntries(Object.entries(SHOP).map(([path, text]) => [path, strToU8(text)]))
  return zipSync({ ...files, 'webapp/img/large.png': [new Uint8Array(randomBytes(20 * 1024 * 1024 - 64 * 1024)), { level: 0 }] })
}
