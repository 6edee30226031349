import type { RouteTarget, WrappedExport } from '../types.ts'
import type { LinkedFile, LinkedFunction, Linker } from './links.ts'

/** The functions that the module of a target gives to a wrapper which it exports under its name: `exports.list = asyncHandler(async (req, res) => …)`. None where it exports none so. */
export function wrappedFunctions(
  from: number,
  module: RouteTarget['module'],
  files: readonly LinkedFile[],
  linker: Linker,
): readonly LinkedFunction[] {
  return wrappedExports(from, module, files, linker).flatMap(({ of, inner }) =>
    inner.flatMap((target) => targetFunctions(of, target, linker)),
  )
}

/** The same with the wrappers. */
export function functionsOfWrapped(
  from: number,
  module: RouteTarget['module'],
  files: readonly LinkedFile[],
  linker: Linker,
): readonly LinkedFunction[] {
  return wrappedExports(from, module, files, linker).flatMap(({ of, inner, by }) =>
    [...(by === undefined ? [] : [by]), ...inner].flatMap((target) => targetFunctions(of, target, linker)),
  )
}

function wrappedExports(
  from: number,
  module: RouteTarget['module'],
  files: readonly LinkedFile[],
  linker: Linker,
): readonly (WrappedExport & { readonly of: number })[] {
  const of = module && linker.fileOf(from, module.source)
  if (of === undefined) return []
  return (files[of]?.flow.server?.wrapped ?? []).flatMap((one) => (one.name === module?.name ? { ...one, of } : []))
}

/** The functions that a target is, in its own file or in another one. */
export function targetFunctions(from: number, target: RouteTarget, linker: Linker): readonly LinkedFunction[] {
  return linker.called(from, { result: -1, args: [], ...target })
}
