import type { Places } from './place.ts'

/** Credentials in texts for people: documentation, comments, tickets, translations. */
export const NOTE_PLACES: Places = {
  'password is': (pen) => [
    'docs/access.md',
    `The password is ${pen.either(`\`${pen.put(pen.generated())}\``, 'stored in the vault', '`<password>`')}.\n`,
  ],
  'password: in a list': (pen) => [
    'docs/access.md',
    `- User: SVC_ERP\n- Password: ${pen.either(pen.put(pen.generated()), 'see the vault', 'ask the operators')}\n`,
  ],
  'bold label': (pen) => [
    'README.md',
    `**User:** svc  \n**Password:** ${pen.either(`\`${pen.put(pen.generated())}\``, '`<your password>`', 'see below')}\n`,
  ],
  'row of a table': (pen) => [
    'docs/systems.md',
    `| System | User | Password |\n| --- | --- | --- |\n| QAS | SVC | ${pen.either(pen.put(pen.generated()), 'vault', '***')} |\n`,
  ],
  'row of a table with a label': (pen) => [
    'docs/systems.md',
    `| Setting | Value |\n| --- | --- |\n| Client secret | \`${pen.key('<client secret>', '...')}\` |\n`,
  ],
  'credentials by a slash': (pen) => [
    'docs/login.md',
    `Log in with SVC_ERP / ${pen.either(pen.put(pen.generated()), 'your password', '<password>')} (password).\n`,
  ],
  'with password': (pen) => [
    'docs/login.md',
    `Log in as user \`svc\` with password \`${pen.either(pen.put(pen.generated()), '<password>', '$PASSWORD')}\`.\n`,
  ],
  'German prose': (pen) => [
    'docs/zugang.md',
    `Benutzer: SVC_ERP, Passwort: ${pen.either(pen.put(pen.generated()), 'siehe Tresor', '<Passwort>')}\n`,
  ],
  'French prose': (pen) => [
    'docs/acces.md',
    `Mot de passe : \`${pen.either(pen.put(pen.generated()), '<mot de passe>', '...')}\`\n`,
  ],
  'the key is': (pen) => ['docs/api.md', `Use the API key \`${pen.key('<key>', 'APIKEY')}\` for the sandbox.\n`],
  'line comment of code': (pen) => [
    'srv/a.js',
    `// user svc, password ${pen.either(`"${pen.put(pen.generated())}"`, 'from the vault', '"<password>"')}\nmodule.exports = 1\n`,
  ],
  'label in a line comment': (pen) => [
    'srv/b.js',
    `// Password: ${pen.either(pen.put(pen.generated()), 'see the vault', 'min. 8 characters')}\nmodule.exports = 1\n`,
  ],
  'old value in a comment': (pen) => [
    'srv/c.js',
    `const conf = {\n  // password: '${pen.hide('', '<password>')}',\n  password: process.env.PW,\n}\n`,
  ],
  'comment of a block': (pen) => [
    'srv/src/main/java/A.java',
    `/*\n * user = svc\n * password = ${pen.either(pen.put(pen.generated()), 'see the vault', '<password>')}\n */\nclass A {}\n`,
  ],
  'comment of ABAP': (pen) => [
    'src/z.prog.abap',
    `* user SVC password ${pen.either(`'${pen.put(pen.generated())}'`, 'in SECSTORE', "'<password>'")}\nREPORT z.\n`,
  ],
  'comment of YAML': (pen) => [
    'config/a.yaml',
    `erp:\n  user: svc\n  # password: ${pen.either(pen.put(pen.generated()), '<password>', '${PW}')}\n`,
  ],
  'comment of properties': (pen) => [
    'config/a.properties',
    `# erp.password=${pen.either(pen.put(pen.generated()), '<password>', '${PW}')}\nerp.user=svc\n`,
  ],
  'comment of XML': (pen) => [
    'config/a.xml',
    `<a>\n  <!-- password: ${pen.either(pen.put(pen.generated()), 'see vault', '${pw}')} -->\n</a>\n`,
  ],
  'comment of SQL': (pen) => [
    'db/a.sql',
    `-- password: ${pen.either(pen.put(pen.generated()), 'see vault', '<password>')}\nSELECT 1 FROM DUMMY;\n`,
  ],
  'todo with a password': (pen) => [
    'srv/d.ts',
    `// TODO remove: login with admin:${pen.either(pen.put(pen.generated()), '<password>', '${pw}')} (user:password)\nexport {}\n`,
  ],
  'doc string of Python': (pen) => [
    'tools/a.py',
    `"""Loads orders.\n\nuser: svc\npassword: ${pen.either(pen.put(pen.generated()), 'from the vault', '<password>')}\n"""\n`,
  ],
  'command in a readme': (pen) => [
    'README.md',
    `\`\`\`sh\ncurl -u svc:${pen.either(pen.put(pen.generated()), '$PW', '<password>')} https://erp.corp.cloud/sap\n\`\`\`\n`,
  ],
  'inline command in a readme': (pen) => [
    'README.md',
    `Run \`cf login -u ops -p ${pen.either(pen.put(pen.generated()), '<password>', '$PW')}\` first.\n`,
  ],
  'header in documentation': (pen) => [
    'docs/h.md',
    `\`\`\`http\nGET /orders HTTP/1.1\nAPIKey: ${pen.key('<key>', '{{key}}')}\n\`\`\`\n`,
  ],
  'address in documentation': (pen) => [
    'docs/u.md',
    `Open https://svc:${pen.either(pen.put(pen.generated()), '<password>', '$PW')}@erp.corp.cloud/sap in the browser.\n`,
  ],
  'text of notes': (pen) => ['notes.txt', `SAP QAS 100\nuser: svc\npw: ${pen.either(pen.put(pen.generated()), '', '<pw>')}\n`],
  'text in AsciiDoc': (pen) => [
    'docs/a.adoc',
    `User:: svc\nPassword:: \`${pen.either(pen.put(pen.generated()), '<password>', '{password}')}\`\n`,
  ],
  'release note': (pen) => [
    'CHANGELOG.md',
    `- new password for QAS: ${pen.either(`\`${pen.put(pen.generated())}\``, 'in the vault', '`<password>`')}\n`,
  ],
  'value of a translation': (pen) => [
    'webapp/i18n/i18n.properties',
    `title=Orders\napiKey=${pen.either(pen.put(pen.shape('ghp_{w36}')), 'API key', 'Key of the API')}\n`,
  ],
  'JSON of an issue template': (pen) => ['docs/ticket.md', `> {"user": "svc", "password": "${pen.hide('***', '<password>')}"}\n`],
}
