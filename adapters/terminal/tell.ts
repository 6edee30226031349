import { createTextMasker } from '../../core/index.ts'
import { cleanForTerminal } from './paint.ts'

/** Writes lines on standard error: what they quote of arguments, names and settings is harmless there, and no credential. */
export function tell(...lines: readonly string[]): void {
  const mask = createTextMasker()
  process.stderr.write(lines.map((line) => `${cleanForTerminal(mask(line))}\n`).join(''))
}
