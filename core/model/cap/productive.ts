import { effectiveConfiguration } from './configuration.ts'
import type { CapRoot, Configuration } from './types.ts'
import { profilesOf } from './environment.ts'

/** Descriptors of one root beyond that are not told apart. */
const MAX_DEPLOYMENTS = 20

/**
 * The configuration of each way in which a Node.js root is deployed, as it holds there; of one that nothing deploys, that of production.
 * What runs in another profile is left out. Made once, on first use.
 */
export function productiveConfigurations(root: Omit<CapRoot, 'productive'>): () => readonly Configuration[] {
  let made: readonly Configuration[] | undefined
  return () => (made ??= make(root))
}

function make(root: Omit<CapRoot, 'productive'>): readonly Configuration[] {
  if (root.test || root.runtime === 'java') return []
  if (root.deployments.length === 0) return [effectiveConfiguration(root, ['production'])]
  const configurations: Configuration[] = []
  let plain: Configuration | undefined
  for (const { variables } of root.deployments.slice(0, MAX_DEPLOYMENTS)) {
    const profiles = profilesOf(variables)
    if (!profiles.includes('production')) continue
    if (profiles.length > 1 || variables.some(({ name }) => /^cds[._]/i.test(name))) {
      configurations.push(effectiveConfiguration(root, profiles, variables))
    } else if (plain === undefined) configurations.push((plain = effectiveConfiguration(root, profiles)))
  }
  return configurations
}
