/** A template engine: which calls render, where the data stands, and what is written without being escaped. */
interface ServerTemplate {
  readonly renders: RegExp
  readonly data: number
  readonly raw: RegExp
}

const EJS = /<%-\s{0,20}([^%]{1,200}?)\s{0,20}-?%>/g
const LODASH = /<%=\s{0,20}([^%]{1,200}?)\s{0,20}%>/g
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
