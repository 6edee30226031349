import { quarterEnd, quarterOf, sortPatches } from './lines.ts'
import type { CatalogueLine } from './types.ts'

const LETTERS = { maintenance: 'm', 'out-of-maintenance': 'o', skipped: 's' } as const
const RANGE = /^(\d{1,4})(?:\.\.(\d{1,4}))?(-[a-z0-9.-]{1,40})?$/

/** Lines as the snapshot holds them, one each: `1.108 ml Q4/2030 Q4/2031 0..54 0..41`, `-` for what is not known; the last column holds the patches that are removed. */
export function packLines(lines: readonly CatalogueLine[]): string {
  return lines
    .map(({ minor, support, longTerm, endOfMaintenance, endOfProvisioning, patches, removed = [] }) => {
      const days = [endOfMaintenance, endOfProvisioning].map((day) => (day === undefined ? '-' : quarterOf(day)))
      return [
        minor,
        LETTERS[support] + (longTerm ? 'l' : ''),
        ...days,
        packPatches(minor, patches) || '-',
        packPatches(minor, removed) || '-',
      ].join(' ')
    })
    .join('\n')
}

/** The reverse of `packLines`. Throws where the text is none of its own. */
export function unpackLines(packed: string): CatalogueLine[] {
  return packed.split('\n').map((row) => {
    const [minor, state = '', maintenance = '', provisioning = '', patches = '', gone = ''] = row.split(' ')
    const removed = sortPatches(unpackPatches(minor ?? '', gone))
    const support = supportOfLetter(state[0])
    if (minor === undefined || support === undefined) throw new Error(`not a line of the catalogue: ${row}`)
    return {
      minor,
      support,
      longTerm: state[1] === 'l',
      endOfMaintenance: quarterEnd(maintenance),
      endOfProvisioning: quarterEnd(provisioning),
      patches: sortPatches(unpackPatches(minor, patches)),
      ...(removed.length > 0 && { removed }),
    }
  })
}

function supportOfLetter(letter: string | undefined): CatalogueLine['support'] | undefined {
  switch (letter) {
    case 'm':
      return 'maintenance'
    case 'o':
      return 'out-of-maintenance'
    case 's':
      return 'skipped'
    default:
      return undefined
  }
}

function packPatches(minor: string, patches: readonly string[]): string {
  const tails = patches.map((patch) => patch.slice(minor.length + 1))
  const numbers = tails
    .filter((tail) => /^\d+$/.test(tail))
    .map(Number)
    .reverse()
  const ranges: string[] = []
  for (let at = 0; at < numbers.length;) {
    const first = numbers[at] ?? 0
    let last = first
    while (numbers[at + 1] === last + 1) {
      at++
      last++
    }
    ranges.push(first === last ? String(first) : `${first}..${last}`)
    at++
  }
  return [...ranges, ...tails.filter((tail) => !/^\d+$/.test(tail))].join(',')
}

function* unpackPatches(minor: string, packed: string): Generator<string> {
  for (const part of packed.split(',')) {
    const [, first, last, suffix = ''] = RANGE.exec(part) ?? []
    if (first === undefined) continue
    for (let number = Number(first); number <= Number(last ?? first); number++) yield `${minor}.${number}${suffix}`
  }
}
