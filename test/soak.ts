/**
 * Runs of a property test: the whole number with `SOAK=1` (npm run soak), a tenth otherwise; a smaller share where each run is a whole scan.
 */
export function runs(whole: number, share = 10): number {
  return process.env['SOAK'] === undefined ? Math.ceil(whole / share) : whole
}
