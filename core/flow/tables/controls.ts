/** What a control of UI5 does with its properties, as far as the data flow asks; each type has what its parent has. */
export interface ControlRow {
  readonly parent?: string
  /** Properties that hold what the user enters. */
  readonly input?: readonly string[]
  /** The aggregation that children without a named one belong to. */
  readonly aggregation?: string
}

/** A property that must not get data of others. */
export interface ControlSinkRow {
  readonly fault: string
  readonly type: string
  readonly property: string
}

export const CONTROLS: ReadonlyMap<string, ControlRow> = new Map<string, ControlRow>([
  ['sap.m.InputBase', { input: ['value'] }],
  ['sap.m.Input', { parent: 'sap.m.InputBase' }],
  ['sap.m.TextArea', { parent: 'sap.m.InputBase' }],
  ['sap.m.ComboBox', { parent: 'sap.m.InputBase' }],
  ['sap.m.MultiComboBox', { parent: 'sap.m.InputBase' }],
  ['sap.m.MultiInput', { parent: 'sap.m.Input' }],
  ['sap.m.MaskInput', { parent: 'sap.m.InputBase' }],
  ['sap.m.DatePicker', { parent: 'sap.m.InputBase' }],
  ['sap.m.SearchField', { input: ['value'] }],
  ['sap.m.FeedInput', { input: ['value'] }],
  ['sap.ui.codeeditor.CodeEditor', { input: ['value'] }],
  ['sap.ui.richtexteditor.RichTextEditor', { input: ['value'] }],
  ['sap.ui.commons.TextField', { input: ['value'] }],
  ['sap.ui.commons.TextArea', { parent: 'sap.ui.commons.TextField' }],
])

export const CONTROL_SINKS: readonly ControlSinkRow[] = [
  { fault: 'ui5/xss-html-control', type: 'sap.ui.core.HTML', property: 'content' },
]
