import type { CapRoot } from '../cap/index.ts'
import type { Application } from '../deployment/index.ts'

/** The CAP project that an application runs. */
export function capRootOf({ file, name }: Application, roots: readonly CapRoot[]): CapRoot | undefined {
  return roots.find(({ deployments }) => deployments.some((deployment) => deployment.file === file && deployment.name === name))
}
