/** A command whose arguments hold a password. */
export interface Command {
  readonly keyword: string
  readonly row: string
  /** After these stands the password. */
  readonly flags?: readonly string[]
  /** The password follows on it without a space; what stands behind a space is none. */
  readonly attached?: string
  /** The argument at this position, flags not counted. */
  readonly position?: number
  /** One of the options must be such. */
  readonly option?: RegExp
  /** The argument before it must be the name of a credential. */
  readonly isNamed?: boolean
  /** What stands between user and password: `user:password`. */
  readonly pair?: string
  /** The keyword is an argument in a list of strings: this names the program before it. */
  readonly program?: RegExp
  /** The keyword is the program, which a list of strings begins with: `["mysqladmin", "-p…"]`, or items of YAML. */
  readonly list?: 'strings' | 'items'
}

const PROGRAM = /["'`](?:xs|btp|docker|podman|helm|az)["'`][^;]{0,60}$/
const CF = /["'`]cf["'`][^;]{0,60}$/
const listed = (keyword: string): readonly Command[] => [
  { keyword, row: 'cf-login', flags: ['-p'], program: CF },
  { keyword, row: 'command-password', flags: ['-p', '--password'], program: PROGRAM },
]

/** Facts: the reference pages of the commands. */
const WRITTEN: readonly Command[] = [
  { keyword: 'cf login', row: 'cf-login', flags: ['-p'] },
  { keyword: "'auth',", row: 'cf-login', position: 1, program: CF },
  { keyword: '"auth",', row: 'cf-login', position: 1, program: CF },
  { keyword: 'cf l ', row: 'cf-login', flags: ['-p'] },
  { keyword: 'cf auth ', row: 'cf-login', position: 1 },
  { keyword: 'cf create-user ', row: 'cf-login', position: 1 },
  { keyword: 'cf create-service-broker', row: 'command-password', position: 2 },
  { keyword: 'cf update-service-broker', row: 'command-password', position: 2 },
  { keyword: 'cf set-env', row: 'cf-set-env', position: 2, isNamed: true },
  { keyword: 'cf se ', row: 'cf-set-env', position: 2, isNamed: true },
  { keyword: 'xs login', row: 'cf-login', flags: ['-p'] },
  ...listed("'login'"),
  ...listed('"login"'),
  { keyword: 'btp login', row: 'btp-cli-login', flags: ['--password', '-p'] },
  { keyword: 'neo.sh', row: 'neo-deploy', flags: ['--password', '-p'] },
  { keyword: 'neo deploy', row: 'neo-deploy', flags: ['--password', '-p'] },
  { keyword: 'hdbsql', row: 'sap-hana-connect', flags: ['-p'] },
  { keyword: 'hdbuserstore', row: 'sap-hana-connect', position: 4 },
  { keyword: 'curl', row: 'curl-user', flags: ['-u', '--user', '-U', '--proxy-user'], pair: ':' },
  { keyword: 'http -a ', row: 'command-password', position: 0, pair: ':' },
  { keyword: 'https -a ', row: 'command-password', position: 0, pair: ':' },
  { keyword: 'docker login', row: 'command-password', flags: ['-p', '--password'] },
  { keyword: 'nuget add source ', row: 'command-password', flags: ['-p', '--password'] },
  { keyword: 'nuget update source ', row: 'command-password', flags: ['-p', '--password'] },
  { keyword: 'podman login', row: 'command-password', flags: ['-p', '--password'] },
  { keyword: 'registry login', row: 'command-password', flags: ['-p', '--password'] },
  { keyword: 'skopeo ', row: 'command-password', flags: ['--creds', '--src-creds', '--dest-creds'], pair: ':' },
  { keyword: 'az login', row: 'command-password', flags: ['-p', '--password'] },
  { keyword: 'npm config set', row: 'npmrc-credential', position: 1, isNamed: true },
  { keyword: 'pnpm config set', row: 'npmrc-credential', position: 1, isNamed: true },
  { keyword: 'yarn config set', row: 'npmrc-credential', position: 1, isNamed: true },
  { keyword: 'aws configure set', row: 'aws-secret-key', position: 1, isNamed: true },
  { keyword: 'mysql ', row: 'command-password', attached: '-p' },
  { keyword: 'mysqldump ', row: 'command-password', attached: '-p' },
  { keyword: 'mysqladmin ', row: 'command-password', attached: '-p' },
  { keyword: '7z a ', row: 'command-password', attached: '-p' },
  { keyword: '7z x ', row: 'command-password', attached: '-p' },
  { keyword: 'sapgenpse ', row: 'command-password', flags: ['-x'] },
  { keyword: 'sapgenpse ', row: 'command-password', flags: ['-z'] },
  { keyword: 'isql ', row: 'command-password', flags: ['-P'] },
  { keyword: 'expdp ', row: 'command-password', position: 0, pair: '/' },
  { keyword: 'impdp ', row: 'command-password', position: 0, pair: '/' },
  { keyword: 'rpcclient ', row: 'command-password', flags: ['-U', '--user'], pair: '%' },
  { keyword: 'ipmitool ', row: 'command-password', flags: ['-P'] },
  { keyword: 'mosquitto_pub ', row: 'command-password', flags: ['-P', '--pw'] },
  { keyword: 'mosquitto_sub ', row: 'command-password', flags: ['-P', '--pw'] },
  { keyword: 'cqlsh ', row: 'command-password', flags: ['-p', '--password'] },
  { keyword: 'mongorestore ', row: 'command-password', flags: ['-p', '--password'] },
  { keyword: 'mongoimport ', row: 'command-password', flags: ['-p', '--password'] },
  { keyword: 'mongoexport ', row: 'command-password', flags: ['-p', '--password'] },
  { keyword: 'rabbitmqctl add_user ', row: 'command-password', position: 1 },
  { keyword: 'rabbitmqctl change_password ', row: 'command-password', position: 1 },
  { keyword: 'redis-cli', row: 'command-password', flags: ['-a', '--pass'] },
  { keyword: 'mongosh ', row: 'command-password', flags: ['-p', '--password'] },
  { keyword: 'mongo ', row: 'command-password', flags: ['-p', '--password'] },
  { keyword: 'mongodump ', row: 'command-password', flags: ['-p', '--password'] },
  { keyword: 'oc login', row: 'command-password', flags: ['-p', '--password'] },
  { keyword: 'bcp ', row: 'command-password', flags: ['-P'] },
  { keyword: 'sqlcmd', row: 'command-password', flags: ['-P'] },
  { keyword: 'sqlplus ', row: 'command-password', position: 0, pair: '/' },
  { keyword: 'ldapsearch', row: 'command-password', flags: ['-w'] },
  { keyword: 'ldapmodify', row: 'command-password', flags: ['-w'] },
  { keyword: 'ldapadd', row: 'command-password', flags: ['-w'] },
  { keyword: 'openssl enc', row: 'command-password', flags: ['-k', '-K'] },
  { keyword: 'zip ', row: 'command-password', flags: ['-P'] },
  { keyword: 'unzip ', row: 'command-password', flags: ['-P'] },
  { keyword: 'lftp', row: 'command-password', flags: ['-u', '--user'], pair: ',' },
  { keyword: 'smbclient', row: 'command-password', flags: ['-U', '--user'], pair: '%' },
  { keyword: 'htpasswd ', row: 'command-password', position: 2, option: /^-(?!\w{0,8}n)\w{0,8}b/ },
  { keyword: 'htpasswd ', row: 'command-password', position: 1, option: /^-(?=\w{0,8}n)\w{0,8}b/ },
  { keyword: 'net user ', row: 'command-password', position: 1 },
  { keyword: 'az keyvault secret set', row: 'command-password', flags: ['--value'] },
  { keyword: 'gh secret set', row: 'command-password', flags: ['--body', '-b'] },
  { keyword: 'snyk auth ', row: 'command-password', position: 0 },
  { keyword: 'sshpass', row: 'command-password', flags: ['-p'] },
]

/** The same where words are strings of a list, or items of one: those that are one word. */
const inLists = (command: Command): readonly Command[] => {
  const program = command.keyword.trim()
  if (command.program !== undefined || /[ "']/.test(program)) return []
  return [
    { ...command, keyword: `${program}"`, list: 'strings' },
    { ...command, keyword: `${program}'`, list: 'strings' },
    { ...command, keyword: `- ${program}`, list: 'items' },
  ]
}

export const COMMANDS: readonly Command[] = [...WRITTEN, ...WRITTEN.flatMap(inLists)]

/** What a value before a keyword on its line is part of. */
export interface Preceded {
  readonly keyword: string
  /** Up to the keyword; the value is its group. */
  readonly pattern: RegExp
}

const PIPED =
  /\b(?:echo|printf)\s{1,4}(?:-\w{1,3}\s{1,4}|["']%s(?:\\n)?["']\s{1,4})?["']?((?=[a-z]{0,60}[^a-z"'\s])[^"'\s|$`]{4,200})["']?\s{0,4}\|\s{0,4}(?:sudo\s{1,4})?$/

export const PRECEDED: readonly Preceded[] = [
  // `echo value | docker login --password-stdin`
  {
    keyword: '--password-stdin',
    pattern: /\b(?:echo|printf)\s{1,4}(?:-n\s{1,4}|["']%s(?:\\n)?["']\s{1,4})?["']?([^"'\s|$`]{4,200})["']?\s{0,4}\|[^|]{0,200}$/,
  },
  // `echo value | docker secret create name -`: commands that read a password from their input
  ...[
    'docker secret create ',
    'podman secret create ',
    'gh secret set ',
    'passwd --stdin',
    'sudo -S',
    'kinit ',
    'smbpasswd -',
    'cryptsetup ',
    'vault kv put ',
    'openssl passwd ',
  ].map((keyword) => ({ keyword, pattern: PIPED })),
  // `net use Z: \\\\server\\share value /user:name`
  { keyword: ' /user:', pattern: /\bnet\s{1,4}use\s{1,4}(?:[A-Z*]:?\s{1,4})?\\\\\S{1,200}\s{1,4}([^\s"']{4,200})\s{0,4}$/i },
  // `jdbc:oracle:thin:user/value@//host:1521/service`; fact: Oracle JDBC Developer's Guide, "Database URLs"
  ...['@//', '@(description'].map((keyword) => ({
    keyword,
    pattern: /\bjdbc:oracle:(?:thin|oci8?):[\w.$]{1,60}\/([^"'\s@/]{4,100})$/i,
  })),
  // `echo 'user:value' | chpasswd`
  {
    keyword: 'chpasswd',
    pattern: /\b(?:echo|printf)\s{1,4}(?:-\w\s{1,4})?["']?[\w.-]{1,60}:([^"'\s|$`]{4,200})["']?\s{0,4}\|\s{0,4}(?:sudo\s{1,4})?$/,
  },
  // `['user', 'value'].join(':')`
  ...[".join(':')", '.join(":")'].map((keyword) => ({
    keyword,
    pattern: /\[\s{0,8}["'`][\w.@\\-]{1,80}["'`],\s{0,8}["'`]([^"'`\s]{4,200})["'`]\s{0,8}\]$/,
  })),
]
