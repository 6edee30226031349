import { at, itemsOf, stringOf } from '../../parse/data.ts'
import type { CapRoot } from '../cap/index.ts'
import { providedNames, type Application, type Deployment, type MtaModule } from '../deployment/index.ts'
import { capRootOf } from './cap-root.ts'

/** The CAP projects that a destination of an approuter leads to, as far as the MTA says it. */
export function rootsBehind(
  destination: string,
  deployment: Pick<Deployment, 'mtas' | 'applications'>,
  roots: readonly CapRoot[],
): readonly CapRoot[] {
  return applicationsBehind(destination, deployment).flatMap((application) => capRootOf(application, roots) ?? [])
}

/** The same of a destination that the MTA keeps in the destination service, by the name of what a module provides: `URL: ~{srv-api/srv-url}`. Fact: SAP BTP, "MTA: destination". */
export function rootsBehindKept(
  destination: string,
  { mtas, applications }: Pick<Deployment, 'mtas' | 'applications'>,
  roots: readonly CapRoot[],
): readonly CapRoot[] {
  return mtas.flatMap((mta) => {
    const kept = [
      ...mta.resources.map(({ node }) => at(node, 'parameters', 'config', 'init_data')),
      ...mta.modules.map(({ node }) => at(node, 'parameters', 'content')),
    ].flatMap((node) => ['instance', 'subaccount'].flatMap((level) => itemsOf(at(node, level, 'destinations'))))
    const provided = new Set(
      kept.flatMap((item) => {
        const address = stringOf(at(item, 'Name')) === destination ? stringOf(at(item, 'URL')) : undefined
        return /^~\{([^/{}]{1,100})\//.exec(address ?? '')?.[1] ?? []
      }),
    )
    const modules = new Set(mta.modules.flatMap((module) => (provides(module, provided) ? module.name : [])))
    const leading = applications.filter(({ file, name }) => file === mta.file && modules.has(name ?? ''))
    return leading.flatMap((application) => capRootOf(application, roots) ?? [])
  })
}

/**
 * The applications that a destination of an approuter leads to, as far as the MTA says it: what a module requires in the group `destinations`, another one provides.
 * Fact: @sap/approuter 23.0.0 README, "Destinations"; SAP BTP, "MTA: group".
 */
export function applicationsBehind(
  destination: string,
  { mtas, applications }: Pick<Deployment, 'mtas' | 'applications'>,
): readonly Application[] {
  return mtas.flatMap((mta) => {
    const provided = new Set(
      mta.modules.flatMap(({ requires }) =>
        requires.flatMap(({ name, group, node }) => {
          const named = stringOf(at(node, 'properties', 'name')) ?? name
          return group === 'destinations' && named === destination ? name : []
        }),
      ),
    )
    const modules = new Set(mta.modules.flatMap((module) => (provides(module, provided) ? module.name : [])))
    return applications.filter((application) => application.file === mta.file && modules.has(application.name ?? ''))
  })
}

function provides({ node }: MtaModule, names: ReadonlySet<string>): boolean {
  return providedNames(node).some((name) => names.has(name))
}
