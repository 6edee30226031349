import type { Node } from '../parse/javascript.ts'
import type { BindingBuilder, Walk } from './walk.ts'
import type { Value } from './types.ts'

/** Remembers the class that a value is asserted to be of, or a name declared: `node as NoteCard`, `card: NoteCard`. Types of the language and of the page are none of the project's. */
export function noteType({ types }: Pick<Walk, 'types'>, of: Value | BindingBuilder, written: Node | null | undefined): void {
  const type = written?.type === 'TSTypeAnnotation' ? written.typeAnnotation : written
  const name = type?.type === 'TSTypeReference' && type.typeName.type === 'Identifier' ? type.typeName.name : undefined
  if (name !== undefined && /^[A-Z]/.test(name) && !OF_LIBRARIES.test(name)) types.set(of, name)
}

const OF_LIBRARIES =
  /^(?:Promise|Record|Array|ReadonlyArray|Map|Set|Partial|Readonly|HTML\w*|Element|Node|Event|\w{1,40}Event|Error|Date|RegExp|Function|Object|String|Number|[A-Z])$/
