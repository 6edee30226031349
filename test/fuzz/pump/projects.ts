import type { Files } from '../../cost/grow.ts'
import type { Pump } from './construct.ts'

const many = (count: number, files: (index: number, count: number) => readonly (readonly [string, string])[]): Files =>
  new Map(Array.from({ length: count }, (_, index) => files(index, count)).flat())
const MANIFEST = '{"sap.app":{"id":"shop","type":"application"},"sap.ui5":{"rootView":{"viewName":"shop.view.V0","type":"XML"}}}'
const PACKAGE = '{"name":"shop","dependencies":{"@sap/cds":"9.0.0"}}'
const beside = (first: readonly (readonly [string, string])[], rest: Files): Files => new Map([...first, ...rest])

/** What grows by files instead of lines. */
export const PROJECTS: readonly Pump[] = [
  {
    name: 'project: methods of a class, and beginnings of others',
    grow: (n) =>
      new Map([
        ['package.json', PACKAGE],
        ['srv/a.cds', 'service S { action a(x : String); }'],
        [
          'srv/a.js',
          "const { Store } = require('./store')\nmodule.exports = (srv) => srv.on('a', async (req) => new Store().save(req))\n",
        ],
        [
          'srv/store.js',
          `const axios = require('axios')\nclass Store {\nsave(req) { return this._m0(req) }\n${Array.from({ length: n }, (_, i) => `async _mine${i}(req) { return axios.get(req.data.x) }\n`).join('')}}\nexports.Store = Store\n`,
        ],
        ['srv/names.js', Array.from({ length: n }, (_, i) => `run('_other${i}' + x)\n`).join('')],
      ]),
  },
  {
    name: 'project: scripts that require each other',
    grow: (n) =>
      beside(
        [
          ['package.json', PACKAGE],
          ['srv/a.cds', 'service S { action a(x : String); }'],
        ],
        many(n, (i) => [
          [
            `srv/l${i}.js`,
            `const next = require('./l${i + 1}')\nexports.go = async (a) => { await cds.run('SELECT ' + a); return next.go(a) }\n`,
          ],
          ...(i === 0
            ? [
                [
                  'srv/a.js',
                  "const l = require('./l0')\nmodule.exports = (srv) => srv.on('a', async (req) => l.go(req.data.x))\n",
                ] as const,
              ]
            : []),
        ]),
      ),
  },
  {
    name: 'project: scripts that all require one',
    grow: (n) =>
      beside(
        [
          ['package.json', PACKAGE],
          ['srv/one.js', "exports.go = async (a) => cds.run('SELECT ' + a)\n"],
        ],
        many(n, (i) => [
          [`srv/s${i}.cds`, `service S${i} { action a(x : String); }`],
          [`srv/s${i}.js`, "module.exports = (srv) => srv.on('a', async (req) => require('./one').go(req.data.x))\n"],
        ]),
      ),
  },
  {
    name: 'project: scripts that require all',
    grow: (n) =>
      beside(
        [['package.json', PACKAGE]],
        many(n, (i) => [
          [
            `srv/m${i}.js`,
            `${Array.from({ length: 10 }, (_, at) => `require('./m${(i * 7 + at * 13) % n}').go(a)`).join('\n')}\nexports.go = (a) => eval(a)\n`,
          ],
        ]),
      ),
  },
  {
    name: 'project: views with controllers',
    grow: (n) =>
      beside(
        [['webapp/manifest.json', MANIFEST]],
        many(n, (i) => [
          [
            `webapp/view/V${i}.view.xml`,
            `<mvc:View xmlns:mvc="sap.ui.core.mvc" xmlns="sap.m" controllerName="shop.controller.C${i}"><Button press=".go"/><Text text="{/a}"/></mvc:View>`,
          ],
          [
            `webapp/controller/C${i}.controller.js`,
            `sap.ui.define(["sap/ui/core/mvc/Controller"], function (C) { return C.extend("shop.controller.C${i}", { go: function (e) { document.body.innerHTML = location.hash } }) })\n`,
          ],
        ]),
      ),
  },
  {
    name: 'project: controllers that extend each other',
    grow: (n) =>
      beside(
        [['webapp/manifest.json', MANIFEST]],
        many(n, (i) => [
          [
            `webapp/controller/C${i}.controller.js`,
            `sap.ui.define(["shop/controller/C${i + 1}.controller"], function (C) { return C.extend("shop.controller.C${i}", { go${i}: function (e) { this.go${i + 1}(location.hash); document.body.innerHTML = e } }) })\n`,
          ],
        ]),
      ),
  },
  {
    name: 'project: fragments',
    grow: (n) =>
      beside(
        [['webapp/manifest.json', MANIFEST]],
        many(n, (i) => [
          [
            `webapp/view/F${i}.fragment.xml`,
            `<core:FragmentDefinition xmlns:core="sap.ui.core" xmlns="sap.m"><core:Fragment fragmentName="shop.view.F${i + 1}" type="XML"/><core:HTML content="{/a}"/></core:FragmentDefinition>`,
          ],
        ]),
      ),
  },
  {
    name: 'project: UI5 apps',
    grow: (n) =>
      many(n, (i) => [
        [`app/a${i}/webapp/manifest.json`, MANIFEST.replace('shop', `shop${i}`)],
        [`app/a${i}/webapp/a.js`, 'eval(location.hash)\n'],
      ]),
  },
  {
    name: 'project: packages',
    grow: (n) =>
      beside(
        [['package.json', '{"workspaces":["p/*"]}']],
        many(n, (i) => [[`p/a${i}/package.json`, `{"name":"a${i}","dependencies":{"a${i + 1}":"*","@sap/cds":"9"}}`]]),
      ),
  },
  {
    name: 'project: CAP projects',
    grow: (n) =>
      many(n, (i) => [
        [`c${i}/package.json`, PACKAGE],
        [`c${i}/srv/a.cds`, 'service S { entity E { key ID : Integer; } }\n'],
      ]),
  },
  {
    name: 'project: models that use each other',
    grow: (n) =>
      beside(
        [['package.json', PACKAGE]],
        many(n, (i) => [
          [
            `srv/m${i}.cds`,
            `using from './m${i + 1}';\nservice S${i} { entity E as projection on db.E${i}; }\nnamespace db; entity E${i} { key ID : Integer; }\n`,
          ],
        ]),
      ),
  },
  {
    name: 'project: approuters',
    grow: (n) =>
      many(n, (i) => [
        [`r${i}/xs-app.json`, '{"routes":[{"source":"^/(.*)$","destination":"d","authenticationType":"none"}]}'],
        [`r${i}/package.json`, '{"dependencies":{"@sap/approuter":"16.0.0"}}'],
      ]),
  },
  {
    name: 'project: extensions',
    grow: (n) =>
      beside(
        [['mta.yaml', '_schema-version: "3.1"\nID: shop\nmodules:\n  - name: a\n    type: nodejs\n    path: .\n']],
        many(n, (i) => [
          [
            `e${i}.mtaext`,
            `_schema-version: "3.1"\nID: e${i}\nextends: ${i === 0 ? 'shop' : `e${i - 1}`}\nmodules:\n  - name: a\n    properties: {B: ${i}}\n`,
          ],
        ]),
      ),
  },
  {
    name: 'project: objects of Kubernetes',
    grow: (n) =>
      many(n, (i) => [
        [
          `k8s/o${i}.yaml`,
          `apiVersion: v1\nkind: Service\nmetadata: {name: s${i}}\nspec: {selector: {app: a${i}}}\n---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d${i}}\nspec: {template: {metadata: {labels: {app: a${i}}}, spec: {containers: [{name: a, image: b}]}}}\n`,
        ],
      ]),
  },
  {
    name: 'project: images',
    grow: (n) =>
      many(n, (i) => [
        [`i${i}/Dockerfile`, 'FROM node:20\nCOPY . .\nCMD node a.js\n'],
        [`i${i}/.dockerignore`, 'node_modules\n.env\n'],
        [`i${i}/.env`, 'A=b\n'],
      ]),
  },
  {
    name: 'project: ignore files',
    grow: (n) =>
      many(n, (i) => [
        [`g${i}/.gitignore`, '*.env\nb/**\n'],
        [`g${i}/default-env.json`, '{"VCAP_SERVICES":{}}'],
      ]),
  },
  {
    name: 'project: lock files',
    grow: (n) =>
      many(n, (i) => [
        [`l${i}/package.json`, '{"dependencies":{"lodash":"4"}}'],
        [`l${i}/package-lock.json`, '{"lockfileVersion":3,"packages":{"node_modules/lodash":{"version":"4.17.15"}}}'],
      ]),
  },
  {
    name: 'project: folders in folders',
    grow: (n) =>
      many(n, (i) => [
        [`${Array.from({ length: 30 }, (_, at) => `d${(i + at) % 97}`).join('/')}/f${i}.js`, 'eval(location.hash)\n'],
      ]),
  },
  { name: 'project: one folder', grow: (n) => many(n, (i) => [[`f${i}.txt`, 'password = Zx9qLmkT4w\n']]) },
  { name: 'project: empty files', grow: (n) => many(n, (i) => [[`e/${i}.js`, '']]) },
  {
    name: 'project: events',
    grow: (n) =>
      beside(
        [['package.json', PACKAGE]],
        many(n, (i) => [
          [`srv/e${i}.cds`, `service V${i} { event e : { a : String }; action a(x : String); }`],
          [
            `srv/e${i}.js`,
            `module.exports = (srv) => { srv.on('a', async (req) => srv.emit('e${i}', req.data)); srv.on('e${i + 1}', async (msg) => cds.run(msg.data.a)) }\n`,
          ],
        ]),
      ),
  },
  {
    name: 'project: workflows',
    grow: (n) =>
      many(n, (i) => [
        [
          `.github/workflows/w${i}.yml`,
          'on: pull_request_target\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps: [{uses: actions/checkout@v4}, {run: "echo ${{ github.head_ref }}"}]\n',
        ],
      ]),
  },
  {
    name: 'project: translations',
    grow: (n) =>
      beside(
        [['webapp/manifest.json', MANIFEST]],
        many(n, (i) => [[`webapp/i18n/i18n_${i}.properties`, 'title=Shop\npassword=Password\n']]),
      ),
  },
  {
    name: 'project: modules in Java',
    grow: (n) =>
      beside(
        [['pom.xml', '<project><modules/></project>']],
        many(n, (i) => [
          [
            `m${i}/pom.xml`,
            `<project><parent><artifactId>m${i + 1}</artifactId></parent><artifactId>m${i}</artifactId></project>`,
          ],
          [
            `m${i}/src/main/java/A.java`,
            '@RestController class A { @GetMapping("/a") String a(String b) { return jdbc.query("x" + b); } }\n',
          ],
        ]),
      ),
  },
  {
    name: 'project: packages of XS classic',
    grow: (n) =>
      many(n, (i) => [
        [`p${i}/.xsaccess`, '{ "exposed": true, "authorization": ["a"] }'],
        [
          `q${i}/a.xsjs`,
          `var a = $.request.parameters.get('a'); $.hdb.getConnection().executeQuery('SELECT ' + a)\n$.import('l${i}', 'b')\n`,
        ],
        [`q${i}/b.xsjslib`, `function f${i}() { $.session.assertAppPrivilege('a') }\n`],
        [`q${i}/c.xsodata`, `service { "a::T" as "T" create using "q${i + 1}/b.xsjslib::f${i + 1}"; "a::U" as "U"; }\n`],
      ]),
  },
  {
    name: 'project: servers of XS advanced',
    grow: (n) =>
      many(n, (i) => [
        [`s${i}/package.json`, '{ "dependencies": { "@sap/xsjs": "^6" } }'],
        [`s${i}/server.js`, "require('@sap/xsjs')({ anonymous: true, port: 3000 }).listen(3000)\n"],
        [`s${i}/lib/a.xsjs`, "$.response.setBody($.request.parameters.get('a'))\n"],
        [`s${i}/lib/c.xsodata`, 'service { "a::T" as "T"; }\n'],
      ]),
  },
  {
    name: 'project: services of XS advanced beside many packages',
    grow: (n) =>
      beside(
        [
          [
            'package.json',
            JSON.stringify({ dependencies: Object.fromEntries(Array.from({ length: n }, (_, i) => [`p${i}`, '1'])) }),
          ],
          ['xs-app.json', '{ "routes": [{ "source": "^/(.*)$", "destination": "d", "authenticationType": "xsuaa" }] }'],
        ],
        many(n, (i) => [
          [`lib/c${i}.xsodata`, 'service { "a::T" as "T"; }\n'],
          [`lib/a${i}.xsjs`, "$.response.setBody($.request.parameters.get('a'))\n"],
        ]),
      ),
  },
  {
    name: 'project: services in Python',
    grow: (n) =>
      beside(
        [
          [
            'mta.yaml',
            `_schema-version: "3.1"\nID: shop\nmodules:\n${Array.from({ length: n }, (_, i) => `  - {name: m${i}, type: python, path: m${i}}\n`).join('')}`,
          ],
        ],
        many(n, (i) => [
          [`m${i}/main.py`, 'from fastapi import FastAPI\napp = FastAPI()\n@app.post("/a")\ndef a(): return 1\n'],
          [`m${i}/a/Dockerfile`, 'FROM python:3.12\nCMD uvicorn main:app\n'],
        ]),
      ),
  },
  {
    name: 'project: UI5 apps with metadata',
    grow: (n) =>
      many(n, (i) => [
        [`a${i}/webapp/manifest.json`, MANIFEST],
        [`a${i}/webapp/a.js`, 'sap.ui.define([], () => (model) => model.read("/UserSet"))\n'],
        [
          `a${i}/webapp/localService/metadata.xml`,
          '<EntityType Name="User"><Property Name="Password" Type="Edm.String"/></EntityType><EntitySet Name="UserSet" EntityType="N.User"/>',
        ],
      ]),
  },
  {
    name: 'project: UI5 apps in UI5 apps, with metadata',
    grow: (n) =>
      many(n, (i) => [
        [`${'a/'.repeat(i % 40)}b${i}/manifest.json`, MANIFEST],
        [`${'a/'.repeat(i % 40)}manifest.json`, MANIFEST],
        [`${'a/'.repeat(i % 40)}b${i}/a.js`, 'sap.ui.define([], () => (model) => model.read("/UserSet"))\n'],
        [
          `${'a/'.repeat(i % 40)}b${i}/metadata.xml`,
          '<EntityType Name="User"><Property Name="Password" Type="Edm.String"/></EntityType><EntitySet Name="UserSet" EntityType="N.User"/>',
        ],
      ]),
  },
  {
    name: 'project: compose files',
    grow: (n) =>
      many(n, (i) => [
        [
          `c${i}/compose.yaml`,
          `services:\n  s${i}:\n    build: .\n    environment: {URL: "http://s${i + 1}:80", PASSWORD: "Zx9${i}"}\n    ports: ["80:80"]\n`,
        ],
        [`c${i}/Dockerfile`, 'FROM node:20\nUSER node\nCMD node a.js\n'],
        [`c${i}/package.json`, '{"dependencies":{"express":"4"}}'],
        [`c${i}/a.js`, "require('express')().get('/a', (req, res) => res.send(req.query.a)).listen(80)\n"],
      ]),
  },
]
