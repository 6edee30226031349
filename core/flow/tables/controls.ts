/** What a control of UI5 does with its properties, as far as the data flow asks; each type has what its parent has. */
export interface ControlRow {
  readonly parent?: string
  /** Properties that hold what the user enters. */
  readonly input?: readonly string[]
  /** The aggregation that children without a named one belong to. */
  readonly aggregation?: string
}

/** A property whose text is read as markup. */
export interface MarkupProperty {
  readonly type: string
  readonly property: string
  /** The rule that reports data in it; none: the control sanitizes what it is given. */
  readonly fault?: string
  /** Only where this other property is true. */
  readonly when?: string
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

/** Facts: API of sap.ui.core.HTML, sap.m.FormattedText, sap.m.MessageStrip, sap.m.MessageItem, sap.ui.richtexteditor.RichTextEditor (1.136). */
export const MARKUP_PROPERTIES: readonly MarkupProperty[] = [
  { type: 'sap.ui.core.HTML', property: 'content', fault: 'ui5/xss-html-control' },
  { type: 'sap.m.FormattedText', property: 'htmlText' },
  { type: 'sap.ui.richtexteditor.RichTextEditor', property: 'value' },
  { type: 'sap.m.MessageStrip', property: 'text', when: 'enableFormattedText' },
  { type: 'sap.m.MessageItem', property: 'description', when: 'markupDescription' },
  { type: 'sap.m.FeedListItem', property: 'text' },
]

/** A property that ends up in an `href` as it is. */
export interface AddressProperty {
  readonly type: string
  readonly property: string
  /** What has the control check the address. */
  readonly validated?: string
}

/** Facts: renderers of sap.m.Link, ObjectHeader and GenericTile (@openui5/sap.m 1.136.0); of these Link alone has `validateUrl`. */
export const ADDRESS_PROPERTIES: readonly AddressProperty[] = [
  { type: 'sap.m.Link', property: 'href', validated: 'validateUrl' },
  { type: 'sap.m.ObjectHeader', property: 'titleHref' },
  { type: 'sap.m.GenericTile', property: 'url' },
]

/** The properties of a type that hold what the user enters. */
export function inputsOf(type: string): readonly string[] {
  const row = CONTROLS.get(type)
  if (row === undefined) return []
  return [...(row.input ?? []), ...(row.parent === undefined ? [] : inputsOf(row.parent))]
}
