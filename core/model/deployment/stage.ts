import { fileNameOf } from '../../paths.ts'

const STAGES = 'dev|develop|development|test|tst|local|sandbox|qa|qas|ci'

/** In a file's name, `mta-dev.mtaext`; a folder has to be called so as a whole: `dev/`. */
const IN_NAME = new RegExp(`(?:^|[_.-])(?:${STAGES})(?=[_.-]|$)`, 'i')
/** The same without a mark between them, `mtaLOCAL.yaml`. */
const IN_CAPITALS = /[a-z](?:DEV|TEST|LOCAL|Dev|Test|Local)\.[a-z]{1,10}$/
const AS_FOLDER = new RegExp(`(?:^|/)(?:${STAGES})/`, 'i')

/** A compose file runs a project on a developer's machine unless its name says otherwise (Docker documentation, "Use Compose in production"). */
const COMPOSE = /(?:^|[-_.])compose(?:[-_.].{1,100})?\.ya?ml$/i
const PRODUCTIVE = /(?:^|[_.-])(?:prod|production|live|deploy|release)(?=[_.-]|$)/i

/** A landscape that is not the productive one, told by the path of its descriptor. */
export function isForTesting(path: string): boolean {
  const name = fileNameOf(path)
  return (COMPOSE.test(name) && !PRODUCTIVE.test(name)) || isNamedForTesting(path)
}

/** The same by the words of the path alone, `mta-dev.mtaext`, `dev/`: whatever kind of file it is. */
export function isNamedForTesting(path: string): boolean {
  const name = fileNameOf(path)
  return IN_NAME.test(name) || IN_CAPITALS.test(name) || AS_FOLDER.test(path)
}
