import { parseCondition, type CdsExpression, type CdsPath, type CdsValue } from '../../parse/cds/index.ts'
import type { CapElement, CapRoot } from './types.ts'
import { lastName } from '../../paths.ts'

/** The `where` of a privilege: `empty` and `broken` ones are none; undefined: it can't be read. */
export type Condition = CdsExpression | 'empty' | 'broken'

export function conditionOf(where: CdsValue): Condition | undefined {
  if (where.kind === 'expression') return where.expression
  if (where.kind !== 'string') return undefined
  const text = String(where.value)
  if (text.trim() === '') return 'empty'
  const parsed = parseCondition(text)
  return parsed === 'unread' ? undefined : parsed
}

/** The elements that a condition names, without variables (`$user`), parameters and what the database knows by itself. */
export function elementPaths({ paths, text, start }: CdsExpression): { readonly path: string; readonly at: CdsPath }[] {
  return paths.flatMap((at) => {
    const name = at.base === undefined ? at.name : `${at.base}.${at.name}`
    const path = name.replace(/^\$(?:self|projection)\./, '')
    const isParameter = [':', '#', '@'].includes(text[at.start - start - 1] ?? '')
    return isParameter || at.name.startsWith('$') !== (path !== name) || /^current_/i.test(path) ? [] : [{ path, at }]
  })
}

/** Whether an entity lacks what a path names. What the compiler has checked already may be named as an entity below has it. */
export function isMissing(root: CapRoot, { qualified }: CapElement, path: string, isChecked: boolean): boolean {
  const chain = root.projected(qualified)
  const prefixes = chain.map((name) => `${lastName(name)}.`)
  const prefix = prefixes.find((one) => path.startsWith(one))
  const paths = prefix === undefined ? [path] : [path, path.slice(prefix.length)]
  const entities = isChecked ? chain : [qualified]
  return entities.length > 0 && entities.every((name) => paths.every((one) => root.lookUp(name, one) === 'missing'))
}
