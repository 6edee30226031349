/** The project around a sketch. */
type Frame = (code: string, imports: string) => Record<string, string>

/** Something may parse the bodies of routes, wherever a sketch has none that does. */
const PACKAGE =
  '{ "name": "shop", "dependencies": { "@sap/cds": "^9", "@sap/xssec": "^4", "body-parser": "^2", "express": "^4" } }\n'
const MTA = `_schema-version: '3.1'
ID: shop
version: 1.0.0
modules:
  - name: shop-srv
    type: nodejs
    path: .
    requires:
      - name: shop-auth
resources:
  - name: shop-auth
    type: org.cloudfoundry.managed-service
    parameters: { service: xsuaa, service-plan: application }
`
const MODEL = `service ShopService @(requires: 'authenticated-user') {
  entity Books { key ID: String; title: String; stock: Integer; }
  entity Orders @(restrict: [{ grant: '*', to: 'Buyer', where: (owner = $user) }]) { key ID: Integer; owner: String; note: String; }
  action act(id: String, name: String, url: String, text: String);
}
`
const MANIFEST = `{
  "sap.app": { "id": "shop", "type": "application", "dataSources": { "main": { "uri": "/odata/v4/shop/", "type": "OData", "settings": { "odataVersion": "4.0" } } } },
  "sap.ui5": { "rootView": "shop.view.Main", "dependencies": { "minUI5Version": "1.136.0", "libs": { "sap.m": {} } }, "models": { "": { "dataSource": "main" }, "ui": { "type": "sap.ui.model.json.JSONModel" } } }
}
`
const NAMESPACES = [
  ['mvc', 'sap.ui.core.mvc'],
  ['core', 'sap.ui.core'],
  ['rte', 'sap.ui.richtexteditor'],
  ['u', 'sap.ui.unified'],
  ['html', 'http://www.w3.org/1999/xhtml'],
  ['c', 'shop.control'],
]

/** Modules by their paths, each under its last name; `name=path` says another one. */
function toDefine(imports: string): { readonly paths: string; readonly names: string } {
  const modules = imports.split(' ').filter((it) => it !== '')
  const named = modules.map((it) => (it.includes('=') ? it.split('=') : [it.split('/').at(-1) ?? it, it]))
  return { paths: named.map(([, path]) => `, "${path}"`).join(''), names: named.map(([name]) => `, ${name}`).join('') }
}

function controller(members: string, imports: string): string {
  const { paths, names } = toDefine(imports)
  return `sap.ui.define(["sap/ui/core/mvc/Controller"${paths}], function (Controller${names}) {
  "use strict";
  return Controller.extend("shop.controller.Main", {
${members}
  });
});
`
}

function view(content: string): string {
  const names = NAMESPACES.map(([prefix, name]) => `xmlns:${prefix}="${name}"`).join(' ')
  return `<mvc:View controllerName="shop.controller.Main" xmlns="sap.m" ${names}>\n${content}\n</mvc:View>\n`
}

const INPUT = '<Input id="in" value="{ui>/name}" change=".onPress"/>'
const app = (more: Record<string, string>): Record<string, string> => ({ 'webapp/manifest.json': MANIFEST, ...more })
const cap = (more: Record<string, string>): Record<string, string> => ({ 'package.json': PACKAGE, ...more })

const FRAMES: Readonly<Record<string, Frame>> = {
  /** The body of a handler of an action. */
  handler: (code, imports) =>
    cap({
      'srv/shop-service.cds': MODEL,
      'srv/shop-service.js': `const cds = require('@sap/cds')
${imports}
module.exports = cds.service.impl(async function () {
  const srv = this
  const { Books, Orders } = this.entities
  this.on('act', async (req, next) => {
${code}
  })
})
`,
    }),
  /** The body of a service, where handlers are registered. */
  service: (code, imports) =>
    cap({
      'srv/shop-service.cds': MODEL,
      'srv/shop-service.js': `const cds = require('@sap/cds')\n${imports}\nmodule.exports = (srv) => {\n${code}\n}\n`,
    }),
  /** The body of a route of one's own. */
  request: (code, imports) =>
    cap({
      'srv/shop-service.cds': MODEL,
      'srv/server.js': `const cds = require('@sap/cds')
${imports}
cds.on('bootstrap', (app) => {
  app.use('/own', cds.middlewares.before)
  app.post('/own/route', async (req, res) => {
${code}
  })
})
`,
    }),
  /** What is registered before the services are served. */
  bootstrap: (code, imports) =>
    cap({
      'srv/shop-service.cds': MODEL,
      'srv/server.js': `const cds = require('@sap/cds')\n${imports}\ncds.on('bootstrap', (app) => {\n${code}\n})\n`,
    }),
  /** A module of the server. */
  module: (code, imports) => cap({ 'srv/shop-service.cds': MODEL, 'srv/lib/module.js': `${imports}\n${code}\n` }),
  server: (code, imports) => cap({ 'srv/shop-service.cds': MODEL, 'srv/server.js': `${imports}\n${code}\n` }),
  /** A CDS model. */
  model: (code) => cap({ 'mta.yaml': MTA, 'srv/shop-service.cds': `${code}\n` }),
  /** The configuration of a project that is deployed. */
  config: (code) => ({
    'mta.yaml': MTA,
    'srv/shop-service.cds': MODEL,
    'package.json': `{ "name": "shop", "dependencies": { "@sap/cds": "^9", "@sap/xssec": "^4" }, "cds": ${code} }\n`,
  }),
  package: (code) => ({ 'mta.yaml': MTA, 'srv/shop-service.cds': MODEL, 'package.json': `${code}\n` }),
  /** The body of a method of a controller whose view has an input field. */
  controller: (code, imports) =>
    app({
      'webapp/view/Main.view.xml': view(INPUT),
      'webapp/controller/Main.controller.js': controller(`    onPress: function (oEvent) {\n${code}\n    }`, imports),
    }),
  /** The methods of a controller. */
  methods: (code, imports) =>
    app({ 'webapp/view/Main.view.xml': view(INPUT), 'webapp/controller/Main.controller.js': controller(code, imports) }),
  view: (code) => app({ 'webapp/view/Main.view.xml': view(code) }),
  /** A custom control, placed in a view with data of the back end. */
  control: (code, imports) => {
    const { paths, names } = toDefine(imports)
    return app({
      'webapp/view/Main.view.xml': view('<c:Card title="{/title}" icon="{/icon}"/>'),
      'webapp/control/Card.js': `sap.ui.define(["sap/ui/core/Control"${paths}], function (Control${names}) {
  "use strict";
  return Control.extend("shop.control.Card", {
${code}
  });
});
`,
    })
  },
  /** What stands in the head of a page that boots UI5. */
  page: (code) =>
    app({
      'webapp/index.html': `<!DOCTYPE html>
<html><head><title>Shop</title>
<script id="sap-ui-bootstrap" src="https://ui5.sap.com/1.136.5/resources/sap-ui-core.js" data-sap-ui-on-init="module:shop/init"></script>
${code}
</head><body class="sapUiBody"></body></html>
`,
    }),
  /** The attributes of the script that boots UI5. */
  boot: (code) =>
    app({
      'webapp/index.html': `<!DOCTYPE html>
<html><head><title>Shop</title>
<script id="sap-ui-bootstrap" ${code}></script>
</head><body class="sapUiBody"></body></html>
`,
    }),
  /** A module of a UI5 app. */
  'browser-module': (code, imports) => {
    const { paths, names } = toDefine(imports)
    return app({
      'webapp/Component.js': `sap.ui.define(["sap/ui/core/UIComponent"${paths}], function (UIComponent${names}) {\n${code}\nreturn UIComponent.extend("shop.Component", {});\n});\n`,
    })
  },
  manifest: (code) => ({ 'webapp/manifest.json': `${code}\n` }),
  /** Files alone: the sketch is their title. */
  files: () => ({}),
  'cap-files': () => cap({}),
  'app-files': () => app({}),
}

/** The files of a sketch: a frame of the table, or `file:…` for a single file. */
export function frameFiles(name: string, code: string, imports: string): Map<string, string> {
  const path = name.startsWith('file:') ? name.slice(5) : undefined
  if (path !== undefined) return new Map([[path, `${code}\n`]])
  const frame = FRAMES[name]
  if (frame === undefined) throw new Error(`no frame ${name}`)
  return new Map(Object.entries(frame(code, imports)))
}
