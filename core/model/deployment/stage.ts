/** A landscape that is not the productive one, told by the names of its files: `dev.mtaext`, `manifest-test.yml`. */
export function isForTesting(path: string): boolean {
  return /(?:^|[/_.-])(?:dev|development|test|tst|local|sandbox|qa|demo)(?=[/_.-]|$)/i.test(path)
}
