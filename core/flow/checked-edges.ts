import type { CheckedValue } from './check-types.ts'
import type { Connect } from './joined-edges.ts'
import type { LinkedFile, Linker } from './links.ts'
import { CLEAN, COPY } from './types.ts'

/** Connects values with where they are read behind a call of another file's function: as they are, or as far as that has checked them. */
export function connectChecked(files: readonly LinkedFile[], bases: readonly number[], linker: Linker, connect: Connect): void {
  for (const [file, { flow }] of files.entries()) {
    const base = bases[file] ?? 0
    for (const value of flow.checked ?? []) {
      const cleans = cleansOf(value, file, files, linker)
      const [from, to] = [base + value.from, base + value.to]
      if (cleans === undefined) connect(from, to, COPY, '')
      else if (cleans.length > 0) connect(from, to, CLEAN, cleans.join(' '))
    }
  }
}

/** For which rules a value was checked, an empty list for all; undefined: nobody checks it. */
function cleansOf(
  { module, argument, form, isAwaited }: CheckedValue,
  file: number,
  files: readonly LinkedFile[],
  linker: Linker,
): readonly string[] | undefined {
  const called = linker.called(file, { result: -1, args: [], targets: [], module })
  const [found, ...others] = called.map(({ file: at, index }) =>
    files[at]?.flow.functions[index]?.checks?.find(
      // a promise is true, whatever it will give
      ({ parameter, form: own, path, isPromised }) =>
        parameter === argument && own === form && path === undefined && (isPromised !== true || isAwaited === true),
    ),
  )
  if (found === undefined || others.some((other) => other === undefined)) return undefined
  return found.cleans ?? []
}
