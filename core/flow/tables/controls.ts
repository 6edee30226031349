import { CONTROL_TYPES } from './control-types.ts'
import { lastName } from '../../paths.ts'

/** A property whose text is read as markup. */
export interface MarkupProperty {
  readonly type: string
  readonly property: string
  /** The rule that reports data in it; none: the control sanitizes what it is given. */
  readonly fault?: string
  /** Only where this other property is true. */
  readonly when?: string
}

/**
 * Properties that hold what the user enters, by the type that has them first; a number, a date or a choice is no text. Facts: API reference of SAPUI5 1.136; what
 * derives from them stands in control-types.ts.
 */
export const INPUTS: ReadonlyMap<string, readonly string[]> = new Map([
  ['sap.m.InputBase', ['value']],
  ['sap.m.SearchField', ['value']],
  ['sap.m.FeedInput', ['value']],
  ['sap.ui.codeeditor.CodeEditor', ['value']],
  ['sap.ui.richtexteditor.RichTextEditor', ['value']],
  ['sap.ui.commons.TextField', ['value']],
  ['sap.ui.commons.TextArea', ['value']],
])

/** Types that check what is typed, or take a choice alone. */
const CONSTRAINED: ReadonlySet<string> = new Set([
  'sap.m.StepInput',
  'sap.m.NumericInput',
  'sap.m.internal.CustomNumericInput',
  'sap.m.DateTimeField',
])

/** Types whose value is a number, a date or a choice: events of theirs bring no text that somebody typed. Facts: API reference of SAPUI5 1.136. */
export const CHOICE_TYPES: ReadonlySet<string> = new Set(
  (
    'sap.m.StepInput sap.m.DatePicker sap.m.DateTimePicker sap.m.TimePicker sap.m.DateRangeSelection sap.m.TimePickerSliders sap.m.RatingIndicator sap.m.Slider sap.m.RangeSlider sap.m.Switch sap.m.CheckBox sap.m.RadioButton sap.m.RadioButtonGroup sap.m.Select ' +
    'sap.m.SegmentedButton sap.m.ToggleButton sap.m.Button sap.m.ProgressIndicator sap.m.ColorPalette sap.ui.unified.ColorPicker sap.ui.unified.Calendar sap.m.Table sap.m.List'
  ).split(' '),
)

/** Shows its content as markup. */
export const HTML_TYPE = 'sap.ui.core.HTML'

/** Facts: API of sap.ui.core.HTML, sap.m.FormattedText, sap.m.MessageStrip, sap.m.MessageItem, sap.ui.richtexteditor.RichTextEditor (1.136). */
export const MARKUP_PROPERTIES: readonly MarkupProperty[] = [
  { type: HTML_TYPE, property: 'content', fault: 'ui5/xss-html-control' },
  { type: 'sap.m.FormattedText', property: 'htmlText' },
  { type: 'sap.ui.richtexteditor.RichTextEditor', property: 'value' },
  { type: 'sap.m.MessageStrip', property: 'text', when: 'enableFormattedText' },
  { type: 'sap.m.MessageItem', property: 'description', when: 'markupDescription' },
  { type: 'sap.m.FeedListItem', property: 'text' },
]

/** What these rows say of a property of a control, by its type. */
export function markupRowsOf(
  of: string,
  name: string,
  properties: ReadonlyMap<string, { readonly value: string }>,
): readonly MarkupProperty[] {
  return MARKUP_PROPERTIES.filter(
    ({ type, property, when }) =>
      type === of && property === name && (when === undefined || properties.get(when)?.value.trim() === 'true'),
  )
}

/** Shows documents inside of the page where `isTrustedSource` is true. Fact: API of sap.m.PDFViewer (1.136). */
export const DOCUMENT_VIEWER = 'sap.m.PDFViewer'

/** A property that ends up in an `href` as it is. */
export interface AddressProperty {
  readonly type: string
  readonly property: string
  /** What has the control check the address. */
  readonly validated?: string
  /** What names the window that it opens in. */
  readonly target?: string
  /** The rule that reports it, if not that of links. */
  readonly fault?: string
}

const CONTROL_LIBRARIES: readonly string[] = [
  'sap.m',
  'sap.f',
  'sap.tnt',
  'sap.uxap',
  'sap.ui.commons',
  'sap.ui.layout',
  'sap.ui.table',
  'sap.ui.unified',
  'sap.ui.ux3',
  'sap.suite.ui.commons',
  'sap.suite.ui.microchart',
]
/** Of a library most classes of which are none. */
const CORE_CONTROLS: ReadonlySet<string> = new Set(
  'sap.ui.core.Item sap.ui.core.ListItem sap.ui.core.Title sap.ui.core.InvisibleText sap.ui.core.SeparatorItem'.split(' '),
)

/** Whether it is a control, or belongs to one: constructors of these parse each text of their settings as a binding. Fact: API of sap.ui.base.ManagedObject, applySettings and escapeSettingsValue (1.136). */
export function parsesSettings(type: string): boolean {
  const isClass = /^[A-Z]/.test(lastName(type))
  return CORE_CONTROLS.has(type) || (isClass && CONTROL_LIBRARIES.some((library) => type.startsWith(`${library}.`)))
}

/** Properties of controls that show a text. Fact: API reference of SAPUI5 1.136. */
export const SHOWN_PROPERTIES: ReadonlySet<string | undefined> = new Set(
  'text title subtitle subTitle description value label tooltip placeholder number numberUnit unit info intro sender header headerText footer footerText subheader titleText additionalText noDataText valueStateText'.split(
    ' ',
  ),
)

const LOADED = 'ui5/dynamic-module-name'

/** Facts: renderers of sap.m and sap.tnt (@openui5 1.136.0), links that QuickViewPage makes; of these Link alone has `validateUrl`. */
export const ADDRESS_PROPERTIES: readonly AddressProperty[] = [
  { type: 'sap.m.Link', property: 'href', validated: 'validateUrl', target: 'target' },
  { type: 'sap.m.ObjectHeader', property: 'titleHref', target: 'titleTarget' },
  { type: 'sap.m.GenericTile', property: 'url' },
  { type: 'sap.m.QuickViewPage', property: 'titleUrl' },
  { type: 'sap.m.QuickViewGroupElement', property: 'url' },
  { type: 'sap.tnt.NavigationListItem', property: 'href', target: 'target' },
  { type: 'sap.ui.commons.Link', property: 'href', target: 'target' },
]

/** The same of views, and what names code to load there: a component, the extension of a card. Facts: API reference of SAPUI5 1.136. */
export const VIEW_ADDRESSES: readonly AddressProperty[] = [
  ...ADDRESS_PROPERTIES,
  ...['name', 'url', 'manifest'].map((property) => ({ type: 'sap.ui.core.ComponentContainer', property, fault: LOADED })),
  ...['manifest', 'baseUrl'].map((property) => ({ type: 'sap.ui.integration.widgets.Card', property, fault: LOADED })),
]

const TYPES: ReadonlyMap<string, { readonly parent: string; readonly aggregation: string | undefined }> = new Map(
  CONTROL_TYPES.split('\n').map((line) => {
    const [type = '', parent = '', aggregation = ''] = line.split(' ')
    return [type, { parent, aggregation: aggregation === '-' ? undefined : aggregation }]
  }),
)

const MAX_PARENTS = 20

/** The properties of a type that hold what the user enters. */
export function inputsOf(type: string): readonly string[] {
  let here = type
  for (let count = 0; count < MAX_PARENTS && !CONSTRAINED.has(here); count++) {
    const own = INPUTS.get(here)
    if (own !== undefined) return own
    const parent = TYPES.get(here)?.parent
    if (parent === undefined || parent === '-') return []
    here = parent
  }
  return []
}

/** The aggregation that children without a named one belong to. */
export function defaultAggregationOf(type: string): string | undefined {
  return TYPES.get(type)?.aggregation
}

/** Controls that show what they are made with as markup, by their paths. */
export const MARKUP_CONTROLS: ReadonlySet<string> = new Set(['module:sap/ui/core/HTML', 'global:sap ui core HTML'])
/** Where modules of UI5 and its controls begin. */
export const UI5_MODULES = 'module:sap/'

/** Components of UI5 Web Components and elements of HTML whose value is a choice or a number, never a free text. Facts: API reference of UI5 Web Components 2. */
export const CONSTRAINED_COMPONENTS: ReadonlySet<string> = new Set(
  (
    'Select Slider RangeSlider Switch CheckBox RadioButton Button ToggleButton SegmentedButton SegmentedButtonItem SplitButton Menu MenuItem ColorPicker ColorPalette ColorPalettePopover ' +
    'FileUploader RatingIndicator StepInput Calendar ProgressIndicator BusyIndicator List ListItemStandard Tree TabContainer Icon Avatar Link Label ' +
    'select button option meter progress'
  ).split(' '),
)
