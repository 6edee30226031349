/** What a render manager writes as it is, by its methods: the arguments that count. Facts: API of sap.ui.core.RenderManager (1.136); `unsafeHtml` of apiVersion 2 and 4. */
export const RAW_WRITES: ReadonlyMap<string, readonly number[]> = new Map([
  ['write', [0, 1, 2, 3]],
  ['writeAttribute', [1]],
  ['addStyle', [1]],
  ['addClass', [0]],
  ['unsafeHtml', [0]],
])

/** Attributes that are addresses, by the methods that write them encoded: encoding leaves `javascript:` as it is. */
export const ATTRIBUTE_WRITES: ReadonlySet<string> = new Set(['attr', 'writeAttributeEscaped'])
export const ADDRESS_ATTRIBUTE: RegExp = /^(?:href|src|action|formaction|data|xlink:href)$/i

/** A value of a style: encoded, but `url(…)` and more than one declaration are possible. */
export const STYLE_WRITE = 'style'

/** Names that parameters for a render manager have wherever UI5 is written. */
export const RENDER_MANAGER: RegExp = /^(?:o?rm|o?RenderManager)$/i

/** A type that UI5 checks with the grammar of RFC 3986, which any scheme fits. Fact: sap/ui/core/library (@openui5/sap.ui.core 1.136.0), `sap.ui.core.URI`. */
export const ADDRESS_TYPE = 'sap.ui.core.URI'
/** Attributes whose address is gone to by a click. */
export const CLICKED_ATTRIBUTE: RegExp = /^(?:href|action|formaction|xlink:href)$/i

/** Types of properties of controls that hold any text. All others are checked by UI5 when they are set: numbers, booleans, enumerations, CSSSize, URI. */
export const TEXT_TYPES: ReadonlySet<string> = new Set(['string', 'any', 'object', 'string[]', 'any[]', 'object[]', ''])
