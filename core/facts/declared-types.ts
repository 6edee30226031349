import type { Node } from '../parse/javascript.ts'
import type { BindingBuilder, Walk } from './walk.ts'
import type { Value } from './types.ts'

/** Remembers the class that a value is asserted to be of, or a name declared: `node as NoteCard`, `card: NoteCard`. Types of the language and of the page are none of the project's. */
export function noteType({ types }: Pick<Walk, 'types'>, of: Value | BindingBuilder, written: Node | null | undefined): void {
  const type = written?.type === 'TSTypeAnnotation' ? written.typeAnnotation : written
  const name = type?.type === 'TSTypeReference' && type.typeName.type === 'Identifier' ? type.typeName.name : undefined
  if (name !== undefined && /^[A-Z]./.test(name) && !isOfLibrary(name)) types.set(of, name)
}

function isOfLibrary(name: string): boolean {
  return OF_LIBRARIES.has(name) || name.startsWith('HTML') || name.endsWith('Event')
}

const OF_LIBRARIES: ReadonlySet<string> = new Set(
  'Promise Record Array ReadonlyArray Map Set Partial Readonly Element Node Error Date RegExp Function Object String Number'.split(
    ' ',
  ),
)
