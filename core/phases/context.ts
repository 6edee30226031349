import { functionAt, type FunctionTable } from '../facts/index.ts'
import type { FileContent } from '../files.ts'
import { definitionAt } from '../parse/cds/index.ts'
import { pointerAt } from '../parse/data.ts'
import { elementPathAt } from '../parse/markup.ts'

/** What encloses an offset of a file, as a fingerprint needs it: function, JSON pointer, element path or definition; '' where there is no tree. */
export function contextOf(content: FileContent, functions: FunctionTable | undefined): (offset: number) => string {
  return (offset) => {
    switch (content.as) {
      case 'data': {
        const root = content.roots.findLast(({ start }) => start <= offset) ?? content.roots[0]
        return root === undefined ? '' : pointerAt(root, offset)
      }
      case 'markup': {
        const path = elementPathAt(content.document, offset)
        return functions === undefined ? path : `${path} ${functionAt(functions, offset)}`
      }
      case 'cds':
        return definitionAt(content.document, offset)
      case 'sqlscript':
        return content.facts.routines.findLast(({ start }) => start <= offset)?.name ?? ''
      default:
        return functions === undefined ? '' : functionAt(functions, offset)
    }
  }
}
