import * as z from 'zod'
import type { CatalogueDetail, CatalogueOverview } from './types.ts'

// what a document leaves out, or gives as null, is the empty value of its type; what more it says passes through
const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '')
const texts = z
  .array(z.string())
  .nullish()
  .transform((value) => value ?? [])
const flag = z
  .boolean()
  .nullish()
  .transform((value) => value ?? false)
const anything = z
  .unknown()
  .nullish()
  .transform((value) => value ?? {})
const members = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((value) => value ?? {})

const overview = z.record(z.string(), z.looseObject({ version: text, support: text, lts: flag }))

const build = { name: text, version: text, buildTimestamp: text, scmRevision: text, gav: text }

const library = z.looseObject({
  ...build,
  npmPackageName: text,
  themes: texts,
  patchHistory: texts,
  vendor: text,
  copyright: text,
  documentation: text,
  appData: anything,
})

const component = z.looseObject({
  hasOwnPreload: flag,
  library: text,
  manifestHints: z
    .looseObject({
      dependencies: z
        .looseObject({ libs: members })
        .nullish()
        .transform((value) => value ?? { libs: {} }),
    })
    .nullish()
    .transform((value) => value ?? { dependencies: { libs: {} } }),
})

const detail = z.looseObject({
  ...build,
  libraries: z
    .array(library)
    .nullish()
    .transform((value) => value ?? []),
  components: z
    .record(z.string(), component)
    .nullish()
    .transform((value) => value ?? {}),
  themes: z
    .array(z.looseObject({ name: text, libraries: texts }))
    .nullish()
    .transform((value) => value ?? []),
  supportedThemes: texts,
})

/** `version.json`; undefined where it has another shape, or no version at all. */
export function readOverview(document: unknown): CatalogueOverview | undefined {
  const { data } = overview.safeParse(document)
  return data !== undefined && Object.keys(data).length > 0 ? data : undefined
}

/** `sap-ui-version.json` of a distribution; undefined where it has another shape. */
export function readDetail(document: unknown): CatalogueDetail | undefined {
  return detail.safeParse(document).data
}
