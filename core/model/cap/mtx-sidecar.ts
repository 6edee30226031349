import { effectiveConfiguration } from './configuration.ts'
import type { CapRoot } from './types.ts'

/** The application beside the main one that manages tenants and their models: by its profile, or by its folder. */
export function isMtxSidecar(root: CapRoot): boolean {
  if (root.runtime === 'java') return false
  if (/(?:^|\/)mtx\/sidecar$/.test(root.root)) return true
  // profiles that hold for good are the same in each way to deploy it
  const [configuration = effectiveConfiguration(root, ['production'])] = root.productive()
  return configuration.profiles.includes('mtx-sidecar')
}
