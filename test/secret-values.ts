import { createHash } from 'node:crypto'

const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const UPPER = LOWER.toUpperCase()
const DIGITS = '0123456789'
const LINE = 64

/** Draws a secret of a kind, the same for the same seed; no file of this project holds one. Throws for a kind that it doesn't know. */
export function drawSecret(kind: string, seed: string): string {
  const draw = KINDS[kind]
  if (draw === undefined) throw new Error(`no secret of kind ${kind}`)
  return draw(createSource(`${kind} ${seed}`))
}

/** Bytes that follow from a seed. */
type Source = (count: number) => Uint8Array

function createSource(seed: string): Source {
  let held = Buffer.alloc(0)
  let block = 0
  return (count) => {
    while (held.length < count) held = Buffer.concat([held, createHash('sha256').update(`${seed} ${block++}`).digest()])
    const bytes = held.subarray(0, count)
    held = held.subarray(count)
    return bytes
  }
}

const KINDS: Readonly<Record<string, (source: Source) => string>> = {
  'sap-binding': drawBinding,
  // what documentation puts in place of one
  'sap-binding-blank': (source) => `${drawBinding(source).slice(0, 37)}${'A'.repeat(43)}=`,
  'sap-binding-base64': (source) => toBase64(drawBinding(source)),
  'sap-binding-shell': (source) => drawBinding(source).replace('$', '\\$'),
  'sap-client-base64': (source) => toBase64(`sb-shop!t1:${drawBinding(source)}`),
  // letters and digits: as written and as meant are the same
  password: (source) => drawPassword(source, LOWER + UPPER + DIGITS),
  // signs that need no escape in an address
  'password-signs': (source) => `${drawPassword(source, LOWER + UPPER + DIGITS)}!~$*`,
  'password-percent': (source) =>
    `${drawText(source, LOWER, 5)}%40${drawText(source, UPPER, 4)}%23${drawText(source, DIGITS, 4)}`,
  'basic-base64': (source) => toBase64(`SVC_YACHT:${drawPassword(source, LOWER + UPPER + DIGITS)}`),
  'db-uri-base64': (source) =>
    toBase64(`postgres://shop_user:${drawPassword(source, LOWER + UPPER + DIGITS)}@db.corp.cloud/shop`),
  token: (source) => drawText(source, DIGITS + 'abcdef', 40),
  'rsa-key': (source) => toPem('RSA PRIVATE KEY', drawDer(source, [2, 1, 0, 2, 0x82, 1, 1, 0], 1190)),
  'rsa-key-escaped': (source) => escapeLines(toPem('RSA PRIVATE KEY', drawDer(source, [2, 1, 0, 2, 0x82, 1, 1, 0], 1190))),
  'rsa-key-escaped-twice': (source) =>
    escapeLines(toPem('RSA PRIVATE KEY', drawDer(source, [2, 1, 0, 2, 0x82, 1, 1, 0], 1190))).replaceAll('\\', '\\\\'),
  'rsa-key-base64': (source) => toBase64(toPem('RSA PRIVATE KEY', drawDer(source, [2, 1, 0, 2, 0x82, 1, 1, 0], 1190))),
  // what documentation shows of one
  'rsa-key-head': (source) =>
    toPem('RSA PRIVATE KEY', drawDer(source, [2, 1, 0, 2, 0x82, 1, 1, 0], 1190))
      .split('\n')
      .slice(0, 4)
      .join('\n'),
  'rsa-key-locked': (source) => drawLockedRsa(source),
  'pkcs8-key': (source) => toPem('PRIVATE KEY', drawPkcs8(source)),
  'pkcs8-key-indented': (source) => toPem('PRIVATE KEY', drawPkcs8(source)).replaceAll('\n', '\n    '),
  'pkcs8-key-commented': (source) => toPem('PRIVATE KEY', drawPkcs8(source)).replaceAll('\n', '\n// '),
  'pkcs8-key-escaped': (source) => escapeLines(toPem('PRIVATE KEY', drawPkcs8(source))),
  'pkcs8-key-joined': (source) => toPem('PRIVATE KEY', drawPkcs8(source)).replaceAll('\n', "\\n' +\n  '"),
  'pkcs8-key-locked': (source) => toPem('ENCRYPTED PRIVATE KEY', drawDer(source, [0x30, 0x57, 6, 9], 1300)),
  'ec-key': (source) => toPem('EC PRIVATE KEY', drawDer(source, [2, 1, 1, 4, 0x20], 119)),
  'ed25519-key': (source) =>
    toPem('PRIVATE KEY', drawDer(source, [2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20], 46)),
  'openssh-key': (source) => toPem('OPENSSH PRIVATE KEY', drawOpenSsh(source, 'none')),
  'openssh-key-locked': (source) => toPem('OPENSSH PRIVATE KEY', drawOpenSsh(source, 'aes256-ctr')),
  // a key with its certificate, which ended on 2023-01-23, in front of it
  'key-with-certificate': (source) => drawWithCertificate(source),
  'key-with-certificate-escaped': (source) => escapeLines(drawWithCertificate(source)),
  'other-certificate': (source) => toPem('CERTIFICATE', certificateOf(drawRsa(source), source)),
  certificate: (source) => toPem('CERTIFICATE', drawDer(source, [0x30, 0x82], 900)),
  'certificate-escaped': (source) => escapeLines(toPem('CERTIFICATE', drawDer(source, [0x30, 0x82], 900))),
  'public-key-escaped': (source) => escapeLines(toPem('PUBLIC KEY', drawDer(source, [0x30, 0x0d, 6, 9], 294))),
  'public-key': (source) => toPem('PUBLIC KEY', drawDer(source, [0x30, 0x0d, 6, 9], 294)),
}

function drawText(source: Source, alphabet: string, length: number): string {
  return Array.from(source(length), (byte) => alphabet[byte % alphabet.length]).join('')
}

/** 20 characters with one of each class, so that none of them looks like a word. */
function drawPassword(source: Source, alphabet: string): string {
  return `${drawText(source, UPPER, 1)}${drawText(source, DIGITS, 1)}${drawText(source, LOWER, 1)}${drawText(source, alphabet, 15)}${drawText(source, DIGITS, 2)}`
}

function drawBinding(source: Source): string {
  const hex = Buffer.from(source(16)).toString('hex')
  const guid = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
  const random = Buffer.from(source(32)).toString('base64url')
  return `${guid}$${random}=`
}

/** A SEQUENCE of `length` content bytes: the first ones as given, the rest random. */
function drawDer(source: Source, first: readonly number[], length: number): Buffer {
  const content = Buffer.concat([Buffer.from(first), source(length - first.length)])
  const header = length < 0x80 ? [0x30, length] : length < 0x100 ? [0x30, 0x81, length] : [0x30, 0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from(header), content])
}

function drawRsa(source: Source): Buffer {
  return drawDer(source, [2, 1, 0, 2, 0x82, 1, 1, 0], 1190)
}

function drawWithCertificate(source: Source): string {
  const key = drawRsa(source)
  return `${toPem('CERTIFICATE', certificateOf(key, source))}\n${toPem('RSA PRIVATE KEY', key)}`
}

/** The parts of a certificate that tell how long it is valid and whose it is. */
function certificateOf(key: Buffer, source: Source): Buffer {
  const validity = Buffer.from('0\x1e\x17\r220123000000Z\x17\r230123000000Z', 'latin1')
  const content = Buffer.concat([source(120), validity, source(60), key.subarray(7, 7 + 5 + 256), source(300)])
  return drawDer(() => content, [], content.length)
}

function drawPkcs8(source: Source): Buffer {
  return drawDer(source, [2, 1, 0, 0x30, 0x0d, 6, 9], 1214)
}

function drawOpenSsh(source: Source, cipher: string): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(cipher.length)
  return Buffer.concat([Buffer.from('openssh-key-v1\0'), length, Buffer.from(cipher), source(380)])
}

function drawLockedRsa(source: Source): string {
  const [header = '', ...rest] = toPem('RSA PRIVATE KEY', Buffer.from(source(1200))).split('\n')
  const iv = Buffer.from(source(16)).toString('hex').toUpperCase()
  return [header, 'Proc-Type: 4,ENCRYPTED', `DEK-Info: AES-128-CBC,${iv}`, '', ...rest].join('\n')
}

function toPem(label: string, bytes: Uint8Array): string {
  const base64 = Buffer.from(bytes).toString('base64')
  const lines = base64.match(new RegExp(`.{1,${LINE}}`, 'g')) ?? []
  const dashes = '-'.repeat(5)
  return [`${dashes}BEGIN ${label}${dashes}`, ...lines, `${dashes}END ${label}${dashes}`].join('\n')
}

function escapeLines(text: string): string {
  return text.replaceAll('\n', '\\n')
}

function toBase64(text: string): string {
  return Buffer.from(text).toString('base64')
}
