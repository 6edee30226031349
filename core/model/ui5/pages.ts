import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { Scripts } from '../../extracts/scripts.ts'
import type { ProjectFile } from '../../files.ts'
import { booleanOf, itemsOf, membersOf, stringOf } from '../../parse/data.ts'
import type { DataNode } from '../../parse/data.ts'
import { ParseFailure } from '../../parse/failure.ts'
import { parseJson } from '../../parse/json.ts'
import { attributeOf, elementsOf } from '../../parse/markup.ts'
import type { MarkupDocument, MarkupElement } from '../../parse/markup.ts'
import { isHyphenated, readConfig, readConfigAttribute, readInlineConfig, toHyphens, toSettingName } from './bootstrap-script.ts'
import { resolvePath } from '../../paths.ts'
import type { Bootstrap, BootstrapSetting, PlainPage, Ui5App, Ui5Page } from './types.ts'

const CORE = /(?:^|\/)sap-ui-(?:core|boot|integration|full|custom|merged|cachebuster)[a-z-]{0,40}\.js(?:[?#]|$)/iu
const SANDBOX = /(?:^|\/)ushell\/bootstrap\/sandbox/u
/** Pages by whose name nobody runs them in production. */
const TEST_PAGE =
  /(?:^|\/)(?:testsuite|localindex|flp|mock)[^/]{0,60}\.html?$|\.qunit\.html?$|[^/]{1,60}mock(?:server|data)?\.html?$/iu
const ATTRIBUTE = 'data-sap-ui-'
const META = 'sap-ui-'
const CONFIG_ATTRIBUTE = `${ATTRIBUTE}config`

/** Settings of UI5 that a script of its own makes. */
export const scriptSettings: Extract<BootstrapSetting> = defineExtract({
  name: 'ui5-bootstrap-settings',
  keywords: ['sap-ui-config'],
  inTests: true,
  collect: ({ path, facts }) => readConfig(path, facts, 0),
})

/**
 * An HTML file to the page that boots UI5; undefined where it boots nothing. `allScripts`: where the settings of its scripts are looked up;
 * `isServed`: whether an approuter serves the file to users, who then work in the sandbox launchpad that it may load.
 */
export function toPage(file: ProjectFile, allScripts: Scripts, isServed: (path: string) => boolean): Ui5Page | undefined {
  if (file.kind.language !== 'html' || file.content.as !== 'markup') return undefined
  const { document } = file.content
  const scripts = [...elementsOf(document)].filter((element) => element.name === 'script')
  const boot =
    scripts.find((script) => attributeOf(script, 'id')?.value === 'sap-ui-bootstrap') ??
    scripts.find((script) => CORE.test(srcOf(script)))
  if (boot === undefined) return undefined
  const sandbox = scripts.some((script) => SANDBOX.test(srcOf(script)))
  const test = file.kind.test || TEST_PAGE.test(file.path) || (sandbox && !isServed(file.path))
  return { file: file.path, test, sandbox, bootstrap: toBootstrap(file.path, document, scripts, boot, allScripts), document }
}

/** An HTML file that boots nothing, as a page beside the app. */
export function toPlainPage({ path, kind, content, scope }: ProjectFile): PlainPage | undefined {
  if (
    kind.language !== 'html' ||
    (kind.role !== undefined && kind.role !== 'page-template') ||
    scope !== 'all' ||
    content.as !== 'markup'
  )
    return undefined
  return { file: path, test: kind.test || TEST_PAGE.test(path), document: content.document }
}

/** Pages that lie in no app, such as those that CAP serves from `app` though they boot no UI5. */
export function* pagesOutside(apps: readonly Ui5App[], files: ReadonlyMap<string, ProjectFile>): Generator<PlainPage> {
  const roots = apps.map(({ root }) => (root === '' ? '' : `${root}/`))
  for (const file of files.values()) {
    const page = roots.some((root) => file.path.startsWith(root)) ? undefined : toPlainPage(file)
    if (page !== undefined) yield page
  }
}

function toBootstrap(
  file: string,
  document: MarkupDocument,
  scripts: readonly MarkupElement[],
  boot: MarkupElement,
  allScripts: Scripts,
): Bootstrap {
  const src = attributeOf(boot, 'src')
  return {
    at: { file, span: boot.startTag },
    src: src && { value: src.value.trim(), at: { file, span: src.valueSpan } },
    // UI5 merges them in this order: the global object (with the attribute that adds to it), the attributes, the meta tags
    settings: [
      ...scripts.flatMap((script) => settingsByScript(file, script, allScripts)),
      ...configSettings(file, boot),
      ...attributeSettings(file, boot),
      ...metaSettings(file, document),
    ],
    ignored: [],
  }
}

/**
 * The first line that reads names with hyphens. Facts: @openui5/sap.ui.core 1.71.0 to 1.119.0 (jquery.sap.global.js, _ConfigurationProvider.js) put the
 * name of an attribute or field in lower case and look up `frameoptions`; 1.120.0 (ui5loader-autoconfig.js) puts it in camel case.
 */
const FIRST_WITH_HYPHENS = 120

/** The page as a UI5 line reads its settings; undefined: the line is not known, so nothing is left out. */
export function asReadBy(page: Ui5Page, minor: number | undefined): Ui5Page {
  const { settings } = page.bootstrap
  if (minor === undefined || minor >= FIRST_WITH_HYPHENS || !settings.some(({ hyphenated }) => hyphenated)) return page
  const bootstrap = {
    ...page.bootstrap,
    settings: settings.filter(({ hyphenated }) => !hyphenated),
    ignored: settings.filter(({ hyphenated }) => hyphenated),
  }
  return { ...page, bootstrap }
}

function settingsByScript(file: string, script: MarkupElement, allScripts: Scripts): readonly BootstrapSetting[] {
  if (attributeOf(script, 'src') === undefined) return script.texts.flatMap((text) => readInlineConfig(file, text))
  const target = resolvePath(file, srcOf(script))
  return target === undefined ? [] : allScripts.of(target, scriptSettings)
}

/** Facts: ui5loader-autoconfig.js (@openui5/sap.ui.core 1.136.0): `data-sap-ui-config` is merged into `window["sap-ui-config"]`. */
function configSettings(file: string, boot: MarkupElement): BootstrapSetting[] {
  const config = attributeOf(boot, CONFIG_ATTRIBUTE)
  if (config === undefined) return []
  const { value, valueSpan } = config
  const settings = readConfigAttribute(file, value, valueSpan.start)
  // entities make the text shorter than what is written
  const isPlain = valueSpan.end - valueSpan.start === value.length
  return isPlain ? settings : settings.map((setting) => ({ ...setting, at: { file, span: valueSpan } }))
}

function attributeSettings(file: string, boot: MarkupElement): BootstrapSetting[] {
  return boot.attributes.flatMap(({ name, value, valueSpan, start, end }): BootstrapSetting[] => {
    if (!name.startsWith(ATTRIBUTE)) return []
    const span = valueSpan.start === valueSpan.end ? { start, end } : valueSpan
    const written = name.slice(ATTRIBUTE.length)
    const setting = {
      name: toSettingName(written),
      value: value.trim(),
      from: 'attribute',
      ...(isHyphenated(written) && { hyphenated: true }),
      at: { file, span },
    } as const
    return setting.name === 'frameoptionsconfig' ? [setting, ...nestedSettings(setting)] : [setting]
  })
}

/** The members of an object that an attribute holds as JSON. One that UI5 could not read sets nothing. */
function nestedSettings(setting: BootstrapSetting & { readonly value: string }): BootstrapSetting[] {
  try {
    return membersOf(parseJson(setting.value)).map(({ key, value }) => ({
      ...setting,
      name: `${setting.name}/${toSettingName(key)}`,
      value: value.kind === 'array' ? itemsOf(value).map(textOf).join(',') : textOf(value),
    }))
  } catch (error) {
    if (error instanceof ParseFailure) return []
    throw error
  }
}

function textOf(node: DataNode): string {
  return stringOf(node) ?? String(booleanOf(node) ?? '')
}

function metaSettings(file: string, document: MarkupDocument): BootstrapSetting[] {
  const settings: BootstrapSetting[] = []
  for (const element of elementsOf(document)) {
    if (element.name !== 'meta') continue
    const name = attributeOf(element, 'name')?.value ?? ''
    const content = attributeOf(element, 'content')
    if (!name.startsWith(META) || content === undefined) continue
    settings.push({
      name: toSettingName(name.slice(META.length)),
      value: content.value.trim(),
      from: 'meta',
      at: { file, span: content.valueSpan },
    })
  }
  return settings
}

/** The setting that counts: of several the last one that UI5 reads. */
export function settingOf(bootstrap: Bootstrap, name: string): BootstrapSetting | undefined {
  return bootstrap.settings.findLast((setting) => setting.name === name)
}

/** A name as the setting is spelled in its page. */
export function spelledAs(name: string, setting: BootstrapSetting | undefined): string {
  return setting?.hyphenated === true ? toHyphens(name) : name
}

function srcOf(script: MarkupElement): string {
  return attributeOf(script, 'src')?.value.trim() ?? ''
}
