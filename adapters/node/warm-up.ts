import { DEFAULT_LIMITS, type Outcome, type ScanOptions } from '../../core/index.ts'
import { createBundledAdvisories, createBundledCatalogue, type SourceEntry } from '../../core/host.ts'
import { scan, type Engine } from '../../core/scanner.ts'

/** After a worker is ready; a scan that is there before needs no other. */
const AFTER_MS = 100

/**
 * Has a worker scan a small project once nothing else is asked of it: V8 compiles a function when it is first run, and that is nine tenths of a first scan.
 * Gives what calls it off, for a scan that comes earlier.
 */
export function warmUpLater(engine: Engine): () => void {
  // what goes wrong here goes wrong in a scan as well, which tells it
  const timer = setTimeout(() => void scanSample(engine, () => undefined).catch(() => undefined), AFTER_MS)
  return () => clearTimeout(timer)
}

/** Nobody is asked. */
export function scanSample(engine: Engine, onFault: (fault: unknown) => void): Promise<Outcome> {
  const entries = Object.entries(SAMPLE).map(([path, text]): SourceEntry => {
    const bytes = new TextEncoder().encode(text)
    return { path, size: bytes.length, read: () => bytes }
  })
  const ports = { advisories: createBundledAdvisories(), catalogue: createBundledCatalogue() }
  return scan({ entries, notices: [], leftOut: [] }, OPTIONS, engine, ports, { onFault })
}

const OPTIONS: ScanOptions = {
  scanId: '00000000-0000-7000-8000-000000000000',
  scannedAt: '2026-01-01T00:00:00.000Z',
  projectName: 'warm-up',
  limits: DEFAULT_LIMITS,
  suppressions: true,
}

/** One of each kind of file that has much code of its own, with a little to find. */
const SAMPLE: Readonly<Record<string, string>> = {
  'package.json': `{ "name": "museum", "dependencies": { "@sap/cds": "^9", "express": "^4" }, "scripts": { "start": "cds-serve" },
  "cds": { "requires": { "auth": { "kind": "xsuaa" }, "db": { "kind": "hana" } } } }`,
  'package-lock.json': `{ "name": "museum", "lockfileVersion": 3, "packages": { "": { "name": "museum", "dependencies": { "@sap/cds": "^9", "express": "^4" } },
  "node_modules/express": { "version": "4.17.1", "resolved": "https://packages.example/express/-/express-4.17.1.tgz", "integrity": "sha512-x" },
  "node_modules/@sap/cds": { "version": "9.4.0", "resolved": "https://packages.example/@sap/cds/-/cds-9.4.0.tgz", "integrity": "sha512-y" } } }`,
  'mta.yaml': `_schema-version: "3.1"
ID: museum
version: 1.0.0
modules:
  - name: museum-srv
    type: nodejs
    path: gen/srv
    requires: [{ name: museum-auth }]
    provides: [{ name: srv-api, properties: { srv-url: "\${default-url}" } }]
  - name: museum-router
    type: approuter.nodejs
    path: app/router
    requires: [{ name: srv-api, group: destinations, properties: { name: srv, url: "~{srv-url}", forwardAuthToken: true } }, { name: museum-auth }]
resources:
  - name: museum-auth
    type: org.cloudfoundry.managed-service
    parameters: { service: xsuaa, service-plan: application, path: ./xs-security.json }
`,
  'xs-security.json': `{ "xsappname": "museum", "scopes": [{ "name": "$XSAPPNAME.guide" }], "role-templates": [{ "name": "Guide", "scope-references": ["$XSAPPNAME.guide"] }],
  "oauth2-configuration": { "redirect-uris": ["https://museum.example/**"] } }`,
  'app/router/package.json':
    '{ "name": "router", "dependencies": { "@sap/approuter": "^20" }, "scripts": { "start": "node node_modules/@sap/approuter/approuter.js" } }',
  'app/router/xs-app.json': `{ "welcomeFile": "/index.html", "authenticationMethod": "route", "routes": [
  { "source": "^/odata/(.*)$", "target": "/odata/$1", "destination": "srv", "authenticationType": "xsuaa", "csrfProtection": true },
  { "source": "^(.*)$", "localDir": "resources", "authenticationType": "none" }] }`,
  'db/schema.cds': `namespace museum;
using { cuid, managed } from '@sap/cds/common';
entity Halls : cuid, managed { name : String(100); works : Composition of many Works on works.hall = $self; }
entity Works : cuid { title : String; hall : Association to Halls; lender : String @PersonalData.IsPotentiallyPersonal; }
`,
  'srv/museum.cds': `using { museum } from '../db/schema';
@path: '/odata/museum'
service Museum @(requires: 'authenticated-user') {
  entity Halls as projection on museum.Halls;
  @restrict: [{ grant: 'READ', where: 'lender = $user' }, { grant: 'WRITE', to: 'guide' }]
  entity Works as projection on museum.Works actions { action lend(to : String, note : String) returns String; };
  function search(text : String) returns array of Works;
}
`,
  'srv/museum.js': `const cds = require('@sap/cds')
const path = require('node:path')
const fs = require('node:fs')
const { labelOf } = require('./labels')
class Museum extends cds.ApplicationService {
  async init() {
    const { Works } = this.entities
    this.before(['CREATE', 'UPDATE'], Works, (req) => { if (!req.data.title || req.data.title.length > 200) req.reject(400, 'title') })
    this.on('search', async (req) => cds.run(\`SELECT * FROM museum_Works WHERE title LIKE '%\${req.data.text}%'\`))
    this.on('lend', Works, async (req) => {
      const { to, note } = req.data
      try {
        const work = await SELECT.one.from(Works).where({ ID: req.params[0].ID })
        const answer = await fetch('https://loans.example/' + encodeURIComponent(to), { method: 'POST', body: JSON.stringify({ note }) })
        console.log('lent', note)
        return labelOf(work, await answer.json())
      } catch (error) { return req.error(500, error.message) }
    })
    return super.init()
  }
}
cds.on('bootstrap', (app) => {
  app.get('/label/:name', (req, res) => fs.readFile(path.join(__dirname, 'labels', req.params.name), (error, text) => res.send('<p>' + text + req.query.q + '</p>')))
})
module.exports = Museum
`,
  'srv/labels.js':
    'exports.labelOf = (work, { place = "" }) => [work.title, place].filter(Boolean).map((part) => part.trim()).join(", ")\n',
  'srv/loans.ts': `interface Loan { readonly id: string; readonly days: number }
export class Loans<T extends Loan> {
  private readonly all = new Map<string, T>()
  add(loan: T): this { this.all.set(loan.id, loan); return this }
  *late(days: number): Iterable<T> { for (const loan of this.all.values()) if (loan.days > days) yield loan }
}
`,
  'app/halls/package.json': '{ "name": "halls", "devDependencies": { "@ui5/cli": "^4" } }',
  'app/halls/ui5.yaml':
    'specVersion: "4.0"\nmetadata: { name: museum.halls }\ntype: application\nframework: { name: SAPUI5, version: "1.120.0", libraries: [{ name: sap.m }] }\n',
  'app/halls/webapp/manifest.json': `{ "sap.app": { "id": "museum.halls", "type": "application", "i18n": "i18n/i18n.properties", "dataSources": { "main": { "uri": "/odata/museum/", "type": "OData", "settings": { "odataVersion": "4.0" } } } },
  "sap.ui5": { "rootView": { "viewName": "museum.halls.view.Main", "type": "XML" }, "dependencies": { "minUI5Version": "1.120.0", "libs": { "sap.m": {} } },
  "models": { "": { "dataSource": "main" }, "i18n": { "type": "sap.ui.model.resource.ResourceModel", "settings": { "bundleName": "museum.halls.i18n.i18n" } } } } }`,
  'app/halls/webapp/index.html': `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Halls</title>
<script id="sap-ui-bootstrap" src="https://ui5.sap.com/1.120.0/resources/sap-ui-core.js" data-sap-ui-resource-roots='{ "museum.halls": "./" }' data-sap-ui-frame-options="trusted"></script>
<script>document.title = decodeURIComponent(location.hash.slice(1))</script></head><body class="sapUiBody" id="content"></body></html>
`,
  'app/halls/webapp/Component.js':
    'sap.ui.define(["sap/ui/core/UIComponent"], function (UIComponent) {\n  "use strict";\n  return UIComponent.extend("museum.halls.Component", { metadata: { manifest: "json" } });\n});\n',
  'app/halls/webapp/view/Main.view.xml': `<mvc:View controllerName="museum.halls.controller.Main" xmlns="sap.m" xmlns:core="sap.ui.core" xmlns:mvc="sap.ui.core.mvc">
  <Page title="{i18n>title}"><List items="{path: '/Halls', sorter: {path: 'name'}}"><StandardListItem title="{name}" press=".onPress"/></List>
  <core:HTML content="{name}"/><FormattedText htmlText="{view>/note}"/></Page>
</mvc:View>
`,
  'app/halls/webapp/controller/Main.controller.js': `sap.ui.define(["sap/ui/core/mvc/Controller", "sap/ui/model/json/JSONModel", "sap/m/MessageToast"], function (Controller, JSONModel, MessageToast) {
  "use strict";
  return Controller.extend("museum.halls.controller.Main", {
    onInit: function () {
      this.getView().setModel(new JSONModel({ note: "" }), "view");
      window.addEventListener("message", (event) => { if (event.origin === "https://museum.example") this.show(event.data) });
    },
    onPress: function (oEvent) {
      const sName = oEvent.getSource().getBindingContext().getProperty("name");
      this.byId("title").$().html(sName);
      window.open("/odata/museum/Halls?name=" + encodeURIComponent(sName));
    },
    show: function (text) {
      jQuery.ajax({ url: "/odata/museum/search", data: { text } }).done((answer) => MessageToast.show(answer.value.length));
    },
  });
});
`,
  'app/halls/webapp/i18n/i18n.properties': 'title=Halls\n',
  '.github/workflows/build.yml':
    'on: push\njobs:\n  build:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - run: npm ci && npm test\n',
  Dockerfile: 'FROM node:22-slim\nWORKDIR /app\nCOPY . .\nRUN npm ci --omit=dev\nUSER node\nCMD ["npm", "start"]\n',
}
