import { pathOf } from '../../facts/paths.ts'
import type { ScriptFacts } from '../../facts/types.ts'
import type { CapRoot, CapService } from '../../model/cap/index.ts'

/** The implementation beside the service's file asks for a role of the caller. Needs the keyword `user.is`, and to keep what `asksForRoles`. */
export function isCheckedInCode({ files }: CapRoot, { place }: CapService): boolean {
  const base = place.file.replace(/\.cds$/i, '')
  return files.some(
    ({ path, content }) =>
      content.as === 'script' && (path === `${base}.js` || path === `${base}.ts`) && asksForRoles(content.facts),
  )
}

export function asksForRoles({ calls }: ScriptFacts): boolean {
  return calls.some(({ callee }) => pathOf(callee)?.slice(-2).join('.') === 'user.is')
}
