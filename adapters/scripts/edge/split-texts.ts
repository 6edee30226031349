import {
  parseScript,
  type Expression,
  type Node,
  type ObjectExpression,
  type ObjectProperty,
} from '../../../core/parse/javascript.ts'

/** A text longer than this pays for the getter that stands in its place. */
const SHORT = 20

/** A module whose texts are loaded later, in the order of their places in `code`. */
export interface SplitModule {
  readonly code: string
  readonly texts: readonly string[]
}

/** A text to be taken out: the property that has it, and its value. */
interface Cut {
  readonly property: Place
  readonly name: string
  readonly value: Place
}

interface Place {
  readonly start: number
  readonly end: number
}

/**
 * Takes the texts of both languages out of the rules of a compiled module: each literal below `text` of a `defineRule` becomes a getter that asks `ruleText` for it
 * by its number, counted from `first`. What is put together of other names stays. Undefined where nothing is to be taken out.
 */
export function splitTexts(source: string, first: number): SplitModule | undefined {
  const cuts = rulesOf(source)
    .flatMap((rule) => {
      const text = propertyOf(rule, 'text')?.value
      if (text?.type !== 'ObjectExpression') return []
      return namedProperties(text).flatMap(([language, name]) => cutsOf(language, name))
    })
    .sort((a, b) => a.property.start - b.property.start)
  if (cuts.length === 0) return undefined
  let code = ''
  let at = 0
  for (const [index, { property, name }] of cuts.entries()) {
    code += `${source.slice(at, property.start)}get ${name}() { return ruleText(${first + index}) }`
    at = property.end
  }
  return { code: code + source.slice(at), texts: cuts.map(({ value }) => source.slice(value.start, value.end)) }
}

/** What the rules of a module are defined with: each is a constant at its top. */
function rulesOf(source: string): readonly ObjectExpression[] {
  return parseScript(source, 'rule.mjs').program.body.flatMap((statement) => {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (declaration?.type !== 'VariableDeclaration') return []
    return declaration.declarations.flatMap(({ init }) => {
      if (init?.type !== 'CallExpression' || init.callee.type !== 'Identifier' || init.callee.name !== 'defineRule') return []
      const [rule] = init.arguments
      return rule?.type === 'ObjectExpression' ? [rule] : []
    })
  })
}

function cutsOf(property: ObjectProperty, name: string): readonly Cut[] {
  const { value } = property
  const place = placeOf(value)
  if (isLiteral(value)) return place.end - place.start > SHORT ? [{ property: placeOf(property), name, value: place }] : []
  return value.type === 'ObjectExpression' ? namedProperties(value).flatMap(([inner, key]) => cutsOf(inner, key)) : []
}

/** Nodes of a parsed text have places. */
function placeOf({ start, end }: Node): Place {
  if (typeof start !== 'number' || typeof end !== 'number') throw new Error('a node without a place')
  return { start, end }
}

/** Its properties, each by its name as code. */
function namedProperties({ properties }: ObjectExpression): readonly (readonly [ObjectProperty, string])[] {
  return properties.flatMap((property) => {
    if (property.type !== 'ObjectProperty' || property.computed || property.shorthand) return []
    const { key } = property
    if (key.type === 'Identifier') return [[property, key.name] as const]
    return key.type === 'StringLiteral' ? [[property, JSON.stringify(key.value)] as const] : []
  })
}

const propertyOf = (node: ObjectExpression, name: string): ObjectProperty | undefined =>
  namedProperties(node).find(([, key]) => key === name)?.[0]

/** What means the same wherever it stands. */
function isLiteral(node: ObjectProperty['value'] | Expression): boolean {
  if (node.type === 'StringLiteral') return true
  if (node.type === 'TemplateLiteral') return node.expressions.length === 0
  if (node.type === 'BinaryExpression')
    return node.operator === '+' && node.left.type !== 'PrivateName' && isLiteral(node.left) && isLiteral(node.right)
  if (node.type !== 'ObjectExpression') return false
  const named = namedProperties(node)
  return named.length === node.properties.length && named.every(([{ value }]) => isLiteral(value))
}
