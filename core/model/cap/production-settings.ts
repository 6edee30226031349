import type { CapRoot, Setting } from './types.ts'

/** What a path is set to in production, once for each place. */
export function* productionSettings(root: CapRoot, ...path: string[]): Generator<Setting> {
  const seen = new Set<string>()
  for (const configuration of root.productive()) {
    const setting = configuration.value(...path)
    if (setting === undefined) continue
    const key = placeKey(setting)
    if (!seen.has(key)) yield setting
    seen.add(key)
  }
}

/** The same for two settings of one place. */
export function placeKey({ place }: Setting): string {
  return `${place.file} ${place.span?.start}`
}

/** Something deploys the root, or the setting itself says that it is for production: what else stands in no profile may be for one's own machine. */
export function isForProduction({ deployed }: CapRoot, { profile }: Setting): boolean {
  return deployed || profile === 'production'
}

/** A key as its file spells it; of a variable its name. */
export function keyIn({ place, variable }: Setting, ...path: string[]): string {
  return variable ?? [...(place.file.endsWith('package.json') ? ['cds'] : []), ...path].join('.')
}
