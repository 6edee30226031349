/** Frameworks of Python whose applications answer requests: FastAPI, Flask, Quart, Starlette, Sanic. */
export const PYTHON_SERVER: RegExp = /\b(?:FastAPI|Flask|Quart|Starlette|Sanic)\(|\b(?:APIRouter|Blueprint)\(/

/**
 * What looks at who calls: dependencies of FastAPI other than on connections and settings, security schemes, middlewares, headers, cookies and sessions of
 * the request, libraries for tokens, refusals. A header that is sent to another service (`"Authorization": …`) is none.
 */
export const PYTHON_CHECK: RegExp =
  /\bDepends\(\s{0,20}(?!(?:[\w.]{1,60}\.)?(?:get_)?(?:async_)?(?:db|database|session|settings|config|repo|repository|client|service|engine|conn|connection)(?:_session)?\s{0,20}[,)])|\bSecurity\(|\bHTTP(?:Bearer|Basic)|\bOAuth2|\bAPIKey(?:Header|Query|Cookie)|\bxssec\b|\b(?:flask_|fastapi_)(?:login|httpauth|jwt|security|users|oidc|auth)|\bauthlib\b|\bjwt\b|\bjose\b|\bmsal\b|before_(?:app_)?request|BaseHTTPMiddleware|\.middleware\(|add_middleware\(\s{0,20}(?!CORSMiddleware|GZipMiddleware|ProxyHeadersMiddleware)\w|\brequest\.(?:headers|cookies|authorization|user|client|state)\b|websocket\.headers|\bheaders\.get\(|\bHeader\(|\bCookie\(|\bsession(?:\[|\.get\()|\bcurrent_user\b|\b(?:verify|validate|check|require|requires|decode)_?(?:\w{1,20}_)?(?:auth|token|user|key|access|role|scope|admin|login)|\b(?:login|token|auth|jwt)_required\b|@(?:auth|requires|protected|secured)|compare_digest|\bHTTP_40[13]|\babort\(\s{0,10}40[13]|status(?:_code)?\s{0,3}=\s{0,3}40[13]\b|return\b[^\n]{0,200},\s{0,5}40[13]\b|HTTPException\(\s{0,20}40[13]\b/

/** What refuses a caller, or lets a library do so. */
export const PYTHON_REFUSAL: RegExp =
  /\bSecurity\(|\bHTTP(?:Bearer|Basic)|\bOAuth2|\bAPIKey(?:Header|Query|Cookie)|\bxssec\b|\b(?:flask_|fastapi_)(?:login|httpauth|jwt|security|users|oidc|auth)|\bauthlib\b|\bcreate_security_context\b|\b(?:login|token|auth|jwt)_required\b|@(?:auth|requires|protected|secured)|\bHTTP_40[13]|\babort\(\s{0,10}40[13]|status(?:_code)?\s{0,3}=\s{0,3}40[13]\b|return\b[^\n]{0,200},\s{0,5}40[13]\b|HTTPException\(\s{0,20}40[13]\b|\bDepends\(\s{0,20}(?:\w{1,40}\.)?(?:verify|validate|check|require|auth)/

/** Packages that reach data: databases, stores, directories of documents. */
export const PYTHON_DATA: RegExp =
  /^[ \t]{0,20}(?:from|import)[ \t]{1,5}(?:hdbcli|hana_ml|langchain_hana|sqlalchemy|sqlmodel|pymongo|motor|psycopg2?|asyncpg|sqlite3|aiosqlite|pyodbc|pymysql|mysql|oracledb|peewee|tortoise|redis|boto3|elasticsearch|firebase_admin|supabase|chromadb|neo4j|pyrfc|cfenv)\b/m

/** What settings of TLS and of tokens contain. */
const PYTHON_SETTING =
  /\bCERT_NONE\b|\bcheck_hostname\b|_create_unverified_context|\bsslValidateCertificate\b|\bverify(?:_ssl)?\s{0,5}=\s{0,5}False/

/** Whether a rule looks at this text of Python; that of other files is not kept. */
export function isJudgedPython(text: string): boolean {
  return PYTHON_SERVER.test(text) || PYTHON_CHECK.test(text) || PYTHON_DATA.test(text) || PYTHON_SETTING.test(text)
}

/** A literal that does not end, ends with its line. */
const COMMENT_OR_STRING = /#[^\n]*|"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?/g

/** The same length with blanks in the place of comments and long strings: what they say is no code. Linear. */
export function blankPythonComments(text: string): string {
  return text.replaceAll(COMMENT_OR_STRING, (part) => (/^(?:#|"""|''')/.test(part) ? part.replaceAll(/[^\n]/g, ' ') : part))
}
