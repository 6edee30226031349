/** What expressions repeat: parts of their own text, and what classes stand for. */
const COMMON = [
  'a',
  'A',
  '0',
  ' ',
  '\t',
  '\n',
  '"',
  "'",
  '/',
  '\\',
  '-',
  '.',
  ':',
  '=',
  '<',
  '#',
  '*',
  'a ',
  ' a',
  'a=',
  '*/',
  '" ',
]
const SIZE = 16_000
/** A linear expression takes microseconds for so much, one with bounded factors a few milliseconds. */
const SLOW_MS = 40

/** An input on which an expression takes far more than linear time; undefined: none was found. */
export function findSlowInput(source: string, flags: string): string | undefined {
  const expression = new RegExp(source, flags.includes('g') || flags.includes('y') ? flags : `${flags}g`)
  const words = [...new Set([...source.matchAll(/[A-Za-z0-9_]{1,20}/g)].map(([word]) => word))].slice(0, 8)
  for (const prefix of new Set(['', ...words.slice(0, 1)])) {
    for (const part of [...COMMON, ...words]) {
      for (const suffix of ['', '\u0000', '\n\u0000']) {
        const make = (size: number): string => prefix + part.repeat(Math.ceil(size / part.length)) + suffix
        if (isSlow(expression, make)) return JSON.stringify([prefix, part, suffix])
      }
    }
  }
  return undefined
}

/** The best of some runs counts: a machine that is busy is no expression that is slow. */
function isSlow(expression: RegExp, make: (size: number) => string): boolean {
  const whole = make(SIZE)
  let best = time(expression, whole)
  // what takes ten times as long is timed once more, to be sure; the rest as often as it takes
  for (let run = 0; run < (best > SLOW_MS * 10 ? 1 : 3) && best > SLOW_MS; run++) best = Math.min(best, time(expression, whole))
  if (best <= SLOW_MS) return false
  const half = make(SIZE / 2)
  return best / Math.min(time(expression, half), time(expression, half)) > 2.6
}

function time(expression: RegExp, text: string): number {
  const begun = performance.now()
  text.replace(expression, '')
  return performance.now() - begun
}
