/** The facts of scripts: what rules, models and the flow engine ask instead of syntax trees. */
export type * from './types.ts'
export { collectFacts } from './collect.ts'
export type { RelativeName } from './walk.ts'
export { createCodeReader, functionAround, functionAt, toFunctionTable, type FunctionTable } from './function-table.ts'
export { accessOf, accessesOf, importedNames, isOfPackage, pathOf, pathsOf, type Access, type ImportedName } from './paths.ts'
export { constantOf, isNullish, stringConstantOf, type Constant } from './constants.ts'
export { isConstant, type Judge } from './is-constant.ts'
export { isNonText } from './casts.ts'
export { findOrigin, type Further, type Origin } from './origins.ts'
export { createGuardReader, isConditional, isOnTheWay, type Guarded } from './guards.ts'
export { isStrictPattern } from './regular-expressions.ts'
export { MAY_HOLD_PROTOTYPES, prototypesOf } from './prototypes.ts'
export { declarationOf, declaredIn, keyOf, keyOfName } from './keys.ts'
export { createSpanIndex } from './span-index.ts'
export { directCall } from './direct-calls.ts'
export { asSum } from './joined.ts'
export { excerptOf } from './excerpt.ts'
export {
  beginningOf,
  calleeOf,
  chainBack,
  directParts,
  fieldOf,
  findPart,
  keysOf,
  methodsBack,
  resolveValue,
  valuesOf,
} from './values.ts'
