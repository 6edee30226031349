import { accessesOf, constantOf, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'

/** A word of the code, and the variable of the environment in whose place it stands. */
interface RefusedWord {
  readonly value: Value & { readonly kind: 'literal'; readonly value: string }
  readonly variable?: string
}

/**
 * Tells the words with which a module does not start in production: `if (process.env.NODE_ENV === 'production' && secret === DEFAULT_SECRET) throw …`. Only what
 * the module itself does counts, which runs before it gives anything to others; a test there that leaves can only throw.
 */
export function createRefusedWordReader({ guards }: ScriptFacts): (word: RefusedWord) => boolean {
  let known: readonly (readonly Value[])[] | undefined
  return (word) => {
    known ??= guards.flatMap(({ test, exits, caughtAt, function: around }) => {
      const parts = exits && caughtAt === undefined && around.parent === undefined ? partsOf(test) : []
      return parts.some(asksForProduction) ? [parts] : []
    })
    return known.some((parts) => parts.every((part) => asksForProduction(part) || asksForWord(part, word)))
  }
}

/** The conditions that all have to hold. */
function partsOf(test: Value): readonly Value[] {
  return test.kind === 'choice' && test.isAnd === true ? test.options.flatMap(partsOf) : [test]
}

const STAGE = /^is_?prod(?:uction)?$/i

/** `process.env.NODE_ENV === 'production'`, `isProduction`. */
function asksForProduction(part: Value): boolean {
  if (part.kind === 'reference' || part.kind === 'member') return STAGE.test(lastNameOf(part) ?? '')
  return comparedIn(part).some((side) => side.kind === 'literal' && side.value === 'production')
}

/** `secret === DEFAULT_SECRET`, `!process.env.JWT_SECRET`. */
function asksForWord(part: Value, { value: { value: text }, variable }: RefusedWord): boolean {
  if (part.kind === 'operation' && part.operator === '!' && variable !== undefined)
    return part.operands.some((operand) =>
      accessesOf(operand).some(({ root, steps }) => root === 'global:process' && steps.join('.') === `env.${variable}`),
    )
  return comparedIn(part).some((side) => constantOf(side) === text)
}

function comparedIn(part: Value): readonly Value[] {
  return part.kind === 'operation' && /^===?$/.test(part.operator) ? part.operands : []
}
