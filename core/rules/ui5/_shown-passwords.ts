import { at, membersOf, stringOf } from '../../parse/data.ts'
import { lastName } from '../../paths.ts'
import type { Span } from '../../types.ts'
import { isPasswordName } from '../../model/script/index.ts'
import type { Ui5App } from '../../model/ui5/index.ts'

/** A control of a view that shows a property named like a password as it is. */
export interface ShownPassword {
  readonly file: string
  readonly at: Span
  /** Without its namespace: `Text`. */
  readonly control: string
  readonly name: string
  /** False: a field of a model itself, `{login>/password}`, as a form has it. */
  readonly isOfRow: boolean
}

/** Controls that show a value, and the property for it. */
const SHOWING: ReadonlyMap<string, string> = new Map([
  ['sap.m.Text', 'text'],
  ['sap.m.Label', 'text'],
  ['sap.m.ObjectAttribute', 'text'],
  ['sap.m.ObjectStatus', 'text'],
  ['sap.m.ObjectIdentifier', 'title'],
])
/** A path of data, as it is: `{password}`, `{login>password}`; not a text of a resource model, and nothing that a formatter or a type may mask. */
const OF_DATA =
  /^\{(?:(?!i18n|@|\w{0,20}(?:text|label|resource|msg|message|transl|error|state|valid|view|visib|lang|locale|bundle|dict))(\w{1,40})>)?((?:[\w/]{0,100}\/)?)(\w{1,60})\}$/i
/** What a model or a part of it tells about fields, and names of what is no value: `errors/password`, `noPassword`. */
const ABOUT_FIELDS = /(?:^|\/)\w{0,20}(?:error|state|valid|visib|message|label|text)\w{0,10}\//i
const OF_STATE = /^(?:no|has|is|show|hide|can|must)_?[A-Z]/

/** The names of the models of texts, however the manifest calls them. */
function textModels(manifest: Ui5App['manifest']): ReadonlySet<string> {
  const models = membersOf(at(manifest?.root, 'sap.ui5', 'models'))
  return new Set(models.flatMap(({ key, value }) => (stringOf(at(value, 'type'))?.endsWith('ResourceModel') === true ? key : [])))
}

/** Passwords of the data that views of an app show as a text. Facts: SAPUI5 API reference, sap.m.Text, Label, ObjectAttribute, ObjectStatus, ObjectIdentifier. */
export function* shownPasswords({ views, manifest }: Pick<Ui5App, 'views' | 'manifest'>): Generator<ShownPassword> {
  const texts = textModels(manifest)
  for (const { file, test, controls } of views)
    for (const { type, properties } of test ? [] : controls) {
      const shown = properties.get(SHOWING.get(type) ?? '')
      const [, model = '', path = '', name] = OF_DATA.exec(shown?.value ?? '') ?? []
      // the caption of a field
      if (properties.has('labelFor')) continue
      if (shown === undefined || name === undefined || !isPasswordName(name) || OF_STATE.test(name)) continue
      if (texts.has(model) || ABOUT_FIELDS.test(path) || properties.get('visible')?.value === 'false') continue
      yield { file, at: shown.at, control: lastName(type), name, isOfRow: path !== '/' }
    }
}
