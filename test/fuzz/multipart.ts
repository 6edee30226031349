import { isDeepStrictEqual } from 'node:util'
import { isRefusal } from '../../core/errors.ts'
import { createPartsReader, parseMultipart, type Part } from '../../handlers/_multipart.ts'
import type { Chance } from '../hostile/mutate.ts'
import { mutateText, type FuzzTarget } from './targets.ts'

const FILE = 'Content-Disposition: form-data; name="project"; filename="a.zip"'
const SAMPLES: readonly string[] = [
  `--b\r\n${FILE}\r\nContent-Type: application/zip\r\n\r\nPK\r\n--bc\r\n\r\n--b\r\nContent-Disposition: form-data; name="projectName"\r\n\r\nShop\r\n--b--\r\n`,
  `text\r\n--b \t\r\n${FILE}; filename*=UTF-8''caf%C3%A9.zip\r\n\r\n\r\n--b--`,
  `--b\r\n\r\n\r\n--b\r\n${FILE}\r\n\r\n${'\r\n--'.repeat(40)}\r\n--b  --\r\n--b--`,
]

/** A body reads the same whole and in pieces, and never as anything but parts or a refusal. */
export const multipartTarget: FuzzTarget = {
  name: 'multipart',
  run(chance) {
    const body = new TextEncoder().encode(mutateText(SAMPLES, chance))
    const whole = settle(() => parseMultipart(body, 'b'))
    const inPieces = settle(() => parseInPieces(body, chance))
    if (!isDeepStrictEqual(inPieces, whole)) throw new Error('other parts in pieces than as a whole')
  },
}

function parseInPieces(body: Uint8Array, chance: Chance): Part[] {
  const reader = createPartsReader('b')
  const most = chance.pick([3, 40, 1000])
  for (let at = 0; at < body.byteLength; at += 1 + chance.below(most)) reader.arrived(body.slice(0, at))
  return reader.finish(body)
}

function settle(parse: () => Part[]): unknown {
  try {
    return parse()
  } catch (error) {
    if (!isRefusal(error)) throw error
    return error.details
  }
}
