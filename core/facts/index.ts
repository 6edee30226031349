/** The facts of scripts: what rules, models and the flow engine ask instead of syntax trees. */
export type * from './types.ts'
export { collectFacts } from './collect.ts'
export type { RelativeName } from './walk.ts'
export { functionAround, functionAt, toFunctionTable, type FunctionTable } from './function-table.ts'
export { accessOf, accessesOf, pathOf, pathsOf, type Access } from './paths.ts'
export { constantOf, type Constant } from './constants.ts'
export { isConstant, type Judge } from './is-constant.ts'
export { isNonText } from './casts.ts'
export { findOrigin, type Further, type Origin } from './origins.ts'
export {
  createGuardReader,
  fieldsFiltered,
  isChecked,
  isCheckedBy,
  isConditional,
  isOnTheWay,
  isFilteredByGuard,
  type Guarded,
} from './checks.ts'
export { isStrictPattern } from './regular-expressions.ts'
export { isOfFormAlone, isOfFormWith } from './form-checks.ts'
export { prototypesOf } from './prototypes.ts'
export { keyOf, keyOfName } from './keys.ts'
export { checkedFields, isAnswered, isAnsweredByFunctions, isExamined } from './predicates.ts'
export { asksLittle } from './weak-answers.ts'
export { createSpanIndex } from './span-index.ts'
export { directCall } from './direct-calls.ts'
export { asSum } from './joined.ts'
export { excerptOf } from './excerpt.ts'
export { directParts, fieldOf, findPart, keysOf, resolveValue, valuesOf } from './values.ts'
export { isHostChecked, isHostCheckedBy } from './host-checks.ts'
export { isPrefixChecked, isPrefixCheckedBy, mayClimb } from './prefix-checks.ts'
