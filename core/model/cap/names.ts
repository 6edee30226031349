import type { CdsDocument } from '../../parse/cds/types.ts'

/** What names in one file stand for. */
export interface CdsNames {
  /** The qualified name of what `path` means inside the block `scope` ('' or the namespace: outside of blocks). */
  resolve(path: string, scope: string): string
}

/**
 * Looks names up as the compiler does: the blocks around, from the inside out, then the file's own definitions and its usings; what is neither
 * is a qualified name already. Facts: capire, "Definition Language", name resolution; @sap/cds-compiler 6.9.5.
 */
export function createNames(document: CdsDocument): CdsNames {
  const aliases = new Map<string, string>()
  for (const { alias, path } of document.usings) if (alias !== undefined && path !== undefined) aliases.set(alias, path)
  const own = new Set<string>()
  for (const { name, scope } of document.definitions) own.add(firstStepBelow(scope, name))

  return {
    resolve(path, scope) {
      const dot = path.indexOf('.')
      const first = dot === -1 ? path : path.slice(0, dot)
      const rest = dot === -1 ? '' : path.slice(dot)
      for (let block = scope; block !== '' && block !== document.namespace; block = outer(block)) {
        const name = `${block}.${first}`
        if (own.has(name)) return name + rest
      }
      const alias = aliases.get(first)
      if (alias !== undefined) return alias + rest
      const name = document.namespace === '' ? first : `${document.namespace}.${first}`
      return own.has(name) ? name + rest : path
    },
  }
}

function outer(block: string): string {
  return block.slice(0, Math.max(0, block.lastIndexOf('.')))
}

/** `a.b.C` in block `a` is known there as `b`. */
function firstStepBelow(scope: string, name: string): string {
  const from = scope === '' ? 0 : scope.length + 1
  const dot = name.indexOf('.', from)
  return dot === -1 ? name : name.slice(0, dot)
}
