import { parseScript, type Node, type ObjectExpression, type ObjectProperty } from '../../../core/parse/javascript.ts'

/** A compiled module of a rule in two parts, of which the second is loaded when a scan or a reader asks for it. */
export interface SplitModule {
  /** The module, with `ruleText` asked for the texts. */
  readonly code: string
  /** The module with the texts in the place of the rule; what the texts don't name is left out by the bundler. */
  readonly texts: string
  /** The name by which both export it. */
  readonly exported: string
}

/**
 * Takes the texts of both languages out of the compiled module of a rule: in `code` each language of `text` is a getter that asks `ruleText` for it by `index`, in
 * `texts` the exported constant is the value of `text`, with whatever the module declares for it. Undefined where the module exports no rule that has its texts in it.
 */
export function splitTexts(source: string, index: number): SplitModule | undefined {
  const found = ruleOf(source)
  if (found === undefined) return undefined
  const { text, call, name } = found
  const getters = `text: { get en() { return ruleText(${index}).en }, get fr() { return ruleText(${index}).fr } }`
  return {
    code: withoutIdleImports(replaceIn(source, placeOf(text), getters)),
    texts: replaceIn(source, placeOf(call), `(${sliceOf(source, placeOf(text.value))})`),
    exported: name,
  }
}

const IMPORT = /^import \{ ([^}]{1,500}) \} from '[^']{1,200}';?\n/gm

/** Without imports that the texts alone used: a bundler keeps a module for one whose statements may do something. */
function withoutIdleImports(code: string): string {
  return code.replaceAll(IMPORT, (line: string, names: string) => {
    const locals = names.split(',').map((name) => name.trim().split(' as ').at(-1) ?? '')
    return locals.some((name) => code.split(new RegExp(`\\b${name}\\b`)).length > 2) ? line : ''
  })
}

/** The call that defines the rule of a module, a constant at its top, and the property that has its texts. */
function ruleOf(source: string): { readonly call: Node; readonly text: ObjectProperty; readonly name: string } | undefined {
  for (const statement of parseScript(source, 'rule.mjs').program.body) {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : undefined
    if (declaration?.type !== 'VariableDeclaration') continue
    for (const { id, init } of declaration.declarations) {
      if (init?.type !== 'CallExpression' || init.callee.type !== 'Identifier' || init.callee.name !== 'defineRule') continue
      const [rule] = init.arguments
      const text = rule?.type === 'ObjectExpression' ? textOf(rule) : undefined
      if (text !== undefined && id.type === 'Identifier') return { call: init, text, name: id.name }
    }
  }
  return undefined
}

function textOf({ properties }: ObjectExpression): ObjectProperty | undefined {
  return properties.find(
    (property): property is ObjectProperty =>
      property.type === 'ObjectProperty' && property.key.type === 'Identifier' && property.key.name === 'text',
  )
}

interface Place {
  readonly start: number
  readonly end: number
}

/** Nodes of a parsed text have places. */
function placeOf({ start, end }: Node): Place {
  if (typeof start !== 'number' || typeof end !== 'number') throw new Error('a node without a place')
  return { start, end }
}

const sliceOf = (source: string, { start, end }: Place): string => source.slice(start, end)

const replaceIn = (source: string, { start, end }: Place, by: string): string => source.slice(0, start) + by + source.slice(end)
