import type { CatalogueAnswer } from '../catalogue/types.ts'
import { runningVersions, supportOf } from '../model/ui5/index.ts'
import type { Ui5App, VersionSupport } from '../model/ui5/index.ts'
import type { Locale, Localized } from '../types.ts'

/** One UI5 app as the report lists it; what is not known is left out. */
export interface Ui5AppRow {
  readonly id?: string
  readonly root: string
  readonly version?: string
  /** The file that says the version. */
  readonly versionSource?: string
  /** In the language of the report. */
  readonly support?: string
  /** Day that the catalogue is as of, where it judged the version. */
  readonly catalogueDate?: string
}

const WORDS: Localized<Readonly<Record<VersionSupport['state'] | 'until', string>>> = {
  en: { maintained: 'in maintenance', 'long-term': 'in long-term maintenance', ended: 'out of maintenance', until: 'until' },
  fr: { maintained: 'en maintenance', 'long-term': 'en maintenance longue durée', ended: 'hors maintenance', until: 'jusqu’au' },
}

/** The UI5 apps of a project, each with the version that it runs with and its support on a day (ISO 8601). */
export function listUi5Apps(
  apps: readonly Ui5App[],
  catalogue: CatalogueAnswer,
  day: string,
  locale: Locale,
  step: () => void,
): Ui5AppRow[] {
  return apps
    .filter(({ isUndeclared }) => !isUndeclared)
    .map(({ id, root, versions }) => {
      step()
      const source = runningVersions(versions)[0]
      const support = source && supportOf(source.version, catalogue, day)
      return {
        ...(id !== undefined && { id }),
        root,
        ...(source !== undefined && { version: source.version, versionSource: source.at.file }),
        ...(support !== undefined && { support: describe(support, locale), catalogueDate: catalogue.date }),
      }
    })
}

function describe({ state, ended }: VersionSupport, locale: Locale): string {
  const words = WORDS[locale]
  return state === 'ended' || ended === undefined ? words[state] : `${words[state]} ${words.until} ${ended}`
}
