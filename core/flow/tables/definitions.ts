/** Functions that make a view or fragment of a text. Facts: API of sap.ui.core.mvc.XMLView, View, sap.ui.core.Fragment; the deprecated functions of sap.ui (1.136). */
export const DEFINITIONS: ReadonlySet<string> = new Set([
  ...['XMLView', 'HTMLView', 'JSONView', 'View'].flatMap((name) => [
    `module:sap/ui/core/mvc/${name} create`,
    `global:sap ui core mvc ${name} create`,
  ]),
  'module:sap/ui/core/Fragment load',
  'global:sap ui core Fragment load',
  ...'xmlview htmlview jsonview view xmlfragment htmlfragment fragment'.split(' ').map((name) => `global:sap ui ${name}`),
])

/** The same by a method of any controller. */
export const DEFINITION_METHODS: ReadonlySet<string> = new Set(['loadFragment'])

/** The fields of their settings that hold the text. */
export const DEFINITION_FIELDS: readonly string[] = ['definition', 'viewContent', 'fragmentContent']
