import type { Purpose } from './values.ts'

/** Functions that give back what they are given, as far as it is dangerous (PHP manual, strings, arrays, URLs, JSON, multibyte). */
const PASSING: ReadonlySet<string> = new Set(
  (
    'trim ltrim rtrim chop strtolower strtoupper lcfirst ucfirst ucwords substr str_replace str_ireplace preg_replace stripslashes stripcslashes implode join explode json_decode urldecode rawurldecode base64_decode utf8_decode utf8_encode ' +
    'iconv mb_convert_encoding mb_strtolower mb_strtoupper mb_substr nl2br html_entity_decode htmlspecialchars_decode strval array_merge array_values array_keys array_filter array_map array_pop array_shift array_slice array_unique array_reverse current reset end ' +
    'sprintf vsprintf strrev str_pad preg_split str_split strstr strrchr stristr filter_var array_column unserialize array_key_first gzuncompress realpath dirname rawurlencode ' +
    'print print_r var_export wordwrap chunk_split strtr substr_replace array_combine compact'
  ).split(' '),
)

/** What functions make a value harmless for; `all`: what they give is of their own making. */
const CLEANING: Readonly<Record<string, readonly Purpose[]>> = {
  htmlspecialchars: ['html'],
  htmlentities: ['html', 'sql'],
  strip_tags: ['html'],
  json_encode: ['html'],
  urlencode: ['html', 'sql', 'path'],
  rawurlencode: ['html', 'sql', 'path'],
  http_build_query: ['html', 'sql', 'path'],
  mysqli_real_escape_string: ['sql'],
  mysqli_escape_string: ['sql'],
  mysql_real_escape_string: ['sql'],
  mysql_escape_string: ['sql'],
  real_escape_string: ['sql'],
  escape_string: ['sql'],
  pg_escape_string: ['sql'],
  sqlite_escape_string: ['sql'],
  addslashes: ['sql'],
  escapeshellarg: ['command'],
  escapeshellcmd: ['command'],
  basename: ['path'],
  pathinfo: ['path'],
}

/** What quotes a value by itself: PDO::quote, pg_escape_literal, pg_escape_identifier. */
const QUOTING: ReadonlySet<string> = new Set(['quote', 'pg_escape_literal', 'pg_escape_identifier'])

export function isPassing(name: string): boolean {
  return PASSING.has(name)
}

export function isQuoting(name: string): boolean {
  return QUOTING.has(name)
}

export function cleans(name: string): readonly Purpose[] | undefined {
  return Object.hasOwn(CLEANING, name) ? CLEANING[name] : undefined
}

export const HASHES: ReadonlySet<string> = new Set([
  'md5',
  'sha1',
  'hash',
  'crc32',
  'crypt',
  'password_hash',
  'hash_hmac',
  'hash_pbkdf2',
  'openssl_digest',
  'sodium_crypto_pwhash_str',
])

/** Functions that give rows: of them as of methods. */
export const FETCHES: RegExp =
  /^(?:(?:mysqli?|pg|sqlsrv|odbc|oci|sqlite|db2)_fetch_\w{1,20}|fetch|fetchall|fetch_(?:all|array|assoc|object|row)|fetch_?column|fetchobject|fetchassociative|fetchallassociative|fetcharray|result_array|row_array)$/

/** What an error of the database or an exception tells. */
export const ERRORS: RegExp =
  /^(?:mysqli?_error|mysqli_connect_error|mysqli_stmt_error|mysqli_error_list|pg_last_error|sqlsrv_errors|oci_error|errorinfo|gettraceasstring|getmessage|error_get_last)$/

/** Which argument is the statement. */
export const STATEMENTS: Readonly<Record<string, number>> = {
  mysqli_query: 1,
  mysqli_multi_query: 1,
  mysqli_real_query: 1,
  mysqli_prepare: 1,
  mysql_query: 0,
  mysql_db_query: 1,
  mysql_unbuffered_query: 0,
  pg_query: -1,
  pg_send_query: 1,
  pg_prepare: 2,
  pg_query_params: 1,
  sqlsrv_query: 1,
  sqlsrv_prepare: 1,
  odbc_exec: 1,
  odbc_prepare: 1,
  oci_parse: 1,
  sqlite_query: 1,
  db2_exec: 1,
  db2_prepare: 1,
}
/** The same of methods, whose first argument it is: mysqli, PDO, SQLite3, Doctrine. */
export const STATEMENT_METHODS: ReadonlySet<string> = new Set(
  'query exec prepare multi_query real_query executequery executestatement querysingle getresults get_results'.split(' '),
)

/** Which files functions of the system touch, by the arguments that are paths. */
export const FILES: Readonly<Record<string, readonly number[]>> = {
  file_get_contents: [0],
  readfile: [0],
  fopen: [0],
  file: [0],
  highlight_file: [0],
  show_source: [0],
  simplexml_load_file: [0],
  file_put_contents: [0],
  unlink: [0],
  rmdir: [0],
  mkdir: [0],
  rename: [0, 1],
  copy: [0, 1],
}
export const CHANGES_FILES: ReadonlySet<string> = new Set(['file_put_contents', 'unlink', 'rmdir', 'mkdir', 'rename', 'copy'])

/** What runs a text: as a command, or as code. */
export const COMMANDS: ReadonlySet<string> = new Set('exec system shell_exec passthru popen proc_open pcntl_exec'.split(' '))
export const EVALS: ReadonlySet<string> = new Set(['eval', 'assert', 'create_function', 'call_user_func', 'call_user_func_array'])

/** Words in names of what looks at who calls, where the project doesn't hold its code: middlewares, helpers of frameworks. */
export const LOGIN_NAME: RegExp =
  /(?:check|require|verify|validate|ensure|is|assert|protect|authorize|authenticate|get|current|decode|has)_?(?:\w{0,20}_)?(?:auth|login|logged|session|token|user|admin|permission|role|access|jwt)|^auth(?:enticate|orize)?$|^guard$|^user$|^decode$|^new \w{0,40}(?:auth|jwt)/i

/** Headers of a request that say who calls. */
export const LOGIN_HEADER: RegExp =
  /^(?:PHP_AUTH_(?:USER|PW|DIGEST)|HTTP_AUTHORIZATION|REDIRECT_HTTP_AUTHORIZATION|REMOTE_USER|HTTP_X_\w{0,30}(?:TOKEN|KEY|AUTH)\w{0,20}|SSL_CLIENT_\w{1,30}|REMOTE_ADDR)$/i
