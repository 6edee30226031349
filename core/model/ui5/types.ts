import type { BundleAddress } from './bundle-addresses.ts'
import type { Scripts } from '../../extracts/scripts.ts'
import type { DataNode } from '../../parse/data.ts'
import type { MarkupDocument, MarkupElement } from '../../parse/markup.ts'
import type { Place, Span } from '../../types.ts'
import type { Binding } from './binding.ts'

/** One UI5 app, component or library of the project; there may be many. A file belongs to the app with the nearest root, and to that one alone. */
export interface Ui5App {
  /** Its folder; '' is the project itself. */
  readonly root: string
  /** `sap.app/id` of its manifest: the namespace of its modules. */
  readonly id: string | undefined
  /** Nothing declares an app: views and scripts of UI5 that lie in none. The report lists no such app. */
  readonly isUndeclared: boolean
  readonly manifest: DataFile | undefined
  /** A library: what embeds it decides about pages, headers and versions. */
  readonly isLibrary: boolean
  readonly served: Served
  /** ui5.yaml and its siblings, that one first. */
  readonly tooling: readonly DataFile[]
  readonly pages: readonly Ui5Page[]
  /** Pages that boot no UI5, such as a login page beside the app. */
  readonly plainPages: readonly PlainPage[]
  /** What its files and its MTA say about the UI5 version that it runs with, most telling first. `minUI5Version` is no such source. */
  readonly versions: readonly VersionSource[]
  readonly views: readonly Ui5View[]
  /** Paths of its scripts, those of tests among them. */
  readonly scriptFiles: readonly string[]
  /** What was extracted from its productive scripts, inline ones among them. */
  readonly scripts: Scripts
  /** Addresses of the properties files that its manifest makes models of. */
  readonly bundleAddresses: readonly BundleAddress[]
}

/** Who serves an app, and so its headers; see hosting.ts. */
export type Served = 'host' | 'server' | 'unknown'

export interface DataFile {
  readonly file: string
  readonly root: DataNode
}

/** An HTML page that boots UI5. */
export interface Ui5Page {
  readonly file: string
  /** A test page or a sandbox launchpad: nobody runs it in production. */
  readonly test: boolean
  /** It loads the sandbox of the launchpad. */
  readonly sandbox: boolean
  readonly bootstrap: Bootstrap
  readonly document: MarkupDocument
}

/** An HTML page of an app that boots no UI5. */
export interface PlainPage {
  readonly file: string
  readonly test: boolean
  readonly document: MarkupDocument
}

/** The script tag that boots UI5, and all that configures it. */
export interface Bootstrap {
  readonly at: Place
  readonly src: { readonly value: string; readonly at: Place } | undefined
  /** In the order in which UI5 reads them: a later one wins. */
  readonly settings: readonly BootstrapSetting[]
  /** Written with hyphens for a UI5 line that does not know them: they have no effect. */
  readonly ignored: readonly BootstrapSetting[]
}

export interface BootstrapSetting {
  /** Lower case, without dashes: `frameoptions` of `data-sap-ui-frame-options`, `data-sap-ui-frameOptions` and `frameOptions`; `frameoptionsconfig/allowlist` of a nested object. */
  readonly name: string
  /** Undefined: it is made at run time. Of a list its texts, with commas between. */
  readonly value: string | undefined
  readonly from: 'config' | 'attribute' | 'meta'
  /** `frame-options`, not `frameOptions`. */
  readonly hyphenated?: boolean
  readonly at: Place
}

export interface VersionSource {
  /** `1.120.3` or the line `1.120`. */
  readonly version: string
  /** `server`: a script from which a server makes the page that boots UI5. */
  readonly kind: 'bootstrap' | 'shipped' | 'neo-app' | 'ui5-yaml' | 'mta' | 'server' | 'bower'
  /** Only tests load it. */
  readonly test: boolean
  readonly at: Place
}

/** A view or a fragment, in whatever language. */
export interface Ui5View {
  readonly file: string
  readonly kind: 'view' | 'fragment'
  /** A view in a script is a script as well: rules on scripts see what it constructs. */
  readonly language: 'xml' | 'html' | 'json' | 'script'
  readonly test: boolean
  readonly controllerName: string | undefined
  /** The path of the controller's script. */
  readonly controller: string | undefined
  readonly controls: readonly Ui5Control[]
  /** Elements of HTML and SVG in it. */
  readonly native: readonly MarkupElement[]
  /** XML templating fills bindings in whatever attributes it has, before controls are made. */
  readonly isTemplate: boolean
  /** Namespaces that its controls and their aggregations come from; of a script those that no import names. */
  readonly namespaces: readonly ViewNamespace[]
  /** Modules by the names that `core:require` gives them; without names that stand for several. */
  readonly requires: ReadonlyMap<string, string>
  /** The model that its `resourceBundleName` makes: texts of the app. '' is the default model. */
  readonly textModel: string | undefined
}

export interface ViewNamespace {
  readonly name: string
  /** The first element of it. */
  readonly at: Span
}

export interface Ui5Control {
  /** Full name: `sap.ui.core.HTML`. */
  readonly type: string
  readonly id: string | undefined
  /** The start tag; in JSON the type, in a script its construction without arguments. */
  readonly at: Span
  readonly properties: ReadonlyMap<string, ControlProperty>
  /** False: a script hands it settings that nobody can tell. */
  readonly isWhole: boolean
  /** The control around it, where the language of the view tells. */
  readonly parent?: Ui5Control
  /** The aggregation of that one in which it stands, where it is named. */
  readonly aggregation?: string
}

export interface ControlProperty {
  /** As written in the view, entities decoded; a list with commas between, the object of a binding as its paths in braces; '' where a script makes it. */
  readonly value: string
  /** The value, without quotes. */
  readonly at: Span
  readonly binding: Binding
}
