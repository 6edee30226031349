import { effectiveConfiguration, profilesOf, type CapRoot, type Configuration, type Setting } from '../../model/cap/index.ts'

/** The configuration of each way in which a Node.js root is deployed, as it holds there; of one that nothing deploys, that of production. */
export function productionConfigurations(root: CapRoot): readonly Configuration[] {
  if (root.test || root.runtime === 'java') return []
  const deployments = root.deployments.length > 0 ? root.deployments.slice(0, 20) : [undefined]
  return (
    deployments
      .map((deployment) => deployment?.variables ?? [])
      // what runs as development is the finding of cap/auth-kind-non-production and btp/env-debug-or-dev
      .filter((variables) => profilesOf(variables).includes('production'))
      .map((variables) => effectiveConfiguration(root, profilesOf(variables), variables))
  )
}

/** What a path is set to in production, once for each place. */
export function* productionSettings(root: CapRoot, ...path: string[]): Generator<Setting> {
  const seen = new Set<string>()
  for (const configuration of productionConfigurations(root)) {
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
