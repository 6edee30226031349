import { json, word, type Places } from './place.ts'

/** Names of credentials in several words, as people write them: sentences, tables, comments and messages in three languages. */
export const SENTENCE_PLACES: Places = {
  'API key in a list': (pen) => [
    'docs/setup.md',
    `- Host: erp.corp.cloud\n- API key: ${pen.key('see the vault', '<API key>')}\n`,
  ],
  'client secret is': (pen) => [
    'docs/setup.md',
    `The client secret is ${pen.key('stored in the vault', 'shown once in the cockpit')}.\n`,
  ],
  'access token with an equals sign': (pen) => [
    'notes.txt',
    `Sandbox\naccess token = ${pen.key('ask the operators', '<token>')}\n`,
  ],
  'bold label, colon outside': (pen) => [
    'README.md',
    `**Client ID**: sb-orders!t12  \n**Client Secret**: \`${pen.key('<client secret>', 'see the service key')}\`\n`,
  ],
  'bold label, colon inside': (pen) => ['README.md', `* **API Key:** ${pen.key('required, from the cockpit', '<your key>')}\n`],
  'row of a table': (pen) => [
    'docs/systems.md',
    `| Name | Value |\n|------|-------|\n| API key | ${pen.key('from the vault', 'String(40)')} |\n`,
  ],
  'column of a table': (pen) => [
    'docs/clients.md',
    `| Client ID | Client secret |\n|---|---|\n| sb-orders!t12 | ${pen.key('in the vault', '<secret>')} |\n`,
  ],
  'German: API-Schlüssel': (pen) => [
    'docs/zugang.md',
    `Der API-Schlüssel lautet ${pen.key('anders je Mandant', '<Schlüssel>')}.\n`,
  ],
  'German: Passwort für': (pen) => [
    'docs/zugang.md',
    `Das Passwort für den technischen Benutzer ist ${word(pen, 'im Tresor', 'geheim zu halten')}\n`,
  ],
  'German: Kennwort mit Gleichheitszeichen': (pen) => [
    'docs/zugang.txt',
    `Kennwort = ${word(pen, '<Kennwort>', 'siehe Tresor')}\n`,
  ],
  'German: geheimer Schlüssel': (pen) => [
    'docs/zugang.md',
    `- Geheimer Schlüssel: \`${pen.key('<Schlüssel>', 'siehe Tresor')}\`\n`,
  ],
  'German: Zugangsdaten': (pen) => [
    'LIESMICH.md',
    `Zugangsdaten Testsystem: ${pen.user()} / ${word(pen, 'siehe Tresor', '<Passwort>')}\n`,
  ],
  "French: clé d'API": (pen) => ['docs/acces.md', `Clé d'API : ${pen.key("<clé d'API>", 'dans le coffre')}\n`],
  'French: secret client': (pen) => ['docs/acces.md', `Le secret client est « ${pen.key('<secret>', 'dans le coffre')} ».\n`],
  "French: jeton d'accès": (pen) => ['docs/acces.md', `**Jeton d’accès** : \`${pen.key('<jeton>', 'à demander')}\`\n`],
  'French: mot de passe du compte': (pen) => [
    'docs/acces.txt',
    `mot de passe du compte technique : ${word(pen, 'voir le coffre', '<mot de passe>')}\n`,
  ],
  'identifier and secret by a slash': (pen) => [
    'docs/login.md',
    `Client ID / Client Secret: \`sb-orders!t12\` / \`${pen.key('<secret>', 'see below')}\`\n`,
  ],
  'dash after the name': (pen) => ['docs/hooks.md', `Signing secret - ${pen.key('rotated weekly', '<secret>')}\n`],
  'arrow after the name': (pen) => ['docs/hooks.md', `Webhook secret → \`${pen.key('<secret>', '...')}\`\n`],
  'parenthesis after the name': (pen) => [
    'TODO.md',
    `- [ ] rotate the SFTP password (currently ${word(pen, 'in the vault', 'unknown')})\n`,
  ],
  'line after the heading': (pen) => ['docs/key.md', `### Client secret\n\n\`${pen.key('<client secret>', 'see the vault')}\`\n`],
  'line comment': (pen) => ['srv/a.js', `// api key: ${pen.key('from the binding', 'see README')}\nmodule.exports = 1\n`],
  'comment of Javadoc': (pen) => [
    'src/main/java/A.java',
    `/**\n * Client secret: ${pen.key('of the binding', 'see the vault')}\n */\nclass A {}\n`,
  ],
  'comment of ABAP': (pen) => ['src/z.prog.abap', `" client secret: ${pen.key('see SECSTORE', 'in STRUST')}\nREPORT z.\n`],
  'comment of YAML': (pen) => ['config/b.yaml', `# access token: ${pen.key('<token>', 'see the vault')}\nhost: h\n`],
  'comment of a shell': (pen) => ['deploy.sh', `# admin password is ${word(pen, 'in the vault', '$PW')}\necho ok\n`],
  'list of definitions in HTML': (pen) => [
    'docs/a.html',
    `<dl><dt>API key</dt><dd>${pen.key('see the vault', '<em>none</em>')}</dd></dl>\n`,
  ],
  'bold in HTML': (pen) => ['docs/b.html', `<p><b>Client secret:</b> ${pen.key('see the vault', '...')}<br></p>\n`],
  'cell of a notebook': (pen) => [
    'notebooks/a.ipynb',
    json({ cells: [{ cell_type: 'markdown', source: ['# Access\n', `API key: ${pen.key('see the vault', '<key>')}\n`] }] }),
  ],
  'code of a notebook': (pen) => [
    'notebooks/b.ipynb',
    json({
      cells: [
        { cell_type: 'code', source: ['import os\n', `os.environ["AICORE_CLIENT_SECRET"] = "${pen.key('', '<secret>')}"\n`] },
      ],
    }),
  ],
  'letter with carriage returns': (pen) => [
    'docs/mail.txt',
    `Hello,\r\n\r\nUser name: ${pen.user()}\r\nInitial password: ${word(pen, 'comes by phone', '<password>')}\r\n\r\nRegards\r\n`,
  ],
  'user and password in a sentence': (pen) => [
    'docs/test.md',
    `Log in to QAS as ${pen.user()} using the password "${word(pen, '<password>', '...')}" and open the app.\n`,
  ],
  'columns of CSV': (pen) => [
    'docs/clients.csv',
    `System,Client ID,Client Secret\nQAS,sb-orders!t12,${pen.key('see vault', '')}\n`,
  ],
  'columns of text': (pen) => ['docs/keys.txt', `Host          erp.corp.cloud\nAPI key       ${pen.key('see vault', '<key>')}\n`],
  'echo of a shell': (pen) => ['hint.sh', `echo "API key: ${pen.key('$API_KEY', '${KEY}')}"\n`],
  'text of a log call': (pen) => [
    'srv/log.js',
    `console.log('client secret: ${pen.either(pen.put(pen.random()), "' + secret + '", '***')}')\n`,
  ],
  'description of an API': (pen) => [
    'docs/openapi.json',
    json({ info: { description: `For the sandbox use the API key \`${pen.key('<key>', 'APIKey')}\`.` } }),
  ],
  'name in words in JSON': (pen) => ['config/keys.json', json({ 'API Key': pen.key('', '<key>'), Host: 'h' })],
  'name in words in YAML': (pen) => ['config/keys.yaml', `host: h\nclient secret: ${pen.key('""', '<secret>')}\n`],
  'name in words in quotes': (pen) => ['docs/c.md', `Set "access token" to "${pen.key('<token>', '{token}')}" in the dialog.\n`],
  'table of AsciiDoc': (pen) => ['docs/a.adoc', `|===\n|Client secret |${pen.key('see vault', '<secret>')}\n|===\n`],
}
