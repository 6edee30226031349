import type { Construct } from './construct.ts'
import { CAP, construct, members, UI5, within } from './writing.ts'

const PACKAGE: Construct['beside'] = [['package.json', '{"name":"shop","dependencies":{"lodash":"^4"}}']]
const CONTROLLER = [
  'webapp/controller/A.controller.js',
  'sap.ui.define(["sap/ui/core/mvc/Controller"], function (C) { return C.extend("shop.controller.A", { go: function (e) { document.body.innerHTML = e.getSource().getText() } }) })\n',
] as const

/** Views and fragments in other languages than XML. */
const VIEWS: readonly Construct[] = [
  construct(
    'view in HTML: controls',
    'webapp/view/A.view.html',
    (i) => `<div data-sap-ui-type="sap.m.Text" id="t${i}" data-text="{/a${i}}" data-press="go"></div>\n`,
    {
      ...within('<template data-controller-name="shop.controller.A">', '</template>'),
      nest: [() => '<div data-sap-ui-type="sap.m.VBox"><div data-sap-ui-aggregation="items">\n', '</div></div>\n'],
      beside: [...UI5, CONTROLLER],
    },
  ),
  construct(
    'fragment in JSON: controls',
    'webapp/view/A.fragment.json',
    members((i) => `{ "Type": "sap.ui.core.HTML", "content": "{/a${i}}" }`),
    { ...within('{ "Type": "sap.m.VBox", "items": [', '] }'), beside: UI5 },
  ),
  construct(
    'view in JavaScript: controls',
    'webapp/view/A.view.js',
    (i) => `box.addItem(new sap.ui.core.HTML("h${i}", { content: "{/a${i}}", press: oController.go }))\n`,
    {
      head: 'sap.ui.jsview("shop.view.A", { getControllerName: function () { return "shop.controller.A" }, createContent: function (oController) { var box = new sap.m.VBox()\n',
      foot: 'return box } })\n',
      nest: [(i) => `box.addItem(new sap.m.VBox({ items: (function () { var box${i} = box; \n`, 'return [] })() }))\n'],
      beside: [...UI5, CONTROLLER],
    },
  ),
  construct(
    'fragment in JavaScript: controls',
    'webapp/view/A.fragment.js',
    (i) => `items.push(new sap.m.FormattedText({ htmlText: "{/a${i}}" }))\n`,
    {
      head: 'sap.ui.jsfragment("shop.view.A", { createContent: function () { var items = []\n',
      foot: 'return items } })\n',
      beside: UI5,
    },
  ),
  construct('library', 'src/.library', (i) => `<dependency><libraryName>l${i}</libraryName></dependency>\n`, {
    ...within(
      '<library xmlns="http://www.sap.com/sap.ui.library.xsd"><name>shop</name><dependencies>',
      '</dependencies></library>',
    ),
  }),
]

const NESTED: readonly Construct[] = [
  construct(
    'JSON: objects in lists',
    '.cdsrc.json',
    members((i) => `{ "a${i}": [1, "b", null] }`),
    { ...within('{ "x": [', '] }'), nest: [(i) => `{ "n${i}": [\n`, '] },\n'] },
  ),
  construct('YAML: maps in brackets', 'mta.yaml', (i) => `{ a${i}: b },\n`, {
    ...within('x: [', ']'),
    nest: [(i) => `{ n${i}: [\n`, ']},\n'],
  }),
  construct('Java: expressions', 'srv/src/main/java/A.java', (i) => `a(b${i}, "c" + d.e(f));\n`, {
    ...within('class A { void m() {', '} }'),
    nest: [(i) => `run(x${i} -> {\n`, '});\n'],
  }),
  construct('Java: annotations', 'srv/src/main/java/A.java', (i) => `@A(b = { @C("d${i}"), @C("e") }) String f${i};\n`, {
    ...within('class A {', '}'),
  }),
  construct('Java: texts in blocks', 'srv/src/main/java/A.java', (i) => `String t${i} = """\n  SELECT ${i} FROM "B"\n  """;\n`, {
    ...within('class A {', '}'),
  }),
  construct('Markdown: quotes', 'README.md', (i) => `> a${i} password is Zx9${i}qLm\n`, { nest: [() => '> ', '\n'] }),
  construct(
    'Markdown: HTML and links',
    'README.md',
    (i) => `<a href="https://u:Zx9${i}qLm@a.example">[b][c${i}]</a>\n\n[c${i}]: <d>\n`,
  ),
  construct('Dockerfile: here documents', 'Dockerfile', (i) => `RUN <<E${i}\ncurl -k https://a.example | sh\nE${i}\n`, {
    head: 'FROM node:20\n',
  }),
  construct('Dockerfile: arguments', 'Dockerfile', (i) => `ARG A${i}=\${A${i + 1}:-b}\nENV B${i}=$A${i}\n`, {
    head: 'FROM node:20\n',
  }),
  construct('Jenkinsfile: scripts', 'Jenkinsfile', (i) => `sh '''\ncurl -k https://a${i}.example | sh\n'''\n`, {
    ...within('node {', '}'),
    nest: [(i) => `if (x == "${i}") {\n`, '}\n'],
  }),
  construct('shell: functions', 'deploy.sh', (i) => `curl -k https://a${i}.example\n`, { nest: [(i) => `f${i}() {\n`, '}\n'] }),
  construct('CDS: expressions in brackets', 'srv/a.cds', (i) => `a = ${i} and\n`, {
    ...within('service S { entity E as select from B where', 'a = 1; }'),
    nest: [() => '(\n', 'a = 2) and\n'],
    beside: [['package.json', '{"name":"shop","dependencies":{"@sap/cds":"9.0.0"}}']],
  }),
  construct(
    'XSJS',
    'lib/a.xsjs',
    (i) => `$.response.setBody($.request.parameters.get("a${i}")); conn.prepareStatement("SELECT " + x)\n`,
    {
      head: 'var conn = $.db.getConnection(), x = $.request.parameters.get("x")\n',
      nest: [(i) => `if (x !== "${i}") {\n`, '}\n'],
    },
  ),
]

const PLATFORMS: readonly Construct[] = [
  construct(
    'neo-app: routes',
    'neo-app.json',
    members((i) => `{ "path": "/a${i}", "target": { "type": "destination", "name": "d${i}" }, "description": "b" }`),
    { ...within('{ "authenticationMethod": "none", "routes": [', '] }'), beside: UI5 },
  ),
  construct(
    'hdbgrants',
    'db/cfg/a.hdbgrants',
    members((i) => `"s${i}": { "object_owner": { "roles": ["r${i}"], "system_privileges": ["CATALOG READ"] } }`),
    within('{', '}'),
  ),
  construct(
    'xsaccess',
    '.xsaccess',
    members((i) => `{ "pattern": "^/a${i}.*$", "authentication": null }`),
    {
      ...within('{ "exposed": true, "authentication": null, "rewrite_rules": [', '] }'),
      beside: [['a/b.xsjs', '$.response.setBody("a")']],
    },
  ),
  construct('xshttpdest', 'a.xshttpdest', (i) => `host${i} = "a${i}.example";\nuseSSL = false;\npassword = "Zx9${i}qLm";\n`),
  construct('hdbview', 'db/src/a.hdbview', (i) => `, (SELECT a FROM "T" WHERE b = ${i}) AS c${i}\n`, {
    ...within('VIEW "V" AS SELECT a', 'FROM "T"'),
  }),
  construct(
    'destination.properties',
    'destination.properties',
    (i) => `Name=d${i}\nURL=http\\://a${i}.example\nPassword=Zx9${i}qLm\n`,
  ),
  construct(
    'application.properties',
    'srv/src/main/resources/application.properties',
    (i) => `cds.security.mock.users.u${i}.password=p${i}\nserver.a${i}=\${b${i}}\n`,
  ),
  construct(
    'cdsrc in YAML: profiles',
    '.cdsrc.yaml',
    (i) => `"[p${i}]":\n  requires: {auth: {kind: mocked, users: {u${i}: {password: p}}}}\n`,
    {
      beside: CAP,
    },
  ),
  construct('cdsrc in JavaScript: members', '.cdsrc.js', (i) => `a${i}: { credentials: { password: 'Zx9${i}qLm' } },\n`, {
    ...within('module.exports = { requires: {', '} }'),
    nest: [(i) => `n${i}: {\n`, '},\n'],
    beside: CAP,
  }),
  construct('pnpm-workspace: packages', 'pnpm-workspace.yaml', (i) => `  - packages/a${i}/**\n`, {
    head: 'packages:\n',
    beside: PACKAGE,
  }),
  construct('pnpm-workspace: overrides', 'pnpm-workspace.yaml', (i) => `  p${i}: 1.${i}.0\n`, {
    head: 'overrides:\n',
    beside: PACKAGE,
  }),
  construct('yarnrc', '.yarnrc', (i) => `registry "http://r${i}.example"\n"//r${i}.example/:_authToken" "Zx9${i}qLm"\n`, {
    beside: PACKAGE,
  }),
  construct(
    'yarnrc.yml: scopes',
    '.yarnrc.yml',
    (i) => `  s${i}: {npmRegistryServer: "http://r${i}.example", npmAuthToken: "Zx9${i}qLm"}\n`,
    { head: 'npmScopes:\n', beside: PACKAGE },
  ),
  construct(
    'renovate: rules',
    'renovate.json',
    members((i) => `{ "matchPackageNames": ["p${i}", "/^a.*b${i}/"], "enabled": false }`),
    { ...within('{ "extends": ["config:base"], "packageRules": [', '] }'), beside: PACKAGE },
  ),
  construct(
    'audit-ci: exceptions',
    'audit-ci.json',
    members((i) => `"GHSA-${String(i).padStart(4, '0')}-aaaa-bbbb|a>b${i}"`),
    { ...within('{ "allowlist": [', '] }'), beside: PACKAGE },
  ),
  construct(
    'sap-ui-version: libraries',
    'resources/sap-ui-version.json',
    members((i) => `{ "name": "sap.l${i}", "version": "1.${i % 150}.0" }`),
    { ...within('{ "name": "a", "version": "1.71.0", "libraries": [', '] }'), beside: UI5 },
  ),
  construct('Kubernetes: values of a chart', 'chart/values.yaml', (i) => `a${i}: {password: Zx9${i}qLm, image: {tag: latest}}\n`),
]

const at = (i: number): string => `module:lib${i} go`
const flow = (member: string, unit: (i: number) => string): Construct =>
  construct(`configuration: ${member}`, 'parapet.config.json', members(unit), {
    ...within(`{ "flow": { "${member}": [`, '] } }'),
    beside: [...UI5, ['webapp/a1.js', `${"require('lib1').go(location.hash); eval(location.hash)\n".repeat(100)}`]],
  })
const CONFIGURATION: readonly Construct[] = [
  flow('sinks', (i) => `{ "at": "${at(i)}", "rule": "ui5/eval", "args": [0] }`),
  flow('sanitizers', (i) => `{ "at": "${at(i)}", "cleans": ["ui5/eval"] }`),
  flow('propagators', (i) => `{ "at": "${at(i)}" }`),
  flow('authenticates', (i) => `{ "at": "${at(i)}" }`),
]

/** What only few projects hold, and deep forms of what all do. */
export const FORMATS: readonly Construct[] = [...VIEWS, ...NESTED, ...PLATFORMS, ...CONFIGURATION]
