import type { Pen, Write } from './sample.ts'

/** A file in which a name gets a value. */
export type Carrier = (pen: Pen, name: string, value: string) => readonly [path: string, text: string]

const isIdentifier = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name)
const key = (name: string): string => (isIdentifier(name) ? name : `'${name}'`)
const toUpper = (name: string): string => name.replaceAll(/(?<=[a-z])(?=[A-Z])|[.-]/g, '_').toUpperCase()
const toVariable = (name: string): string => name.replaceAll(/\W/g, '_')
const toXml = (value: string): string => value.replaceAll('&', '&amp;')

/** Formats of settings, in which a value stands bare or quoted. */
export const SETTING_CARRIERS: Readonly<Record<string, Carrier>> = {
  'a .env file': (_pen, name, value) => ['.env', `# local\nPORT=4004\n${toUpper(name)}=${value}\nLOG_LEVEL=debug\n`],
  'a quoted .env value': (_pen, name, value) => ['.env.local', `NODE_ENV=development\n${toUpper(name)}="${value}"\n`],
  'a JSON file': (_pen, name, value) => [
    'config/settings.json',
    `{\n  "title": "Orders",\n  "service": {\n    "${name}": "${value}",\n    "timeout": 30000\n  }\n}\n`,
  ],
  'a one-line JSON file': (pen, name, value) => ['srv/config.json', `{"host":"${pen.host()}","${name}":"${value}","retries":3}`],
  'a YAML file': (pen, name, value) => [
    'config/app.yaml',
    `service:\n  host: ${pen.host()}\n  ${name}: "${value}"\n  retries: 3\n`,
  ],
  'a single-quoted YAML value': (_pen, name, value) => ['config.yml', `${name}: '${value}'\nport: 8080\n`],
  'a properties file': (_pen, name, value) => [
    'src/main/resources/app.properties',
    `server.port=8080\norders.${name}=${value}\n`,
  ],
  'an ini file': (pen, name, value) => ['conf/app.ini', `[orders]\nhost = ${pen.host()}\n${name} = ${value}\n`],
  'a workflow': (_pen, name, value) => [
    '.github/workflows/deploy.yml',
    `on: push\njobs:\n  deploy:\n    runs-on: ubuntu-latest\n    env:\n      ${toUpper(name)}: "${value}"\n    steps:\n      - run: npm ci\n`,
  ],
  'variables of Terraform': (_pen, name, value) => ['infra/prod.tfvars', `region = "eu10"\n${toVariable(name)} = "${value}"\n`],
  'application settings in XML': (_pen, name, value) => [
    'web.config',
    `<configuration>\n  <appSettings>\n    <add key="${name}" value="${toXml(value)}" />\n  </appSettings>\n</configuration>\n`,
  ],
  'a Dockerfile': (_pen, name, value) => ['Dockerfile', `FROM node:20\nENV ${toUpper(name)}="${value}"\nCMD ["node", "srv"]\n`],
  'a shell script': (_pen, name, value) => [
    'scripts/deploy.sh',
    `#!/bin/sh\nset -e\nexport ${toUpper(name)}='${value}'\nnpm run deploy\n`,
  ],
  'a code block of a README': (_pen, name, value) => [
    'docs/setup.md',
    `# Setup\n\nCreate a file \`.env\`:\n\n\`\`\`sh\n${toUpper(name)}=${value}\n\`\`\`\n`,
  ],
  'JSON in a string of JSON': (_pen, name, value) => [
    'config/process.json',
    JSON.stringify({ apps: [{ name: 'srv', env: JSON.stringify({ [name]: value }) }] }, undefined, 2),
  ],
}

/** Programs, in which it is a literal. */
export const CODE_CARRIERS: Readonly<Record<string, Carrier>> = {
  'a constant': (_pen, name, value) => [
    'srv/lib/client.js',
    `'use strict'\nconst ${toVariable(name)} = '${value}'\nmodule.exports = { run() {} }\n`,
  ],
  'a property': (_pen, name, value) => [
    'srv/lib/connect.js',
    `const axios = require('axios')\nmodule.exports = axios.create({\n  timeout: 1000,\n  ${key(name)}: "${value}",\n})\n`,
  ],
  'a field of a class': (pen, name, value) => [
    'src/client.ts',
    `export class Client {\n  private readonly ${toVariable(name)}: string = '${value}'\n  readonly url = 'https://${pen.host()}'\n}\n`,
  ],
  'an assigned property': (_pen, name, value) => [
    'webapp/controller/Main.controller.js',
    `sap.ui.define(["sap/ui/core/mvc/Controller"], function (Controller) {\n  return Controller.extend("a.Main", {\n    onInit: function () {\n      this.${toVariable(name)} = "${value}";\n    }\n  });\n});\n`,
  ],
  'a fallback of an environment variable': (_pen, name, value) => [
    'srv/server.js',
    `const cds = require('@sap/cds')\nconst ${toVariable(name)} = process.env.${toUpper(name)} || '${value}'\nmodule.exports = cds.server\n`,
  ],
  'a Java constant': (_pen, name, value) => [
    'src/main/java/com/acme/Client.java',
    `package com.acme;\n\npublic class Client {\n  private static final String ${toUpper(name)} = "${value}";\n}\n`,
  ],
  'a Python constant': (pen, name, value) => [
    'scripts/load.py',
    `import requests\n\n${toUpper(name)} = '${value}'\nURL = 'https://${pen.host()}'\n`,
  ],
  'a page': (_pen, name, value) => [
    'webapp/index.html',
    `<!DOCTYPE html>\n<html>\n<head>\n<script>\n  var ${toVariable(name)} = "${value}";\n</script>\n</head>\n<body></body>\n</html>\n`,
  ],
  'JSON in a string': (_pen, name, value) => [
    'srv/lib/config.js',
    `const config = JSON.parse('{"${name}":"${value}","port":443}')\nmodule.exports = config\n`,
  ],
}

/** Places without any name. */
export const BARE_CARRIERS: Readonly<Record<string, Carrier>> = {
  'an argument': (_pen, _name, value) => ['srv/lib/run.js', `const { connect } = require('./api')\nconnect('${value}')\n`],
  'a comment': (_pen, _name, value) => ['srv/lib/todo.js', `// worked yesterday with ${value}\nmodule.exports = {}\n`],
  'a sentence of a README': (_pen, _name, value) => ['README.md', `# Orders\n\nThe first call needs ${value} as its token.\n`],
  'a list': (_pen, _name, value) => ['config/list.json', `[\n  "orders",\n  "${value}"\n]\n`],
  'a template': (_pen, _name, value) => ['srv/lib/template.ts', `export const line = \`use \${who} with ${value} \${when}\`\n`],
}

/** As a writer of samples: the value is to be found. */
export function carry(carrier: Carrier, name: string, value: (pen: Pen) => string): Write {
  return (pen) => carrier(pen, name, pen.put(value(pen)))
}

/** As a writer of safe twins: nothing is to be found. */
export function carrySafe(carrier: Carrier, name: string, value: (pen: Pen) => string): Write {
  return (pen) => carrier(pen, name, value(pen))
}
