import { drawJwt, toBase64, withChecksum, type Draw } from './draw.ts'
import { drawSecret } from '../../secret-values.ts'

/** A type of token: how one is made, under which names it is kept, and whether it is known by its shape alone. */
export interface TokenType {
  readonly make: string | ((draw: Draw) => string)
  /** Names of the variable or setting; the first part of a token of no known shape is told by them. */
  readonly names: readonly string[]
  /** Without its name it is a text like any other. */
  readonly needsName?: true
  /** One too short, where that isn't the token with four characters less. */
  readonly short?: string
}

const bind = (draw: Draw): string => `${draw.guid()}$${draw.shape('{u43}')}=`

/** Formats of SAP and of the clouds. */
export const PLATFORM_TOKENS: Readonly<Record<string, TokenType>> = {
  'sap binding secret': { make: bind, names: ['clientsecret', 'CLIENT_SECRET', 'AICORE_CLIENT_SECRET'] },
  'sap instance secret': { make: '{b27}=', names: ['clientsecret', 'XSUAA_CLIENT_SECRET'], needsName: true },
  'sap hdi password': { make: '{A1}{a1}{p125}{w1}', names: ['hdi_password', 'HDI_PASSWORD'], needsName: true },
  'sap api hub key': { make: '{w32}', names: ['APIKey', 'SAP_API_KEY', 'apiHubApiKey'], needsName: true },
  'aws access key': { make: 'AKIA{k16}', names: ['AWS_ACCESS_KEY_ID', 'access_key_id'] },
  'aws temporary key': { make: 'ASIA{k16}', names: ['AWS_ACCESS_KEY_ID'] },
  'aws secret key': { make: '{b40}', names: ['AWS_SECRET_ACCESS_KEY', 'aws_secret_access_key', 'awsSecretKey'], needsName: true },
  'aws session token': { make: '{b240}', names: ['AWS_SESSION_TOKEN', 'aws_session_token'], needsName: true },
  'aws bedrock key': { make: 'ABSK{b120}', names: ['AWS_BEARER_TOKEN_BEDROCK'] },
  'google api key': { make: 'AIza{u35}', names: ['GOOGLE_API_KEY', 'mapsKey'] },
  'google oauth secret': { make: 'GOCSPX-{u28}', names: ['GOOGLE_CLIENT_SECRET'] },
  'google refresh token': { make: '1//0{u60}', names: ['refresh_token'] },
  'azure ad secret': { make: '{w3}{d1}Q~{w32}', names: ['AZURE_CLIENT_SECRET', 'clientSecret'] },
  'azure storage key': { make: '{b86}==', names: ['AccountKey', 'AZURE_STORAGE_ACCOUNTKEY'], needsName: true },
  'azure storage connection': {
    make: (d) =>
      `DefaultEndpointsProtocol=https;AccountName=${d.shape('store{l6}')};AccountKey=${d.shape('{b86}==')};EndpointSuffix=core.windows.net`,
    names: ['AZURE_STORAGE_CONNECTION_STRING'],
  },
  'azure bus connection': {
    make: (d) =>
      `Endpoint=sb://${d.shape('bus{l6}')}.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=${d.shape('{b43}=')}`,
    names: ['SERVICEBUS_CONNECTION'],
  },
  'azure app configuration': {
    make: (d) =>
      `Endpoint=https://${d.shape('conf{l5}')}.azconfig.io;Id=${d.shape('{l4}-{l2}-{l2}')}:${d.shape('{b20}')};Secret=${d.shape('{b43}=')}`,
    names: ['APPCONFIG'],
  },
  'azure sas': {
    make: (d) =>
      `https://${d.shape('store{l6}')}.blob.core.windows.net/data?sv=2024-11-04&ss=b&srt=sco&sp=rl&se=2030-01-01T00:00:00Z&sig=${encodeURIComponent(d.shape('{b43}='))}`,
    names: ['SAS_URL', 'blobUrl'],
  },
  'azure registry': { make: '{w42}+ACR{w6}', names: ['ACR_PASSWORD'] },
  'azure devops': { make: '{l52}', names: ['AZURE_DEVOPS_PAT', 'azurePat'], needsName: true },
  'azure cosmos': {
    make: (d) => `AccountEndpoint=https://${d.shape('db{l6}')}.documents.azure.com:443/;AccountKey=${d.shape('{b86}==')};`,
    names: ['COSMOS_CONNECTION'],
  },
  'digitalocean pat': { make: 'dop_v1_{h64}', names: ['DIGITALOCEAN_TOKEN'] },
  'digitalocean oauth': { make: 'doo_v1_{h64}', names: ['DO_TOKEN'] },
  'digitalocean refresh': { make: 'dor_v1_{h64}', names: ['DO_REFRESH'] },
  'heroku v2': { make: 'HRKU-AA{u58}', names: ['HEROKU_API_KEY'] },
  heroku: { make: '{g}', names: ['HEROKU_API_KEY', 'heroku_api_key'], needsName: true },
  'cloudflare token': { make: (d) => d.shape(d.one(['cfut_', 'cfat_', 'cfk_']) + '{w40}{h8}'), names: ['CLOUDFLARE_API_TOKEN'] },
  'cloudflare origin': { make: 'v1.0-{h24}-{h146}', names: ['CF_ORIGIN_CA_KEY'] },
  'cloudflare by name': { make: '{u40}', names: ['CLOUDFLARE_API_TOKEN', 'cloudflareApiKey'], needsName: true },
  'alibaba secret': { make: '{l30}', names: ['ALIBABA_CLOUD_ACCESS_KEY_SECRET', 'alibabaSecret'], needsName: true },
  ibm: { make: '{u44}', names: ['IBM_CLOUD_API_KEY', 'ibmApiKey'], needsName: true },
  flyio: { make: 'fo1_{u43}', names: ['FLY_API_TOKEN'] },
  'flyio macaroon': { make: 'fm2_{b160}', names: ['FLY_API_TOKEN'] },
  scalingo: { make: 'tk-us-{u48}', names: ['SCALINGO_TOKEN'] },
  'rsa key': { make: (d) => drawSecret('rsa-key-escaped', d.shape('{w12}')), names: ['privateKey', 'PRIVATE_KEY'] },
  'ec key': { make: (d) => drawSecret('ec-key', d.shape('{w12}')).replaceAll('\n', '\\n'), names: ['key', 'signingKey'] },
  'pkcs8 key': { make: (d) => drawSecret('pkcs8-key-escaped', d.shape('{w12}')), names: ['private_key', 'tlsKey'] },
  jwt: { make: (d) => drawJwt(d), names: ['ACCESS_TOKEN', 'idToken', 'jwt'] },
  'xsuaa jwt': {
    make: (d) =>
      drawJwt(d, { zid: d.guid(), cid: 'sb-orders!t12', iss: 'https://acme.authentication.eu10.hana.ondemand.com/oauth/token' }),
    names: ['token'],
  },
  'postgres uri': {
    make: (d) => `postgres://orders_rt:${d.random()}@${d.shape('pg-{a5}')}.corp.cloud:5432/orders`,
    names: ['DATABASE_URL', 'uri'],
  },
  'mongodb uri': {
    make: (d) => `mongodb+srv://svc:${d.random()}@${d.shape('cluster-{a5}')}.mongodb.net/shop?retryWrites=true`,
    names: ['MONGO_URL'],
  },
  'redis uri': { make: (d) => `rediss://:${d.random()}@${d.shape('cache-{a5}')}.corp.cloud:6380/0`, names: ['REDIS_URL'] },
  'amqp uri': { make: (d) => `amqps://mq_user:${d.random()}@${d.shape('mq-{a5}')}.corp.cloud:5671/vhost`, names: ['AMQP_URL'] },
  'mysql uri': { make: (d) => `mysql://root:${d.random()}@${d.shape('my-{a5}')}.corp.cloud/app`, names: ['DB_URL'] },
  'jdbc sap': {
    make: (d) =>
      `jdbc:sap://${d.shape('{g}')}.hana.prod-eu10.hanacloud.ondemand.com:443?user=SRV_ORDERS&password=${d.random()}&encrypt=true`,
    names: ['url', 'JDBC_URL'],
  },
  'jdbc postgres': {
    make: (d) => `jdbc:postgresql://pg.corp.cloud:5432/app?user=app&password=${d.random()}`,
    names: ['spring.datasource.url', 'jdbcUrl'],
  },
  'mssql connection': {
    make: (d) => `Server=tcp:sql.corp.cloud,1433;Database=app;User ID=app;Password=${d.random()};Encrypt=True;`,
    names: ['SQL_CONNECTION', 'connectionString'],
  },
  'azure redis': {
    make: (d) => `${d.shape('cache{a5}')}.redis.cache.windows.net:6380,password=${d.shape('{b43}=')},ssl=True,abortConnect=False`,
    names: ['REDIS_CONNECTION'],
  },
  'basic address': {
    make: (d) => `https://deploy:${d.random()}@${d.shape('repo-{a5}')}.corp.cloud/nexus`,
    names: ['REGISTRY_URL', 'url'],
  },
  'basic header': { make: (d) => `Basic ${toBase64(`SRV_ORDERS:${d.random()}`)}`, names: ['Authorization', 'authorization'] },
  'key in an address': {
    make: (d) => `https://api.corp.cloud/v1/orders?apikey=${d.random()}&$top=10`,
    names: ['url', 'endpoint'],
  },
  'github pat': { make: (d) => withChecksum(d, 'ghp_'), names: ['GITHUB_TOKEN', 'ghToken'] },
  'github oauth': { make: (d) => withChecksum(d, 'gho_'), names: ['GITHUB_TOKEN'] },
  'github app': { make: (d) => withChecksum(d, d.one(['ghu', 'ghs', 'ghr']) + '_'), names: ['GITHUB_TOKEN'] },
  npm: { make: (d) => withChecksum(d, 'npm_'), names: ['NPM_TOKEN'] },
}
