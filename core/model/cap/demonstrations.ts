import { foldersAround } from '../../paths.ts'
import type { NpmPackage } from '../npm/index.ts'
import type { CapElement, CapRoot } from './types.ts'

/** A folder or package that names itself a sample; `capire` is the scope of SAP's own ones. */
const NAMED = /(?:^|[^a-z])(?:samples?|demos?|tutorials?|templates?|capire)(?:$|[^a-z])/i

/** Whether a project says by its folder or by the name of a package around it that it is a sample, a demo, a tutorial or a template. */
export function isDemonstration(
  { root }: Pick<CapRoot, 'root'>,
  { byFolder }: { readonly byFolder: ReadonlyMap<string, Pick<NpmPackage, 'name'>> },
): boolean {
  return NAMED.test(root) || [root, ...foldersAround(root)].some((folder) => NAMED.test(byFolder.get(folder)?.name ?? ''))
}

/** Packages of SAP's samples (capire/samples, capire/incidents, capire/xflights); others keep the namespace of a template for data of their own. */
const SAMPLES =
  /^sap\.capire\.(?:bookshop|bookstore|books?|orders|reviews|common|media|fiori|incidents|s?flights?|xflights|travels?|suppliers)\./

/** Whether elements expose nothing but the sample model of CAP: books, authors, genres. */
export function isSampleModel(elements: readonly CapElement[]): boolean {
  const entities = elements.filter(({ kind }) => kind === 'entity')
  return entities.length > 0 && entities.every(({ source }) => SAMPLES.test(source?.name ?? ''))
}
