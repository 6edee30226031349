import { at, membersOf, stringOf, type DataNode } from '../../parse/data.ts'
import type { Span } from '../../types.ts'
import type { Ui5App } from './types.ts'

/** A model that the manifest of an app declares. */
export interface DeclaredModel extends Span {
  readonly name: string
  /** `backend`: other users write what it holds · `own`: files of the app, and what its scripts and controls put in · `texts`: nobody writes it. */
  readonly holds: 'backend' | 'own' | 'texts'
  /** Controls do not write back to it. */
  readonly isOneWay: boolean
}

/** Facts: descriptor for applications, `sap.ui5/models` and `sap.app/dataSources` (a data source without a type is OData). */
export function declaredModelsOf({ manifest }: Pick<Ui5App, 'manifest'>): DeclaredModel[] {
  const models = at(manifest?.root, 'sap.ui5', 'models')
  return membersOf(models).map(({ key, value }) => ({
    name: key,
    holds: whatHolds(manifest?.root, value),
    isOneWay: /One(?:Way|Time)$/.test(stringOf(at(value, 'settings', 'defaultBindingMode')) ?? ''),
    start: value.start,
    end: value.end,
  }))
}

/** A file of the app; whatever has a host or a path from the root is asked of a server. */
const OWN_FILE = /^(?!\/|[a-z]+:)[^?#]{1,300}\.(?:json|xml)$/i

function whatHolds(root: DataNode | undefined, model: DataNode): DeclaredModel['holds'] {
  const type = stringOf(at(model, 'type')) ?? ''
  if (type.endsWith('.ResourceModel')) return 'texts'
  const source = stringOf(at(model, 'dataSource'))
  const declared = source === undefined ? undefined : at(root, 'sap.app', 'dataSources', source)
  const uri = stringOf(at(model, 'uri')) ?? stringOf(at(declared, 'uri'))
  if (!/\.(?:JSON|XML)Model$/.test(type) && stringOf(at(declared, 'type')) !== 'JSON') return 'backend'
  // without an address it holds what scripts put into it
  return uri === undefined || OWN_FILE.test(uri) ? 'own' : 'backend'
}

/** Names of models that hold the texts of an app or what the device says, by a convention that all generators follow. */
const BY_CONVENTION = /i18n$|^device$/i

/** Whether nobody writes what a model holds. */
export function isConstantModel(name: string, declared: readonly DeclaredModel[]): boolean {
  const model = declared.find((one) => one.name === name)
  return model === undefined ? BY_CONVENTION.test(name) : model.holds === 'texts'
}
