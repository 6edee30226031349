import type { Construct } from './construct.ts'
import { CAP, construct, LIST, members, UI5, within } from './writing.ts'

const JSON_FILES: readonly Construct[] = [
  construct(
    'JSON: empty objects',
    'x/package.json',
    members(() => '{}'),
    LIST,
  ),
  construct(
    'JSON: keys',
    'x/package.json',
    members((i) => `"k${i}": "v"`),
    within('{', '}'),
  ),
  construct(
    'JSON: one key again and again',
    'x/package.json',
    members(() => '"a": 1'),
    within('{', '}'),
  ),
  construct(
    'JSON: keys of prototypes',
    'x/package.json',
    members(() => '"__proto__": {}'),
    within('{', '}'),
  ),
  construct(
    'JSON: numbers',
    'default-env.json',
    members((i) => `${i}.5e-3`),
    LIST,
  ),
  construct(
    'JSON: strings',
    'default-env.json',
    members((i) => `"a\\u0041\\n${i}"`),
    LIST,
  ),
  construct(
    'JSON: lists',
    'default-env.json',
    members(() => '[[], [{}]]'),
    { ...LIST },
  ),
  construct('JSON: comments', '.cdsrc.json', () => '// a\n/* b */\n', within('{', '}')),
  construct('JSON: errors', '.cdsrc.json', () => '"a" : : ,, ] }\n', within('{', '')),
  construct(
    'JSON: credentials',
    'default-env.json',
    members((i) => `"s${i}": { "clientsecret": "Zx9${i}qLmkT4w", "url": "https://a${i}.example" }`),
    within('{ "VCAP_SERVICES": {', '} }'),
  ),
  construct(
    'manifest: models',
    'webapp/manifest.json',
    members((i) => `"m${i}": { "type": "sap.ui.model.odata.v4.ODataModel", "dataSource": "d${i}", "settings": {} }`),
    within('{ "sap.app": { "id": "shop", "dataSources": {} }, "sap.ui5": { "models": {', '} } }'),
  ),
  construct(
    'manifest: data sources',
    'webapp/manifest.json',
    members((i) => `"d${i}": { "uri": "http://a${i}.example/", "type": "OData" }`),
    within('{ "sap.app": { "id": "shop", "dataSources": {', '} }, "sap.ui5": {} }'),
  ),
  construct(
    'manifest: routes',
    'webapp/manifest.json',
    members((i) => `{ "name": "r${i}", "pattern": "a${i}/{b}", "target": "t${i}" }`),
    within('{ "sap.app": { "id": "shop" }, "sap.ui5": { "routing": { "routes": [', '] } } }'),
  ),
  construct(
    'manifest: libraries',
    'webapp/manifest.json',
    members((i) => `"sap.l${i}": { "minVersion": "1.${i}.0", "lazy": true }`),
    within('{ "sap.app": { "id": "shop" }, "sap.ui5": { "dependencies": { "libs": {', '} } } }'),
  ),
  construct(
    'xs-app: routes',
    'approuter/xs-app.json',
    members(
      (i) =>
        `{ "source": "^/a${i}/(.*)$", "target": "$1", "destination": "d", "authenticationType": "${i % 2 === 0 ? 'none' : 'xsuaa'}" }`,
    ),
    within('{ "authenticationMethod": "route", "routes": [', '] }'),
  ),
  construct(
    'xs-app: routes that are hard to decide',
    'approuter/xs-app.json',
    members((i) => `{ "source": "^/.*a.*b${i}.*$", "destination": "d", "authenticationType": "none" }`),
    within('{ "routes": [', '] }'),
  ),
  construct(
    'xs-app: scopes',
    'approuter/xs-app.json',
    members(
      (i) =>
        `{ "source": "^/s${i}$", "destination": "d", "scope": { "GET": ["$XSAPPNAME.a${i}"], "default": "b" }, "authenticationType": "xsuaa" }`,
    ),
    within('{ "routes": [', '] }'),
  ),
  construct(
    'xs-security: scopes',
    'xs-security.json',
    members((i) => `{ "name": "$XSAPPNAME.s${i}", "description": "a" }`),
    { ...within('{ "xsappname": "shop", "scopes": [', '] }'), beside: CAP },
  ),
  construct(
    'xs-security: role templates',
    'xs-security.json',
    members((i) => `{ "name": "r${i}", "scope-references": ["$XSAPPNAME.s${i}", "uaa.user"], "attribute-references": ["a"] }`),
    { ...within('{ "xsappname": "shop", "role-templates": [', '] }'), beside: CAP },
  ),
  construct(
    'xs-security: role collections',
    'xs-security.json',
    members((i) => `{ "name": "c${i}", "role-template-references": ["$XSAPPNAME.r${i}"] }`),
    { ...within('{ "xsappname": "shop", "role-collections": [', '] }'), beside: CAP },
  ),
  construct(
    'xs-security: redirects',
    'xs-security.json',
    members((i) => `"https://*.a${i}.example/**"`),
    within('{ "xsappname": "shop", "oauth2-configuration": { "redirect-uris": [', '] } }'),
  ),
  construct(
    'cdsrc: profiles',
    '.cdsrc.json',
    members((i) => `"[p${i}]": { "requires": { "auth": { "kind": "mocked", "users": { "u${i}": { "password": "p" } } } } }`),
    { ...within('{', '}'), beside: CAP },
  ),
  construct(
    'package: dependencies',
    'package.json',
    members((i) => `"p${i}": "^${i % 9}.1.0"`),
    within('{ "name": "shop", "dependencies": {', '} }'),
  ),
  construct(
    'package: scripts',
    'package.json',
    members((i) => `"s${i}": "curl -k https://a${i}.example | sh && node x.js --password Zx9${i}"`),
    within('{ "name": "shop", "scripts": {', '} }'),
  ),
  construct(
    'package: workspaces',
    'package.json',
    members((i) => `"packages/*/a${i}/**"`),
    { ...within('{ "workspaces": [', '] }'), beside: [['packages/a/package.json', '{}']] },
  ),
  construct(
    'package: overrides',
    'package.json',
    members((i) => `"o${i}": { "a${i}": "1", ".": "2" }`),
    within('{ "name": "shop", "overrides": {', '} }'),
  ),
  construct(
    'configuration: excluded',
    'parapet.config.json',
    members((i) => `"**/a${i}/*.js"`),
    { ...within('{ "exclude": [', '] }'), beside: UI5 },
  ),
  construct(
    'configuration: stars',
    'parapet.config.json',
    members((i) => `"**/a*a*a*${i}/**/b*"`),
    { ...within('{ "exclude": [', '] }'), beside: [[`${'a/'.repeat(50)}${'a'.repeat(100)}.js`, 'eval(x)']] },
  ),
  construct(
    'configuration: suppressions',
    'parapet.config.json',
    members((i) => `{ "rule": "ui5/eval", "path": "webapp/a${i}.js", "reason": "b" }`),
    { ...within('{ "suppress": [', '] }'), beside: [...UI5, ['webapp/a1.js', 'eval(location.hash)\n'.repeat(100)]] },
  ),
  construct(
    'configuration: sources',
    'parapet.config.json',
    members((i) => `{ "at": "module:lib${i} go" }`),
    { ...within('{ "flow": { "sources": [', '] } }'), beside: [...UI5, ['webapp/a1.js', 'eval(location.hash)\n'.repeat(100)]] },
  ),
  construct(
    'view in JSON: controls',
    'webapp/view/A.view.json',
    members((i) => `{ "Type": "sap.m.Text", "text": "{/a${i}}", "press": "go" }`),
    { ...within('{ "Type": "sap.ui.core.mvc.JSONView", "content": [', '] }'), beside: UI5 },
  ),
  construct(
    'destinations',
    'destination.json',
    members(
      (i) => `{ "Name": "d${i}", "URL": "http://a${i}.example", "Authentication": "BasicAuthentication", "Password": "Zx9${i}" }`,
    ),
    LIST,
  ),
]

const LOCKS: readonly Construct[] = [
  construct(
    'package-lock: packages',
    'package-lock.json',
    members(
      (i) =>
        `"node_modules/p${i}": { "version": "1.${i}.0", "resolved": "https://r.example/p.tgz", "integrity": "sha512-a", "dependencies": { "p${i + 1}": "^1" } }`,
    ),
    {
      ...within('{ "lockfileVersion": 3, "packages": {', '} }'),
      beside: [['package.json', '{ "name": "shop", "dependencies": { "p0": "1" } }']],
    },
  ),
  construct(
    'package-lock: versions of one package',
    'package-lock.json',
    members((i) => `"node_modules/a${i}/node_modules/lodash": { "version": "4.17.${i}" }`),
    { ...within('{ "lockfileVersion": 3, "packages": {', '} }'), beside: [['package.json', '{ "name": "shop" }']] },
  ),
  construct(
    'package-lock: empty objects',
    'package-lock.json',
    members(() => '{}'),
    LIST,
  ),
  construct(
    'package-lock: dependencies',
    'package-lock.json',
    members((i) => `"p${i}": { "version": "1.${i}.0", "requires": { "p${i + 1}": "1" } }`),
    { ...within('{ "lockfileVersion": 1, "dependencies": {', '} }') },
  ),
  construct(
    'yarn.lock: packages',
    'yarn.lock',
    (i) =>
      `p${i}@^1, p${i}@~1.0:\n  version "1.0.${i}"\n  resolved "https://r.example/p.tgz#a"\n  dependencies:\n    p${i + 1} "^1"\n\n`,
    { head: '# yarn lockfile v1\n\n', beside: [['package.json', '{ "name": "shop" }']] },
  ),
  construct(
    'yarn.lock: of berry',
    'yarn.lock',
    (i) =>
      `"p${i}@npm:^1":\n  version: 1.0.${i}\n  resolution: "p${i}@npm:1.0.${i}"\n  checksum: a\n  dependencies:\n    p${i + 1}: ^1\n\n`,
    { head: '__metadata:\n  version: 8\n\n' },
  ),
  construct(
    'pnpm-lock: packages',
    'pnpm-lock.yaml',
    (i) => `  p${i}@1.0.${i}:\n    resolution: {integrity: sha512-a}\n    dependencies:\n      p${i + 1}: 1.0.0\n`,
    { head: "lockfileVersion: '9.0'\npackages:\n" },
  ),
  construct(
    'pnpm-lock: importers',
    'pnpm-lock.yaml',
    (i) => `  packages/a${i}:\n    dependencies:\n      b:\n        specifier: ^1\n        version: 1.0.${i}\n`,
    { head: "lockfileVersion: '9.0'\nimporters:\n" },
  ),
]

const YAML_FILES: readonly Construct[] = [
  construct('YAML: keys', 'ui5.yaml', (i) => `k${i}: v\n`),
  construct('YAML: lists', 'ui5.yaml', (i) => `- a${i}\n`),
  construct('YAML: lists in brackets', 'ui5.yaml', (i) => `k${i}: [a, {b: c}, "d", 'e']\n`),
  construct('YAML: anchors and aliases', 'mta.yaml', (i) => `a${i}: &b${i} [*b${Math.max(0, i - 1)}, *b${Math.max(0, i - 1)}]\n`),
  construct('YAML: merged keys', 'mta.yaml', (i) => `m${i}: &n${i}\n  <<: *n${Math.max(0, i - 1)}\n  k${i}: v\n`),
  construct('YAML: aliases of one anchor', '.gitlab-ci.yml', (i) => `j${i}:\n  script: *one\n`, { head: 'x: &one [a, b, c]\n' }),
  construct(
    'YAML: documents',
    'k8s/a.yaml',
    (i) => `---\napiVersion: v1\nkind: Secret\nmetadata: {name: s${i}}\nstringData: {password: Zx9${i}}\n`,
  ),
  construct('YAML: texts in blocks', 'ui5.yaml', (i) => `t${i}: |\n  a\n  b\nu${i}: >-\n  c\n`),
  construct('YAML: comments', 'ui5.yaml', (i) => `# a${i}\n`),
  construct('YAML: errors', 'ui5.yaml', (i) => `a${i}: b: c: [\n`),
  construct('YAML: quotes', 'ui5.yaml', (i) => `"k${i}": "a\\n\\x41"\n`),
  construct(
    'mta: modules',
    'mta.yaml',
    (i) =>
      `  - name: m${i}\n    type: nodejs\n    path: srv${i}\n    requires: [{name: r${i}}, {name: m${i + 1}-api}]\n    provides: [{name: m${i}-api, properties: {url: "\${default-url}"}}]\n`,
    { head: '_schema-version: "3.1"\nID: shop\nmodules:\n' },
  ),
  construct(
    'mta: resources',
    'mta.yaml',
    (i) =>
      `  - name: r${i}\n    type: org.cloudfoundry.managed-service\n    parameters: {service: xsuaa, service-plan: application, config: {xsappname: "a-\${space}"}}\n`,
    { head: '_schema-version: "3.1"\nID: shop\nresources:\n' },
  ),
  construct('mta: extensions', 'dev.mtaext', (i) => `  - name: m${i}\n    properties: {A: "~{b}", PASSWORD: Zx9${i}}\n`, {
    head: '_schema-version: "3.1"\nID: dev\nextends: shop\nmodules:\n',
    beside: [['mta.yaml', '_schema-version: "3.1"\nID: shop\nmodules:\n  - name: m1\n    type: nodejs\n']],
  }),
  construct(
    'manifest.yml: applications',
    'manifest.yml',
    (i) => `  - name: a${i}\n    env: {PASSWORD: Zx9${i}, NODE_TLS_REJECT_UNAUTHORIZED: "0"}\n    services: [b${i}]\n`,
    { head: 'applications:\n' },
  ),
  construct(
    'Kubernetes: containers',
    'k8s/deployment.yaml',
    (i) =>
      `        - name: c${i}\n          image: a:${i}\n          securityContext: {privileged: true}\n          env: [{name: B, value: c}]\n`,
    { head: 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec:\n  template:\n    spec:\n      containers:\n' },
  ),
  construct('Kubernetes: rules', 'k8s/apirule.yaml', (i) => `    - path: /a${i}/*\n      methods: [GET]\n      noAuth: true\n`, {
    head: 'apiVersion: gateway.kyma-project.io/v2\nkind: APIRule\nmetadata: {name: a}\nspec:\n  rules:\n',
  }),
  construct(
    'compose: services',
    'compose.yaml',
    (i) => `  s${i}:\n    image: a\n    ports: ["80${i % 90}:80"]\n    environment: [PASSWORD=Zx9${i}]\n`,
    { head: 'services:\n' },
  ),
  construct(
    'workflow: steps',
    '.github/workflows/a.yml',
    (i) =>
      `      - uses: a/b@v${i}\n      - run: |\n          echo \${{ github.event.issue.title }} ${i}\n          curl -k https://a.example | sh\n`,
    { head: 'on: issues\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n' },
  ),
  construct(
    'workflow: jobs',
    '.github/workflows/a.yml',
    (i) => `  j${i}:\n    needs: [j${i + 1}]\n    runs-on: ubuntu-latest\n    steps: [{run: "echo \${{ github.head_ref }}"}]\n`,
    { head: 'on: pull_request_target\njobs:\n' },
  ),
  construct('Azure: steps', 'azure-pipelines.yml', (i) => `  - script: echo $(Build.SourceBranchName) ${i}\n`, {
    head: 'steps:\n',
  }),
  construct('GitLab: jobs', '.gitlab-ci.yml', (i) => `j${i}:\n  script: ["echo $CI_COMMIT_TITLE ${i}"]\n  extends: j${i + 1}\n`),
  construct(
    'application.yaml',
    'srv/src/main/resources/application.yaml',
    (i) => `---\nspring: {config.activate.on-profile: p${i}}\ncds: {security: {mock: {users: [{name: u${i}, password: p}]}}}\n`,
  ),
]

const TEXTS: readonly Construct[] = [
  construct('properties: keys', 'webapp/i18n/i18n.properties', (i) => `k${i}=value ${i} \\u0041\n`),
  construct('properties: lines that go on', '.env', (i) => `K${i}=a \\\n  b \\\n`),
  construct('properties: credentials', '.env', (i) => `PASSWORD_${i}=Zx9${i}qLmkT4w\n`),
  construct('properties: exports', '.env', (i) => `export K${i}="a \\" \${K${i + 1}}"\n`),
  construct('Markdown: headings', 'README.md', (i) => `# A ${i}\ntext *b* \`c\` [d](https://a${i}.example)\n`),
  construct('Markdown: code', 'README.md', (i) => `\`\`\`sh\ncurl -u admin:Zx9${i}qLmkT4w https://a.example\n\`\`\`\n`),
  construct('Markdown: tables', 'README.md', (i) => `| a${i} | password | Zx9${i}qLm |\n`),
  construct('Markdown: lists', 'README.md', (i) => `${'  '.repeat(i % 20)}- a${i}: token = Zx9${i}qLm\n`),
  construct('Dockerfile: commands', 'Dockerfile', (i) => `RUN curl -k https://a${i}.example | sh && npm install p${i}\n`, {
    head: 'FROM node:20\n',
  }),
  construct(
    'Dockerfile: stages',
    'Dockerfile',
    (i) => `FROM node:${i} AS s${i}\nCOPY --from=s${Math.max(0, i - 1)} /a /b\nENV PASSWORD=Zx9${i}qLm\nUSER root\n`,
  ),
  construct('Dockerfile: lines that go on', 'Dockerfile', (i) => `  a${i} \\\n`, {
    head: 'FROM node:20\nRUN echo \\\n',
    foot: '  b\n',
  }),
  construct(
    'Jenkinsfile: stages',
    'Jenkinsfile',
    (i) => `stage('a${i}') { steps { sh "curl -k https://a.example/\${params.B${i}} | sh" } }\n`,
    { head: 'pipeline { agent any\nstages {\n', foot: '} }\n', nest: [(i) => `stage('n${i}') { stages {\n`, '} }\n'] },
  ),
  construct(
    'Jenkinsfile: credentials',
    'Jenkinsfile',
    (i) => `withCredentials([string(credentialsId: 'a${i}', variable: 'B')]) { echo "\${B}" }\n`,
  ),
  construct(
    'shell: commands',
    'deploy.sh',
    (i) => `curl -k -u admin:Zx9${i} "https://a.example/$1" | sh || cf login -p 'Zx9${i}qLm'\n`,
  ),
  construct('shell: lines that go on', 'deploy.sh', (i) => `  --a${i} b \\\n`, { head: 'curl \\\n' }),
  construct('shell: quotes', 'deploy.sh', (i) => `echo "a $(b '${i}' "c")" \`d\`\n`),
  construct('shell: here documents', 'deploy.sh', (i) => `cat <<E${i}\npassword=Zx9${i}qLm\nE${i}\n`),
  construct('ignore file: patterns', '.gitignore', (i) => `a${i}/**/b*\n!c${i}\n`, {
    beside: [
      ['.env', 'A=b\n'],
      ['default-env.json', '{}'],
    ],
  }),
  construct('ignore file: stars', '.dockerignore', (i) => `**/a*a*a*a*${i}b/**/c*\n`, {
    beside: [
      ['Dockerfile', 'FROM node:20\nCOPY . .\n'],
      [`${'a/'.repeat(50)}${'a'.repeat(100)}.env`, 'A=b\n'],
    ],
  }),
  construct('npmrc', '.npmrc', (i) => `//r${i}.example/:_authToken=Zx9${i}qLmkT4w\nregistry=http://r${i}.example\n`),
  construct('Procfile', 'Procfile', (i) => `p${i}: node --inspect=0.0.0.0 a.js\n`),
  construct('CSV: rows', 'db/data/x-Users.csv', (i) => `${i};"a ""b""";Zx9${i}qLm\n`, { head: 'ID;name;password\n' }),
  construct('CSV: columns', 'db/data/x-Users.csv', (i) => `c${i};`, { foot: '\n1;2\n' }),
  construct(
    'pom: dependencies',
    'pom.xml',
    (i) => `<dependency><groupId>g${i}</groupId><artifactId>a</artifactId><version>\${v${i}}</version></dependency>\n`,
    within('<project><dependencies>', '</dependencies></project>'),
  ),
  construct(
    'pom: properties',
    'pom.xml',
    (i) => `<v${i}>\${v${i + 1}}</v${i}>\n`,
    within('<project><properties>', '</properties></project>'),
  ),
  construct('text: words like credentials', 'notes.txt', (i) => `password token secret apikey ${i} bearer basic\n`),
  construct('text: assignments', 'notes.txt', (i) => `password${i} = Zx9${i}qLmkT4w\n`),
  construct('text: addresses', 'notes.txt', (i) => `https://u${i}:Zx9${i}qLm@a.example/b?token=Zx9${i}\n`),
  construct('text: base64', 'notes.txt', (i) => `${btoa(`user${i}:Zx9${i}qLmkT4w`).repeat(4)}\n`),
  construct('text: keys in PEM', 'notes.txt', (i) => `-----BEGIN ${'PRIVATE'} KEY-----\nMII${i}\n`),
  construct('text: quotes', 'notes.txt', () => `"'\`"'\`\\"\\'`),
  construct('text: blanks', 'notes.txt', () => 'password =          \t   \n'),
  construct(
    'hdbrole',
    'db/src/a.hdbrole',
    members((i) => `{ "name": "S${i}", "privileges": ["SELECT", "EXECUTE"] }`),
    within('{ "role": { "name": "r", "schema_privileges": [', '] } }'),
  ),
  construct(
    'calculation view',
    'db/src/a.hdbcalculationview',
    (i) => `<calculationView id="c${i}"><filter>"A" = \${B}</filter></calculationView>\n`,
    within('<Calculation:scenario xmlns:Calculation="a" applyPrivilegeType="NONE">', '</Calculation:scenario>'),
  ),
]

/** JSON, YAML, properties, lock files, Markdown, Dockerfiles, pipelines, ignore files, configuration. */
export const SETTINGS: readonly Construct[] = [...JSON_FILES, ...LOCKS, ...YAML_FILES, ...TEXTS]
