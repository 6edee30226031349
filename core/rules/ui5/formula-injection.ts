import { inEachLanguage } from '../../arguments.ts'
import { defineRule, type Rule } from '../rule.ts'
import { gradeByOrigin, variantOf } from './_flow-grade.ts'

const DATA_URL = inEachLanguage({ en: 'a data: URL', fr: 'une URL data:' })

/**
 * A table of text written by hand from what others choose: a cell that begins with = + - @ is a formula in a spreadsheet.
 * Facts: OWASP, "CSV Injection"; API reference of SAPUI5, sap.ui.core.util.File.save and sap.ui.export.Spreadsheet (which writes cells with their types).
 * Impact: little, since a formula acts in the spreadsheet of the user who opens the file, behind the warnings that it shows first (Microsoft Support, "Block or
 * unblock external content in Office documents"); JSON has to be imported before.
 */
export const formulaInjection: Rule = defineRule({
  id: 'ui5/formula-injection',
  impact: 'bounded',
  // somebody has to open the file and to confirm warnings
  evidence: 'assumed',
  confidence: 'medium',
  cwe: [1236],
  since: '0.2.0',
  docs: 'https://owasp.org/www-community/attacks/CSV_Injection',
  on: 'flow',

  *check(hit, project) {
    // what a server answered is kept to be shown again
    const isKept = hit.api.effects.has('keep')
    if (hit.origin === 'unknown' || (isKept && (hit.origin === 'backend' || hit.origin === 'storage'))) return
    const origin = variantOf(hit)
    const isExport = !isKept && hit.detail !== 'kept'
    yield {
      ...gradeByOrigin(hit, project),
      evidence: 'assumed',
      // a table of what several users have written is made to be opened as one
      ...(origin === 'stored' && isExport && { evidence: 'shown' as const }),
      // in a file of one's own it is told, as little: the file may be given to others
      ...(origin === 'own' && isExport && { impact: 'session' as const }),
      // that it comes from others, and gets to others, is two links
      ...(origin === 'indirect' && { evidence: 'guessed' as const }),
      args: { part: hit.quotedPart, sink: hit.api.effects.has('address') ? DATA_URL : hit.sink },
      ...(isKept ? { variant: 'kept' } : hit.detail === 'kept' && { variant: 'json' }),
    }
  },

  text: () => ({
    en: {
      title: 'Formula injection in an exported file',
      message: 'A value from {part} is exported through {sink} without escaping formula characters.',
      why: 'A cell that begins with =, +, - or @ runs as a formula when a user opens the file in a spreadsheet program; the formula can send other cells to an attacker or start programs.',
      fix: 'Export with sap.ui.export.Spreadsheet. Or escape each cell, enclose it in quotes, and double the quotes inside: \'"\' + String(value).replace(/^[=+\\-@\\t\\r\\n]/, "\'$&").replace(/"/g, \'""\') + \'"\'.',
      variants: {
        json: {
          why: 'If this file is later imported into a spreadsheet program, a cell that begins with =, +, - or @ can run as a formula, which can send other cells to an attacker or start programs.',
          fix: 'Put an apostrophe in front of any value that begins with =, +, -, @, a tab or a line break: String(value).replace(/^[=+\\-@\\t\\r\\n]/, "\'$&").',
        },
        kept: {
          title: 'Formula injection through a stored value',
          message: '{sink} stores a value from {part} in the browser storage without escaping formula characters.',
          why: 'If the app later exports the value to a spreadsheet file, a cell that begins with =, +, - or @ runs as a formula when a user opens that file; the formula can send other cells to an attacker or start programs.',
          fix: 'Put an apostrophe in front of any value that begins with =, +, -, @, a tab or a line break before you store it: String(value).replace(/^[=+\\-@\\t\\r\\n]/, "\'$&").',
        },
      },
    },
    fr: {
      title: 'Injection de formules dans un fichier exporté',
      message: 'Une valeur issue de {part} est exportée via {sink} sans échappement des caractères de formule.',
      why: 'Une cellule qui commence par =, +, - ou @ s’exécute comme une formule lorsqu’un utilisateur ouvre le fichier dans un tableur ; cette formule peut envoyer d’autres cellules à un attaquant ou lancer des programmes.',
      fix: 'Exportez avec sap.ui.export.Spreadsheet. Ou échappez chaque cellule, placez-la entre guillemets et doublez ceux qu’elle contient : \'"\' + String(valeur).replace(/^[=+\\-@\\t\\r\\n]/, "\'$&").replace(/"/g, \'""\') + \'"\'.',
      variants: {
        json: {
          why: 'Si ce fichier est importé plus tard dans un tableur, une cellule qui commence par =, +, - ou @ peut s’exécuter comme une formule, qui peut envoyer d’autres cellules à un attaquant ou lancer des programmes.',
          fix: 'Ajoutez une apostrophe devant toute valeur qui commence par =, +, -, @, une tabulation ou un saut de ligne : String(valeur).replace(/^[=+\\-@\\t\\r\\n]/, "\'$&").',
        },
        kept: {
          title: 'Injection de formules par une valeur stockée',
          message:
            '{sink} conserve une valeur issue de {part} dans le stockage du navigateur sans échapper les caractères de formule.',
          why: 'Si l’application exporte ensuite la valeur vers un fichier de tableur, une cellule qui commence par =, +, - ou @ s’exécute comme une formule à l’ouverture du fichier ; cette formule peut envoyer d’autres cellules à un attaquant ou lancer des programmes.',
          fix: 'Ajoutez, avant le stockage, une apostrophe devant toute valeur qui commence par =, +, -, @, une tabulation ou un saut de ligne : String(valeur).replace(/^[=+\\-@\\t\\r\\n]/, "\'$&").',
        },
      },
    },
  }),
})
