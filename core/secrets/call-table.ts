import type { NameKind } from './names.ts'

/** A call one of whose arguments is a credential by its position. */
export interface CredentialCall {
  /** Up to the parenthesis, in lower case: fits in any case. */
  readonly keyword: string
  readonly kind: NameKind
  readonly position: number
  /** What its documentation calls it, where a type of credential is known by a word of that. */
  readonly name?: string
  /** `user:password`, which is a pair only where it becomes base64. */
  readonly isPair?: boolean
  /** The server that runs it takes sessions or tokens that are signed with it: who has it signs one of any user. */
  readonly verifies?: boolean
}

/**
 * Facts: java.sql.DriverManager, Apache HttpClient, java.net.PasswordAuthentication, java.security.KeyStore, Spring's HttpHeaders, JJWT, java-jwt, Nimbus JOSE + JWT, RESTX, REST Assured,
 * SAP Cloud SDK, hdbcli, hana_ml, Requests, smtplib, cryptography, jsonwebtoken, node:crypto, bcrypt, argon2, CryptoJS, GibberishAES, Sequelize, SuperAgent, Azure Identity, System.Net,
 * abap-adt-api, SAPUI5 (ODataModel), Perl's DBI, PHP (mysql, mysqli, PDO, SSH2, IMAP, ODBC, OCI8, LDAP, FTP), PyMySQL, mysqlclient, python-ldap, zeep, node-soap, OkHttp, LoadRunner, AWS CDK, web-push.
 */
export const CALLS: readonly CredentialCall[] = [
  { keyword: 'getconnection(', kind: 'password', position: 2 },
  { keyword: 'usernamepasswordcredentials(', kind: 'password', position: 1 },
  { keyword: 'usernamepasswordcredentialsimpl(', kind: 'password', position: 4 },
  { keyword: 'usernamepasswordauthenticationtoken(', kind: 'password', position: 1 },
  { keyword: 'passwordauthentication(', kind: 'password', position: 1 },
  { keyword: 'basiccredentials(', kind: 'password', position: 1 },
  { keyword: 'basicauth(', kind: 'password', position: 1 },
  { keyword: 'basicauthentication(', kind: 'password', position: 1 },
  { keyword: 'basic_auth(', kind: 'password', position: 1 },
  { keyword: 'auth=(', kind: 'password', position: 1 },
  { keyword: 'auth = (', kind: 'password', position: 1 },
  { keyword: 'dbapi.connect(', kind: 'password', position: 3 },
  // of SAPUI5: the service, whether it speaks JSON, the user
  { keyword: 'odatamodel(', kind: 'password', position: 3 },
  // XMLHttpRequest
  { keyword: '.open(', kind: 'password', position: 4 },
  { keyword: 'jwt.sign(', kind: 'secret', position: 1 },
  { keyword: 'jwt.verify(', kind: 'secret', position: 1 },
  { keyword: 'jwt.encode(', kind: 'secret', position: 1 },
  { keyword: 'createhmac(', kind: 'secret', position: 1 },
  { keyword: 'hmac.new(', kind: 'secret', position: 0 },
  { keyword: 'networkcredential(', kind: 'password', position: 1 },
  { keyword: 'sequelize(', kind: 'password', position: 2 },
  { keyword: 'connectioncontext(', kind: 'password', position: 3 },
  { keyword: 'auth().basic(', kind: 'password', position: 1 },
  { keyword: 'preemptive().basic(', kind: 'password', position: 1 },
  { keyword: '.auth(', kind: 'password', position: 1 },
  { keyword: 'login(', kind: 'password', position: 1 },
  { keyword: 'loginas(', kind: 'password', position: 1 },
  { keyword: 'keystore.load(', kind: 'password', position: 1 },
  { keyword: 'scryptsync(', kind: 'password', position: 0 },
  { keyword: 'scrypt(', kind: 'password', position: 0 },
  { keyword: 'pbkdf2sync(', kind: 'password', position: 0 },
  { keyword: 'pbkdf2(', kind: 'password', position: 0 },
  { keyword: 'bcrypt.hash(', kind: 'password', position: 0 },
  { keyword: 'bcrypt.hashsync(', kind: 'password', position: 0 },
  { keyword: 'bcryptjs.hash(', kind: 'password', position: 0 },
  { keyword: 'bcryptjs.hashsync(', kind: 'password', position: 0 },
  { keyword: 'argon2.hash(', kind: 'password', position: 0 },
  { keyword: 'clientsecretcredential(', kind: 'secret', position: 2 },
  { keyword: 'setbearerauth(', kind: 'secret', position: 0 },
  { keyword: 'authenticationheadervalue(', kind: 'secret', position: 1 },
  { keyword: 'signwith(', kind: 'secret', position: 1 },
  { keyword: 'hmacshakeyfor(', kind: 'secret', position: 0 },
  { keyword: 'secretkeyspec(', kind: 'secret', position: 0 },
  { keyword: 'signaturekey(', kind: 'secret', position: 0, verifies: true },
  { keyword: 'hmac256(', kind: 'secret', position: 0 },
  { keyword: 'hmac384(', kind: 'secret', position: 0 },
  { keyword: 'hmac512(', kind: 'secret', position: 0 },
  { keyword: 'macsigner(', kind: 'secret', position: 0 },
  { keyword: 'macverifier(', kind: 'secret', position: 0, verifies: true },
  { keyword: 'setsigningkey(', kind: 'secret', position: 0, verifies: true },
  { keyword: 'createcipheriv(', kind: 'secret', position: 1 },
  { keyword: 'createdecipheriv(', kind: 'secret', position: 1 },
  { keyword: 'aes.encrypt(', kind: 'secret', position: 1 },
  { keyword: 'aes.decrypt(', kind: 'secret', position: 1 },
  { keyword: 'aes.enc(', kind: 'password', position: 1 },
  { keyword: 'aes.dec(', kind: 'password', position: 1 },
  { keyword: 'cookieparser(', kind: 'secret', position: 0 },
  // web-push: the subject, the public key, the private one
  { keyword: 'setvapiddetails(', kind: 'secret', position: 2, name: 'vapidPrivateKey' },
  { keyword: 'fernet(', kind: 'secret', position: 0 },
  { keyword: 'adtclient(', kind: 'password', position: 2 },
  { keyword: 'dbi->connect(', kind: 'password', position: 2 },
  { keyword: 'mysqli(', kind: 'password', position: 2 },
  { keyword: 'mysqli_connect(', kind: 'password', position: 2 },
  { keyword: 'new pdo(', kind: 'password', position: 2 },
  { keyword: 'mysql_connect(', kind: 'password', position: 2 },
  { keyword: 'pymysql.connect(', kind: 'password', position: 2 },
  { keyword: 'mysqldb.connect(', kind: 'password', position: 2 },
  { keyword: 'ssh2_auth_password(', kind: 'password', position: 2 },
  { keyword: 'imap_open(', kind: 'password', position: 2 },
  { keyword: 'odbc_connect(', kind: 'password', position: 2 },
  { keyword: 'oci_connect(', kind: 'password', position: 1 },
  { keyword: 'ldap_bind(', kind: 'password', position: 2 },
  { keyword: 'ftp_login(', kind: 'password', position: 2 },
  { keyword: 'simple_bind_s(', kind: 'password', position: 1 },
  { keyword: 'digestauth(', kind: 'password', position: 1 },
  { keyword: 'ntlmauth(', kind: 'password', position: 1 },
  { keyword: 'usernametoken(', kind: 'password', position: 1 },
  { keyword: 'wssecurity(', kind: 'password', position: 1 },
  { keyword: 'basicauthsecurity(', kind: 'password', position: 1 },
  { keyword: 'credentials.basic(', kind: 'password', position: 1 },
  { keyword: 'web_set_user(', kind: 'password', position: 1 },
  { keyword: 'unsafeplaintext(', kind: 'password', position: 0 },
  { keyword: 'secretvalue.plaintext(', kind: 'password', position: 0 },
  { keyword: 'btoa(', kind: 'password', position: 0, isPair: true },
  { keyword: 'buffer.from(', kind: 'password', position: 0, isPair: true },
  { keyword: 'new buffer(', kind: 'password', position: 0, isPair: true },
  { keyword: 'base64.encode(', kind: 'password', position: 0, isPair: true },
  { keyword: 'utf8.parse(', kind: 'password', position: 0, isPair: true },
  { keyword: 'encodetostring(', kind: 'password', position: 0, isPair: true },
  { keyword: 'b64encode(', kind: 'password', position: 0, isPair: true },
]
