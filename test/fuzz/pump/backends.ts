import type { Construct } from './construct.ts'
import { CAP, construct, UI5, within } from './writing.ts'

const PYTHON: readonly Construct[] = (
  [
    ['routes', (i) => `@app.post("/a${i}")\ndef r${i}(b):\n    return {"a": ${i}}\n`],
    ['routes of one line', (i) => `@app.get("/health${i}") ; `],
    ['applications', (i) => `app${i}: FastAPI = FastAPI(title="a")\n`],
    ['comments', (i) => `# jwt ${i}\n`],
    ['long strings', (i) => `"""\nFlask( ${i} jwt\n"""\n`],
    ['strings that do not end', (i) => `a${i} = 'b\nc = "d \\\n`],
    ['calls that check nothing', (i) => `verify_a_${i}(Depends(get_db), headers.a)\n`],
    ['answers', (i) => `return return return a, 9${i} return b, 40${i}0\n`],
    ['imports', (i) => `from sqlalchemy${i} import a\nimport hdbclient${i}\n`],
  ] satisfies [string, Construct['unit']][]
).map(([name, unit]) =>
  construct(`Python: ${name}`, 'api/main.py', unit, {
    head: 'from fastapi import FastAPI\nimport hdbcli\napp = FastAPI()\n',
    foot: '\n@app.get("/rows")\ndef rows():\n    return []\n',
    beside: [['api/Procfile', 'web: uvicorn main:app\n']],
  }),
)

const PHP: readonly Construct[] = (
  [
    ['statements', (i) => `$a${i} = $_POST['a${i}']; mysqli_query($c, "SELECT '$a${i}' {$b['c${i}']}");\n`],
    ['one long text', (i) => `$a .= ' ' . $_GET['b${i}'] . "$c[d] \\"";\n`],
    ['branches', (i) => `if (isset($_SESSION['a${i}'])) { $a = ${i}; } elseif ($a == ${i}) exit; else {}\n`],
    [
      'functions that call each other',
      (i) => `function f${i}($a) { return f${i + 1}($a) . f${i + 2}($a); }\nf${i}($_GET['a']);\n`,
    ],
    ['includes', (i) => `include 'b${i}.php'; require_once __DIR__ . "/main.php";\n`],
    ['texts that do not end', (i) => `$a${i} = <<<X\n {$a["b${i} \n`],
    ['brackets that do not close', (i) => `array(${i}, [f${i}({ (\n`],
    ['pages', (i) => `<p><?= $row['a${i}'] ?></p><?php // a ?>\n`],
    [
      'what may end',
      (i) =>
        `$a${i} = f($_GET['a${i}']) && $b or die; while (1) { if (!in_array($_GET['a${i}'], $c)) continue; $_POST['b${i}'] = 1; }\n`,
    ],
    ['loops', (i) => `foreach ($_POST as $k${i} => $v) { $w .= $v; while ($r = mysqli_fetch_assoc($q)):\n`],
  ] satisfies [string, Construct['unit']][]
).map(([name, unit]) => construct(`PHP: ${name}`, 'php/main.php', unit, { head: '<?php\n', beside: UI5 }))

const READER: Construct['beside'] = [
  ...UI5,
  [
    'webapp/a.js',
    'sap.ui.define([], () => ({ go: (model) => { model.read("/UserSet", { success: () => {} }); eval(location.hash) } }))\n',
  ],
]
const METADATA = 'webapp/localService/metadata.xml'
const METADATA_ENDS = within(
  '<Schema Namespace="N"><EntityType Name="User"><Property Name="Password" Type="Edm.String"/>',
  '</Schema>',
)

const ODATA: readonly Construct[] = (
  [
    [
      'types and sets',
      (i) =>
        `<EntityType Name="T${i}"><Key><PropertyRef Name="ID"/></Key><Property Name="Password" Type="Edm.String"/></EntityType><EntitySet Name="User${i}" EntityType="N.T${i}"/>\n`,
    ],
    ['types that do not end', (i) => `<EntityType Name="T${i}"><Property Name="Password" Type="Edm.Int32"/>\n`],
    ['types that end at once', (i) => `<EntityType Name="T${i}"/>\n`],
    ['properties', (i) => `<Property Name="Password${i}" Type="Edm.Int32"/>\n`],
    ['keys', (i) => `<PropertyRef Name="Password${i}"/><Property Name="Password${i}" Type="Edm.String"/>\n`],
    ['elements that do not end', (i) => `<Property Name="Password${i}" `],
    ['sets of one type', (i) => `<EntitySet Name="User${i}" EntityType="N.User"/>\n`],
  ] satisfies [string, Construct['unit']][]
).flatMap(([name, unit]) => [
  construct(`metadata of OData: ${name}`, METADATA, unit, {
    ...METADATA_ENDS,
    foot: '</EntityType><EntitySet Name="UserSet" EntityType="N.User"/></Schema>\n',
    beside: READER,
  }),
  construct(`metadata of OData without an end: ${name}`, METADATA, unit, { ...METADATA_ENDS, foot: '', beside: READER }),
])

const CLASSIC: Construct['beside'] = [
  ['js/package.json', '{ "dependencies": { "@sap/xsjs": "^6" } }'],
  ['js/lib/exits/orders.xsjslib', "function create(p) { $.session.assertAppPrivilege('a'); p.b() }\n"],
]
const XSODATA = 'js/lib/a.xsodata'
const XSODATA_ENDS = within('service namespace "a" {', '}')

const XS_CLASSIC: readonly Construct[] = [
  construct(
    'xsodata: entities',
    XSODATA,
    (i) => `"a::T${i}" as "T${i}" navigates ("B" as "c") create using "exits:orders.xsjslib::create" update forbidden;\n`,
    { ...XSODATA_ENDS, beside: CLASSIC },
  ),
  construct('xsodata: open entities', XSODATA, (i) => `"a::T${i}" as "T${i}" with ("A", "B${i}");\n`, {
    ...XSODATA_ENDS,
    beside: CLASSIC,
  }),
  construct('xsodata: one long statement', XSODATA, (i) => `create using "exits:a${i}.xsjslib::b" without ( with (\n`, {
    ...within('service { "a::T" as "T"', '; }'),
    beside: CLASSIC,
  }),
  construct('xsodata: comments', XSODATA, (i) => `// a${i}\n/* "b" as "c"; */\n/`, { ...XSODATA_ENDS, beside: CLASSIC }),
  construct('xsjslib: checks', 'js/lib/b.xsjslib', (i) => `function f${i}() { $.session.assertAppPrivilege('p${i}') }\n`, {
    nest: [(i) => `function g${i}() {\n`, '}\n'],
    beside: [...CLASSIC, [XSODATA, 'service { "a::T" as "T" create using "b.xsjslib::f0"; }\n']],
  }),
  construct(
    'xsjs: parameters',
    'js/lib/b.xsjs',
    (i) =>
      `var a${i} = $.request.parameters.get('a${i}'); $.import('a.b${i}', 'orders'); $.hdb.getConnection().executeQuery('SELECT ' + a${i})\n`,
    { beside: CLASSIC },
  ),
]

const COMPOSE: readonly Construct[] = (
  [
    ['services that are built', (i) => `  s${i}:\n    build: {context: ./s${i}/}\n    depends_on: [s${i + 1}]\n`],
    [
      'services that reach each other',
      (i) => `  s${i}:\n    image: r/s${i}:1\n    environment: {URL: "http://s${i + 1}:80", DB_PASSWORD: "\${P${i}:-Zx9${i}}"}\n`,
    ],
    [
      'databases',
      (i) =>
        `  d${i}:\n    image: postgres:16\n    ports: ["0.0.0.0:${i % 9000}:5432"]\n    environment: [POSTGRES_PASSWORD=Zx9${i}qLm]\n`,
    ],
    [
      'commands',
      (i) => `  c${i}:\n    image: a\n    privileged: true\n    command: ["sh", "-c", "cds-serve --profile development ${i}"]\n`,
    ],
  ] satisfies [string, Construct['unit']][]
).map(([name, unit]) => construct(`compose: ${name}`, 'docker-compose.yml', unit, { head: 'services:\n', beside: CAP }))

const COMPOSE_PARTS: readonly Construct[] = [
  construct('compose: variables', 'compose.yaml', (i) => `      - "V${i}=\${A:-\${B:-c}} \${D${i}}"\n`, {
    head: 'services:\n  a:\n    image: b\n    environment:\n',
  }),
  construct('compose: volumes', 'compose.yaml', (i) => `      - "./a${i}:/b${i}:ro"\n`, {
    head: 'services:\n  a:\n    image: b\n    volumes:\n',
  }),
  construct(
    'web.xml: constraints',
    'srv/src/main/webapp/WEB-INF/web.xml',
    (i) =>
      `<security-constraint><web-resource-collection><url-pattern>/a${i}/*</url-pattern></web-resource-collection><auth-constraint><role-name>*</role-name></auth-constraint></security-constraint>\n`,
    within('<web-app>', '</web-app>'),
  ),
]

const APPROUTER: Construct['beside'] = [
  ['package.json', '{ "dependencies": { "@sap/approuter": "^23" }, "scripts": { "start": "node index.js" } }'],
  ['xs-app.json', '{ "routes": [{ "source": "^/(.*)$", "destination": "d", "authenticationType": "xsuaa" }] }'],
]
const EXTENSIONS: readonly Construct[] = (
  [
    ['handlers', (i) => `ar.beforeRequestHandler.use('/a${i}', (req, res) => { res.end(JSON.stringify(req.user.token)) })\n`],
    [
      'handlers before all',
      (i) => `ar.first.use('/a${i}', (req, res) => { if (!req.user) return res.status(401).end(); res.json(process.env.A) })\n`,
    ],
    ['applications', (i) => `const e${i} = require('express')(); e${i}.get('/health', h); ar.first.use('/a${i}', e${i})\n`],
  ] satisfies [string, Construct['unit']][]
).map(([name, unit]) =>
  construct(`approuter: ${name}`, 'index.js', unit, {
    ...within("const ar = require('@sap/approuter')()", 'ar.start()'),
    beside: APPROUTER,
  }),
)

/** What newer rules read: Python, metadata of OData, services of XS classic, compose files, extensions of approuters. */
export const BACKENDS: readonly Construct[] = [
  ...PYTHON,
  ...PHP,
  ...ODATA,
  ...XS_CLASSIC,
  ...COMPOSE,
  ...COMPOSE_PARTS,
  ...EXTENSIONS,
]
