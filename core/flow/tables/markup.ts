/** Rules whose sinks read a text as markup: what encodes or sanitizes it is enough for them. */
export const MARKUP_FAULTS: readonly string[] = [
  'ui5/xss-html-control',
  'ui5/renderer-unsafe-output',
  'ui5/formatter-html',
  'ui5/xmlview-dynamic-definition',
]

/** Functions whose result is harmless as markup, by their last name. Facts: `sap/base/security/*`, `jQuery.sap.encode*`, DOMPurify. */
export const ENCODERS: ReadonlySet<string> = new Set(
  'encodeXML encodeHTML encodeJS encodeURL encodeURLParameters encodeCSS sanitizeHTML sanitize sanitizeWithPolicy encodeURIComponent escapeHtml escapeHTML'.split(
    ' ',
  ),
)

/** Where the encoders of UI5 live. */
export const ENCODER_MODULE: RegExp = /^(?:jQuery[./]sap|sap[./]base[./]security)[./]/

/** Functions of UI5 that put values into a text as they are. */
export const FORMATS_TEXT: RegExp = /^(?:jQuery\.sap|sap\.base\.strings)\.formatMessage$/

/** Methods that give ids and addresses of the app's own making. */
export const OWN_NAMES: ReadonlySet<string> = new Set(
  'createId getId uid byId getModulePath toUrl getResourcePath createElement getDomRef getPath'.split(' '),
)

/** Fields that models and contexts have of their own. Facts: sources of OpenUI5 1.136, sap.ui.model.odata.v2.ODataModel and Context. */
export const OWN_FIELDS: ReadonlySet<string> = new Set('sServiceUrl sDeepPath sCanonicalPath'.split(' '))

/** Types of bindings whose formatted text holds no markup. */
export const PLAIN_TYPE: RegExp =
  /(?:^|\.)(?:Integer|Float|Boolean|Currency|Unit|FileSize|Date|DateTime|DateTimeOffset|Time|TimeOfDay|DateInterval|Int16|Int32|Int64|Byte|SByte|Single|Double|Decimal|Guid)$/

/** `{i18n>status.`, `{path: 'i18n>status.`: a key behind it chooses one of the app's own texts. */
export const TEXT_KEY: { readonly before: RegExp; readonly cleans: readonly string[] } = {
  before: /\{(?:path: {0,5}['"])?[\w.-]{0,40}(?:i18n|resource)[\w.-]{0,40}>[\w./-]{0,200}$/i,
  cleans: ['ui5/xss-html-control'],
}
