import { toBase64 } from '../material/draw.ts'
import type { Place, PlacePen, Places } from './place.ts'

/** A literal, or an expression. */
const literal = (pen: PlacePen, value: string, ...safe: readonly string[]): string => pen.either(`'${pen.put(value)}'`, ...safe)
const js =
  (write: (pen: PlacePen) => string, path = 'srv/lib/a.js'): Place =>
  (pen) => [path, `'use strict'\n${write(pen)}\n`]
const password = (pen: PlacePen): string =>
  literal(pen, pen.password(), 'process.env.PASSWORD', 'config.password', 'await readPassword()')
const secret = (pen: PlacePen): string => literal(pen, pen.random(), 'process.env.SECRET', 'config.secret', 'keys[0]')

/** JavaScript and TypeScript. */
export const SCRIPT_PLACES: Places = {
  'address of MongoDB': js(
    (pen) =>
      `mongoose.connect(${pen.either(`'mongodb+srv://app:${pen.put(pen.random())}@c.corp.cloud/o'`, 'process.env.MONGO', '`mongodb://${u}:${p}@h/o`')})`,
  ),
  'address of Redis without a user': js(
    (pen) =>
      `const c = createClient({ url: ${pen.either(`'redis://:${pen.put(pen.random())}@cache.corp.cloud:6379'`, "'redis://cache.corp.cloud:6379'", 'env.REDIS')} })`,
  ),
  'address of AMQP': js(
    (pen) =>
      `amqp.connect(${pen.either(`'amqps://app:${pen.put(pen.random())}@mq.corp.cloud/v'`, 'url', '`amqps://${u}:${p}@mq`')})`,
  ),
  'options of Redis': js(
    (pen) => `const redis = new Redis({ host: 'cache.corp.cloud', port: 6379, password: ${password(pen)} })`,
  ),
  'arguments of Sequelize': js((pen) => `const db = new Sequelize('orders', 'app', ${password(pen)}, { dialect: 'postgres' })`),
  'connection string of mssql': js(
    (pen) =>
      `await sql.connect(${pen.either(`'Server=db.corp.cloud;Database=o;User Id=app;Password=${pen.put(pen.password())};Encrypt=true'`, 'process.env.MSSQL', '`Server=db;Password=${pw};`')})`,
  ),
  'SASL of Kafka': js(
    (pen) => `new Kafka({ brokers, sasl: { mechanism: 'plain', username: 'app', password: ${password(pen)} } })`,
  ),
  'options of MQTT': js((pen) => `mqtt.connect('mqtts://mq.corp.cloud', { username: 'app', password: ${password(pen)} })`),
  'bind of LDAP': js((pen) => `client.bind('cn=admin,dc=corp', ${password(pen)}, (err) => done(err))`),
  'options of SSH': js((pen) => `conn.connect({ host: '${pen.host()}', port: 22, username: 'svc', password: ${password(pen)} })`),
  'key of S3': js(
    (pen) =>
      `const s3 = new S3({ credentials: { accessKeyId: id, secretAccessKey: ${literal(pen, pen.shape('{b40}'), 'process.env.AWS_SECRET', 'key.secret')} } })`,
  ),
  'strategy of Passport': js(
    (pen) => `passport.use(new OAuth2Strategy({ clientID: 'orders', clientSecret: ${secret(pen)}, callbackURL: '/cb' }, verify))`,
  ),
  'arguments of a credential class': js((pen) => `const cred = new ClientSecretCredential(tenantId, clientId, ${secret(pen)})`),
  'check of a token': js((pen) => `const claims = jwt.verify(token, ${secret(pen)})`),
  'key and IV of a cipher': js(
    (pen) =>
      `const cipher = crypto.createCipheriv('aes-256-cbc', ${literal(pen, pen.shape('{w32}'), 'key', 'process.env.KEY')}, iv)`,
  ),
  'password of a derived key': js((pen) => `const key = crypto.scryptSync(${password(pen)}, salt, 32)`),
  'passphrase of CryptoJS': js(
    (pen) => `const text = CryptoJS.AES.encrypt(plain, ${secret(pen)}).toString()`,
    'webapp/model/crypt.js',
  ),
  'key from hex': js(
    (pen) => `const encryptionKey = Buffer.from(${literal(pen, pen.shape('{h64}'), 'process.env.ENC_KEY', 'hex')}, 'hex')`,
  ),
  'cookie parser': js((pen) => `app.use(cookieParser(${secret(pen)}))`),
  'keys of cookie-session': js((pen) => `app.use(cookieSession({ name: 's', keys: [${secret(pen)}] }))`),
  'list of session secrets': js((pen) => `app.use(session({ secret: [${secret(pen)}, process.env.OLD], resave: false }))`),
  'users of basic auth': js((pen) => `app.use(basicAuth({ users: { operator: ${password(pen)} } }))`),
  'comparison with a password': js(
    (pen) => `if (user === 'admin' && password === ${literal(pen, pen.password(), 'expected', 'process.env.PW')}) next()`,
  ),
  'comparison with a key header': js((pen) => `if (req.headers['x-api-key'] !== ${secret(pen)}) return res.sendStatus(401)`),
  'default header of axios': js(
    (pen) =>
      `axios.defaults.headers.common['Authorization'] = ${pen.either(`'Bearer ${pen.put(pen.random())}'`, '`Bearer ${token}`', "'Bearer ' + token")}`,
  ),
  'header set of fetch': js(
    (pen) => `headers.set('Authorization', ${pen.either(`'Bearer ${pen.put(pen.random())}'`, '`Bearer ${token}`')})`,
  ),
  'headers of a model': js(
    (pen) => `oModel.setHeaders({ "APIKey": ${pen.either(`"${pen.put(pen.shape('{w32}'))}"`, 'sKey', 'this._key')} })`,
    'webapp/Component.js',
  ),
  'setup of jQuery': js(
    (pen) =>
      `$.ajaxSetup({ headers: { Authorization: ${pen.either(`"Basic ${pen.put(toBase64(`svc:${pen.password()}`))}"`, '"Basic " + btoa(s)', 'sAuth')} } })`,
    'webapp/a.js',
  ),
  'auth of superagent': js(
    (pen) => `const res = await superagent.get('https://${pen.host()}').auth('${pen.user()}', ${password(pen)})`,
  ),
  'auth of request': js(
    (pen) =>
      `request.get('https://${pen.host()}', { auth: { user: '${pen.user()}', pass: ${password(pen)}, sendImmediately: true } })`,
  ),
  'options of got': js((pen) => `await got('https://${pen.host()}', { username: '${pen.user()}', password: ${password(pen)} })`),
  'item of the storage': js((pen) => `localStorage.setItem('accessToken', ${secret(pen)})`, 'webapp/b.js'),
  'token of a socket': js(
    (pen) =>
      `const ws = new WebSocket(${pen.either(`'wss://${pen.host()}/ws?token=${pen.put(pen.random())}'`, '`wss://h/ws?token=${t}`', "'wss://h/ws?token=' + t")})`,
  ),
  'auth of socket.io': js((pen) => `const socket = io('https://${pen.host()}', { auth: { token: ${secret(pen)} } })`),
  'assignment where it is missing': js(
    (pen) => `process.env.ERP_PASSWORD ??= ${literal(pen, pen.password(), "''", 'readSecret()')}`,
  ),
  'assignment by ||=': js((pen) => `options.password ||= ${literal(pen, pen.password(), "''", 'fallback')}`),
  'default of config.get': js(
    (pen) => `const pw = config.get('erp.password', ${literal(pen, pen.password(), "''", 'undefined')})`,
  ),
  'option of yargs': js(
    (pen) =>
      `yargs.option('password', { type: 'string', default: ${literal(pen, pen.password(), "''", 'process.env.PW')}, describe: 'Password' })`,
  ),
  'option of commander': js(
    (pen) =>
      `program.option('-p, --password <password>', 'password of the user', ${literal(pen, pen.password(), 'process.env.PW', 'undefined')})`,
  ),
  'default of zod': js((pen) => `const Env = z.object({ JWT_SECRET: z.string().default(${secret(pen)}) })`),
  'command by execSync': js(
    (pen) => `execSync('cf login -u ci -p ${pen.either(pen.put(pen.generated()), '$CF_PASSWORD', '%PW%')}')`,
  ),
  'arguments of spawn': js((pen) => `spawn('cf', ['login', '-u', 'ci', '-p', ${password(pen)}])`),
  'command in a template': js(
    (pen) => `exec(\`curl -u ${pen.user()}:${pen.either(pen.put(pen.generated()), '${pw}', '$PW')} https://${pen.host()}\`)`,
  ),
  'pair joined': js((pen) => `const credentials = ['${pen.user()}', ${password(pen)}].join(':')`),
  'credentials of Playwright': js(
    (pen) => `export default { use: { httpCredentials: { username: '${pen.user()}', password: ${password(pen)} } } }`,
    'playwright.config.ts',
  ),
  'field filled by Playwright': js((pen) => `await page.fill('#password', ${password(pen)})`, 'e2e/login.ts'),
  'field typed by Cypress': js((pen) => `cy.get('input[name=password]').type(${password(pen)})`, 'cypress/support/commands.js'),
  'set of a Map': js((pen) => `const m = new Map()\nm.set('clientSecret', ${secret(pen)})`),
  'frozen object': js((pen) => `module.exports = Object.freeze({ user: '${pen.user()}', kennwort: ${password(pen)} })`),
  'Portuguese name': js((pen) => `const config = { user: '${pen.user()}', senha: ${password(pen)} }`),
  'Spanish name': js((pen) => `const contrasenaCorreo = ${password(pen)}`),
  'Dutch default': js((pen) => `const wachtwoord = process.env.WACHTWOORD || ${password(pen)}`),
  'Turkish name': js((pen) => `module.exports = { dbSifre: ${password(pen)} }`),
  'credentials in a test of login': js(
    (pen) => `await login({ user: '${pen.user()}', password: ${password(pen)} })`,
    'tools/smoke.js',
  ),
  'destination in code': js(
    (pen) =>
      `const destination = { Name: 'ERP', URL: 'https://${pen.host()}', Authentication: 'BasicAuthentication', User: '${pen.user()}', Password: ${password(pen)} }`,
  ),
  'register of a destination': js(
    (pen) =>
      `await registerDestination({ name: 'erp', url: 'https://${pen.host()}', username: 'svc', password: ${password(pen)} })`,
  ),
  'services of xsenv': js(
    (pen) =>
      `process.env.VCAP_SERVICES = JSON.stringify({ hana: [{ credentials: { user: 'ORDERS_RT', password: ${password(pen)} } }] })`,
  ),
  'key of the cloud SDK': js(
    (pen) =>
      `await api.requestBuilder().getAll().addCustomHeaders({ APIKey: ${literal(pen, pen.shape('{w32}'), 'apiKey', 'process.env.KEY')} }).execute({ url })`,
  ),
  'environment of PM2': js(
    (pen) => `module.exports = { apps: [{ name: 'srv', env_production: { DB_PASSWORD: ${password(pen)} } }] }`,
    'ecosystem.config.js',
  ),
  'case of a switch': js(
    (pen) =>
      `function getClientSecret(stage) {\n  switch (stage) {\n    case 'prod': return ${secret(pen)}\n    default: return process.env.S\n  }\n}`,
  ),
  'static readonly': js((pen) => `export class Keys {\n  static readonly API_KEY = ${secret(pen)}\n}`, 'src/keys.ts'),
  'parameter property': js(
    (pen) =>
      `export class C {\n  constructor(private readonly url: string, private password = ${literal(pen, pen.password(), "''", 'env.pw')}) {}\n}`,
    'src/c.ts',
  ),
  'TOTP seed': js((pen) => `const totpSecret = ${literal(pen, pen.shape('{k32}'), 'user.totp', 'process.env.TOTP')}`),
  'double-quoted in a class of UI5': js(
    (pen) =>
      `sap.ui.define(["sap/ui/base/Object"], (O) => O.extend("a.B", { _sPassword: ${pen.either(`"${pen.put(pen.password())}"`, 'null', '""')}, x: 1 }))`,
    'webapp/b.js',
  ),
  'commented parameter': js(
    (pen) => `// client.login('${pen.user()}', ${pen.either(`password = '${pen.put(pen.password())}'`, 'password')})`,
  ),
}
