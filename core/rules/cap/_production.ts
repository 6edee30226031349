import type { CapRoot, Setting } from '../../model/cap/index.ts'

/** What a path is set to in production, once for each place. */
export function* productionSettings(root: CapRoot, ...path: string[]): Generator<Setting> {
  const seen = new Set<string>()
  for (const configuration of root.productive()) {
    const setting = configuration.value(...path)
    if (setting === undefined) continue
    const key = `${setting.place.file} ${setting.place.span?.start}`
    if (!seen.has(key)) yield setting
    seen.add(key)
  }
}

/** A key as its file spells it. */
export function keyIn({ place }: Setting, ...path: string[]): string {
  return [...(place.file.endsWith('package.json') ? ['cds'] : []), ...path].join('.')
}
