/** Runs of a property test: the whole number with `SOAK=1` (npm run soak), a tenth otherwise. */
export function runs(whole: number): number {
  return process.env['SOAK'] === undefined ? Math.ceil(whole / 10) : whole
}
