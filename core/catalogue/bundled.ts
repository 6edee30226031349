import { unpackLines } from './compact.ts'
import { CATALOGUE_DATE, CATALOGUE_LINES } from './snapshot.ts'
import type { CatalogueAnswer, CatalogueLine, CataloguePort } from './types.ts'

/** Answers from the bundled snapshot alone, on purpose: nothing is missing. */
export function createBundledCatalogue(): CataloguePort {
  const bundled = createBundledAnswer()
  return { overview: async () => bundled(true) }
}

/** The snapshot as an answer, read when it is first needed. */
export function createBundledAnswer(): (complete: boolean) => CatalogueAnswer {
  let lines: readonly CatalogueLine[] | undefined
  return (complete) => {
    lines ??= unpackLines(CATALOGUE_LINES)
    return { source: 'bundled', date: CATALOGUE_DATE, complete, lines }
  }
}
