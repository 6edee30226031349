import type { Span } from '../types.ts'

/** A place of a template where the server writes a value into the page. */
export interface TemplateOutput extends Span {
  /** What is written, as code of the template's language. */
  readonly code: string
  /** Written as it is; otherwise `&`, `<`, `>` and quotes are escaped. */
  readonly raw: boolean
}

interface TemplateTag extends Span {
  readonly output?: Pick<TemplateOutput, 'code' | 'raw'>
}

/** Marks of the tags of a template language, and what a tag says by what follows its opening. */
interface TemplateLanguage {
  readonly opens: string
  readonly closes: string
  readonly read: (inside: string) => TemplateTag['output']
}

/** Facts: EJS 3 ("Tags"): `<%=` writes escaped, `<%-` as it is; `<%`, `<%_` run code, `<%#` is a comment, `<%%` a literal; `-%>` and `_%>` close too. */
const EJS: TemplateLanguage = {
  opens: '<%',
  closes: '%>',
  read(inside) {
    if (inside[0] !== '=' && inside[0] !== '-') return undefined
    return { code: inside.slice(1).replace(/[-_]$/, '').trim(), raw: inside[0] === '-' }
  },
}

/** Facts: Handlebars 4 ("Expressions", "Block Helpers"), Mustache 4: `{{x}}` writes escaped, `{{{x}}}` and `{{&x}}` as it is; `#`, `/`, `^`, `!`, `>`, `else` and `~` write nothing. */
const MUSTACHE: TemplateLanguage = {
  opens: '{{',
  closes: '}}',
  read(inside) {
    const said = inside.replace(/^~|~$/g, '')
    if (/^\s{0,20}(?:[#/^!>]|else\b)/.test(said)) return undefined
    const raw = said[0] === '{' || said[0] === '&'
    return { code: (raw ? said.slice(1) : said).trim(), raw }
  },
}

const LANGUAGES: ReadonlyMap<string, TemplateLanguage> = new Map([
  ['ejs', EJS],
  ['hbs', MUSTACHE],
  ['handlebars', MUSTACHE],
  ['mustache', MUSTACHE],
])

/** Whether a file is a page in one of these languages, by its name. */
export function isPageTemplate(path: string): boolean {
  return languageOf(path) !== undefined
}

function languageOf(path: string): TemplateLanguage | undefined {
  return LANGUAGES.get(path.slice(path.lastIndexOf('.') + 1).toLowerCase())
}

/** Every place where the template at `path` writes a value. */
export function* outputsOf(path: string, text: string): Generator<TemplateOutput> {
  for (const { start, end, output } of tagsOf(path, text)) if (output !== undefined) yield { start, end, ...output }
}

/**
 * The template as the HTML around its tags, every offset kept: what runs is blank, and what is written is a placeholder that rules on addresses know.
 */
export function toTemplateMarkup(path: string, text: string): string {
  return withTags(path, text, ({ start, end }) => `\${${text.slice(start + 2, end - 1).replace(/[^\w.]/g, '_')}}`)
}

/** The same for its scripts, where what is written is a name: a value of its own outside of texts, a part of those it stands in. */
export function toTemplateScript(path: string, text: string): string {
  return withTags(path, text, ({ start, end }) => '_'.repeat(end - start))
}

function withTags(path: string, text: string, write: (tag: Span) => string): string {
  const pieces: string[] = []
  let done = 0
  for (const { start, end, output } of tagsOf(path, text)) {
    pieces.push(
      text.slice(done, start),
      output === undefined ? text.slice(start, end).replace(/[^\r\n]/g, ' ') : write({ start, end }),
    )
    done = end
  }
  pieces.push(text.slice(done))
  return pieces.join('')
}

function* tagsOf(path: string, text: string): Generator<TemplateTag> {
  const language = languageOf(path)
  if (language === undefined) return
  const { opens, closes, read } = language
  for (let start = text.indexOf(opens); start !== -1;) {
    const close = text.indexOf(closes, start + opens.length)
    if (close === -1) return
    // `{{{x}}}` closes with its last brace
    const end = close + closes.length + (text.startsWith('{{{', start) && text[close + 2] === '}' ? 1 : 0)
    const output = read(text.slice(start + opens.length, close))
    yield { start, end, ...(output !== undefined && { output }) }
    start = text.indexOf(opens, end)
  }
}
