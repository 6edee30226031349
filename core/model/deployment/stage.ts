const STAGES = 'dev|develop|development|test|tst|local|sandbox|qa|qas|ci'

/** In a file's name, `mta-dev.mtaext`; a folder has to be called so as a whole: `dev/`. */
const IN_NAME = new RegExp(`(?:^|[_.-])(?:${STAGES})(?=[_.-]|$)`, 'i')
const AS_FOLDER = new RegExp(`(?:^|/)(?:${STAGES})/`, 'i')

/** A landscape that is not the productive one, told by the path of its descriptor. */
export function isForTesting(path: string): boolean {
  return IN_NAME.test(path.slice(path.lastIndexOf('/') + 1)) || AS_FOLDER.test(path)
}
