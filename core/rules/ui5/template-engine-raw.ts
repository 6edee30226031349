import { defineRule, type Rule } from '../rule.ts'
import { gradeByOrigin } from './_flow-grade.ts'

/**
 * Data of others in a template that writes it without escaping.
 * Facts: Handlebars and Mustache: {{{x}}} and {{&x}} are not escaped; lodash: <%= x %> is not, <%- x %> is.
 * Impact: a script in the data runs in the session of the user where the result becomes markup.
 */
export const templateEngineRaw: Rule = defineRule({
  id: 'ui5/template-engine-raw',
  impact: 'session',
  // that the result becomes markup is not seen here
  evidence: 'assumed',
  confidence: 'medium',
  cwe: [79],
  since: '0.2.0',
  docs: 'https://handlebarsjs.com/guide/expressions.html#html-escaping',
  on: 'flow',

  *check(hit, project) {
    if (hit.origin === 'unknown') return
    const args = { part: hit.quotedPart, sink: hit.quotedSink }
    yield { ...gradeByOrigin(hit, project), args, ...(hit.api.effects.has('compile') && { variant: 'compiled' }) }
  },

  text: () => ({
    en: {
      title: 'XSS: unescaped output in a template',
      message: 'A value from {part} is passed to {sink}, whose template outputs it without escaping.',
      why: 'If that output is inserted into the page, a script in the value runs in the user’s session.',
      fix: 'Use the syntax that escapes (two braces in Handlebars and Mustache, <%- x %> in lodash), or encode the value with sap/base/security/encodeXML.',
      variants: {
        compiled: {
          message: 'A template compiled with {sink} outputs a value from {part} without escaping it.',
        },
      },
    },
    fr: {
      title: 'XSS : sortie non échappée dans un gabarit',
      message: 'Une valeur issue de {part} est transmise à {sink}, dont le gabarit l’affiche sans échappement.',
      why: 'Si cette sortie est insérée dans la page, un script contenu dans la valeur s’exécute dans la session de l’utilisateur.',
      fix: 'Utilisez la syntaxe qui échappe (deux accolades dans Handlebars et Mustache, <%- x %> dans lodash), ou encodez la valeur avec sap/base/security/encodeXML.',
      variants: {
        compiled: {
          message: 'Un gabarit compilé par {sink} affiche sans échappement une valeur issue de {part}.',
        },
      },
    },
  }),
})
