import { ANY_FIELD } from '../types.ts'

/** Functions that make a function of a template. Facts: documentation of Handlebars, Lodash, Hogan.js. */
export const COMPILERS: RegExp =
  /(?:^|[:/ ])(?:[hH]andlebars(?:\.js)? compile|[hH]ogan(?:\.js)? compile|(?:_|lodash|underscore) template)$/

const MUSTACHES = /\{\{\{\s{0,20}([^}]{1,200}?)\s{0,20}\}\}\}|\{\{&\s{0,20}([^}]{1,200}?)\s{0,20}\}\}/g
const LODASH = /<%=\s{0,20}([^%]{1,200}?)\s{0,20}%>/g
/** `user.name`: a name of a template that is no expression. */
export const PLAIN_NAME: RegExp = /^[A-Za-z_$][\w$]{0,80}(?:\.[A-Za-z_$][\w$]{0,80}){0,2}$/
export const MAX_FIELDS = 50

/** The paths of the values that a template writes as they are. Inside of blocks nobody can tell what a name is read from: an item of a list, or what lies in it. */
export function rawFieldsOf(template: string): readonly (readonly string[])[] {
  const isMarkup = /<[a-zA-Z/]/.test(template)
  const names = [
    ...[...template.matchAll(MUSTACHES)].map(([, one, other]) => one ?? other ?? ''),
    ...(isMarkup ? [...template.matchAll(LODASH)].map(([, name]) => name ?? '') : []),
  ]
  const isPlain = !/\{\{#|<%[^=-]/.test(template)
  return names.slice(0, MAX_FIELDS).flatMap((name) => {
    const path = PLAIN_NAME.test(name) && name !== 'this' ? name.replace(/^this\./, '').split('.') : undefined
    if (path !== undefined && isPlain) return [path]
    const own = [path?.at(-1) ?? ANY_FIELD]
    return [own, [ANY_FIELD, ...own], [ANY_FIELD, ANY_FIELD, ...own]]
  })
}

/** A template engine: which calls render, where the data stands, and what is written without being escaped. */
interface ServerTemplate {
  readonly renders: RegExp
  readonly data: number
  readonly raw: RegExp
}

const EJS = /<%-\s{0,20}([^%]{1,200}?)\s{0,20}-?%>/g
const MUSTACHE = /\{\{[{&]\s{0,20}([^{}]{1,200}?)\s{0,20}\}\}/g
const NUNJUCKS = /\{\{-?\s{0,20}([^{}|]{1,200}?)\s{0,20}\|\s{0,20}safe\s{0,20}-?\}\}/g
const PUG = /!\{\s{0,20}([^{}]{1,200}?)\s{0,20}\}/g

/** Facts: documentation of EJS 3, Lodash 4, Underscore 1, Handlebars 4, Mustache 4, Nunjucks 3 (autoescape is on), Pug 3. */
export const SERVER_TEMPLATES: readonly ServerTemplate[] = [
  { renders: /^module:ejs render$/, data: 1, raw: EJS },
  { renders: /^module:ejs compile \(\)$/, data: 0, raw: EJS },
  { renders: /^module:(?:lodash|underscore)(?:[/. ]template) \(\)$/, data: 0, raw: LODASH },
  { renders: /^module:handlebars compile \(\)$/, data: 0, raw: MUSTACHE },
  { renders: /^module:mustache render$/, data: 1, raw: MUSTACHE },
  { renders: /^module:nunjucks renderString$/, data: 1, raw: NUNJUCKS },
  { renders: /^module:(?:pug|jade) render$/, data: 1, raw: PUG },
  { renders: /^module:(?:pug|jade) compile \(\)$/, data: 0, raw: PUG },
]
