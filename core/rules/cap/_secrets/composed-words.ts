import type { ProjectFile } from '../../../files.ts'
import { findComposeServices, isForTesting, isNamedForTesting } from '../../../model/deployment/index.ts'
import { stringOf } from '../../../parse/data.ts'
import type { Place } from '../../../types.ts'

/** A variable of the environment that a compose file sets to a word, always or by default: `JWT_SECRET: ${JWT_SECRET:-painting}`. */
export interface ComposedWord {
  readonly name: string
  readonly text: string
  readonly place: Place
  /** Its service runs in production, by its own NODE_ENV or by the name of the file. */
  readonly isProductive: boolean
}

/** Read beside the file that it is named after, on the machine of a developer. Fact: Docker documentation, "Merge Compose files". */
const OVERRIDES = /[_.-]override[_.-][^/]{0,100}$/i

/** Facts: Docker documentation, "Compose file reference" and "Interpolation": the text behind `:-` is the value where nothing else sets the variable. */
export function composedWords(
  files: ReadonlyMap<string, ProjectFile>,
  isAsked: (name: string) => boolean,
): readonly ComposedWord[] {
  const found: ComposedWord[] = []
  for (const { file, variables } of findComposeServices(files)) {
    const mode = variables.findLast(({ name }) => name === 'NODE_ENV')
    const isProductive = stringOf(mode?.value) === 'production' || !isForTesting(file)
    // a file for developers alone
    if (isNamedForTesting(file) || OVERRIDES.test(file)) continue
    for (const { name, value, place } of variables) {
      const text = stringOf(value) ?? ''
      if (isAsked(name) && /^[^<{$\s]{2,128}$/.test(text)) found.push({ name, text, place, isProductive })
    }
  }
  return found
}
