import { quoteWord } from '../quote.ts'
import type { Match } from '../types.ts'
import { isTranslation } from './grade.ts'
import type { CredentialFile } from './index.ts'
import { judgeUrl } from './url-grade.ts'
import { charsetOf } from './values.ts'

/** The passwords in the URLs of some schemes, as matches: at the password alone, as it is written. What a row of the token table tells is left to it. */
export function* matchUrls(credentials: CredentialFile, schemes: RegExp): Generator<Match> {
  const { file, isSample } = credentials
  if (isTranslation(file.path)) return
  for (const url of credentials.urls()) {
    const found = schemes.test(url.scheme) ? judgeUrl(url, isSample) : undefined
    if (found === undefined) continue
    const { value, host, start, isToken, variant, grade } = found
    const span = url.spanOf(start, start + value.length)
    if (credentials.isToken(span)) continue
    const name = credentials.nameAt(url.spanOf(url.start, url.start + 1).start)
    const shown = host || (url.joinedHost ?? '')
    const named = shown === '' ? (variant === undefined ? 'hostless' : `${variant}-hostless`) : variant
    yield {
      at: { file: file.path, span },
      secret: value,
      args: {
        name: quoteWord(name),
        scheme: url.scheme,
        kind: isToken ? 'token' : 'password',
        host: shown,
        length: String(value.length),
        ...charsetOf(value),
      },
      ...(named !== undefined && { variant: named }),
      ...grade,
    }
  }
}
