import type { Extract } from '../extracts/extract.ts'
import { APPROUTER_EXTRACTS } from './approuter/index.ts'
import { REACH_EXTRACTS, switchedBranches } from './reach/index.ts'
import { addressedVariables, askedPasswords, numericFields, passwordWords } from './script/index.ts'
import { UI5_EXTRACTS } from './ui5/index.ts'

/** What the models themselves ask of scripts, whatever rules there are. */
export const MODEL_EXTRACTS: readonly Extract[] = [
  ...UI5_EXTRACTS,
  ...APPROUTER_EXTRACTS,
  ...REACH_EXTRACTS,
  switchedBranches,
  addressedVariables,
  askedPasswords,
  passwordWords,
  numericFields,
]
