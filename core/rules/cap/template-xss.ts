import { quoteWord } from '../../quote.ts'
import { defineRule, type Rule } from '../rule.ts'
import { ejsOutputs, mustacheOutputs, sentFields, type UnsafeOutput } from './_routes/template-outputs.ts'

const CODE_FIX = {
  en: 'Write the value into a data attribute (data-name="…"), which the engine escapes, and read it in the script: element.dataset.name. Or write JSON.stringify(value).replace(/</g, "\\\\u003c") into a script.',
  fr: 'Écrivez la valeur dans un attribut data (data-name="…"), que le moteur échappe, et lisez-la dans le script : element.dataset.name. Ou écrivez JSON.stringify(valeur).replace(/</g, "\\\\u003c") dans un script.',
}

/**
 * A template of a server that writes a value as markup or as a part of a script. Escaping for HTML does not help in an event attribute, whose value the browser
 * decodes before it runs it, nor outside of the texts of a script.
 * Facts: EJS 3 ("Tags": `<%=` escapes for HTML, `<%-` does not); Handlebars 4 ("HTML Escaping"); HTML standard, "Event handler content attributes"; OWASP XSS Prevention Cheat Sheet ("Output Encoding for JavaScript Contexts").
 * Impact: whoever writes the value runs scripts in the session of those who see the page. That handlers take a field of this name from a client shows that users write it;
 * of other fields only the place is known.
 */
export const templateXss: Rule = defineRule({
  id: 'cap/template-xss',
  impact: 'session',
  reach: 'user',
  confidence: 'medium',
  cwe: [79],
  since: '0.3.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/Cross_Site_Scripting_Prevention_Cheat_Sheet.html',
  on: 'project',
  extracts: [ejsOutputs, mustacheOutputs, sentFields],

  *check({ scripts }) {
    const outputs = [...scripts.get(ejsOutputs), ...scripts.get(mustacheOutputs)]
    if (outputs.length === 0) return
    const fields = scripts.get(sentFields).map(({ value }) => value)
    const sent = new Set(fields.flatMap(({ name, column }) => (column === undefined ? name : [])))
    for (const { name, column } of fields) if (column !== undefined && sent.has(column)) sent.add(name)
    const best = new Map<string, { readonly file: string; readonly value: UnsafeOutput; readonly rank: number }>()
    for (const { file, value } of outputs) {
      const isSent = sent.has(value.name)
      if (!isSent && !value.isField && value.how !== 'json') continue
      // one of an attribute: the one that most likely holds a text of somebody
      const rank = (isSent ? 2 : 0) + (LIKELY_TEXT.test(value.name) ? 1 : 0)
      const key = `${file} ${value.how} ${value.within}`
      const known = best.get(key)
      if (known === undefined || known.rank < rank) best.set(key, { file, value, rank })
    }
    for (const { file, value, rank } of best.values()) {
      const { start, end, how, code, isField, attribute } = value
      yield {
        at: { file, span: { start, end } },
        args: { code: quoteWord(code), attribute },
        evidence: how === 'json' ? (sent.size > 0 ? 'assumed' : 'guessed') : rank < 2 ? 'guessed' : isField ? 'shown' : 'assumed',
        ...(how !== 'raw' && { variant: how }),
        groupKey: `${how} ${rank}`,
      }
    }
  },

  text: () => ({
    en: {
      title: 'Cross-site scripting (XSS) in a server-side template',
      message: 'The template writes {code} into the page as markup, without escaping it.',
      why: 'An attacker who can write this value can run scripts in the browser of every user who opens the page, with that user’s permissions.',
      fix: 'Write the value with the tag that escapes: <%= value %> in EJS, and double braces instead of triple ones in Handlebars. Sanitize markup that users may enter with a library such as sanitize-html first.',
      variants: {
        handler: {
          message:
            'The template writes {code} into the script of the attribute {attribute}: browsers decode the escaped quotes before they run it.',
          fix: CODE_FIX.en,
        },
        code: {
          message: 'The template writes {code} into a script as code: escaping for HTML does not help there.',
          fix: CODE_FIX.en,
        },
        json: {
          message: 'The template writes {code} into a script: a text with </script> in it ends the script and begins markup.',
          fix: 'Write JSON.stringify(value).replace(/</g, "\\\\u003c"), or use a library such as serialize-javascript.',
        },
      },
    },
    fr: {
      title: 'Cross-site scripting (XSS) dans un modèle de page du serveur',
      message: 'Le modèle écrit {code} dans la page comme du balisage, sans échappement.',
      why: 'Un attaquant qui peut écrire cette valeur peut exécuter des scripts dans le navigateur de chaque utilisateur qui ouvre la page, avec les droits de cet utilisateur.',
      fix: 'Écrivez la valeur avec la balise qui échappe : <%= valeur %> en EJS, et des accolades doubles au lieu de triples en Handlebars. Assainissez d’abord, avec une bibliothèque comme sanitize-html, le balisage que les utilisateurs peuvent saisir.',
      variants: {
        handler: {
          message:
            'Le modèle écrit {code} dans le script de l’attribut {attribute} : le navigateur décode les guillemets échappés avant de l’exécuter.',
          fix: CODE_FIX.fr,
        },
        code: {
          message: 'Le modèle écrit {code} dans un script comme du code : l’échappement HTML n’y protège pas.',
          fix: CODE_FIX.fr,
        },
        json: {
          message:
            'Le modèle écrit {code} dans un script : un texte qui contient </script> termine le script et commence du balisage.',
          fix: 'Écrivez JSON.stringify(valeur).replace(/</g, "\\\\u003c"), ou utilisez une bibliothèque comme serialize-javascript.',
        },
      },
    },
  }),
})

const LIKELY_TEXT = /name|title|text|comment|note|desc|label|mail|address|message|subject|remark/i
