import { defineRule, type Rule } from '../rule.ts'
import { isDeveloperFile } from '../../model/script/index.ts'
import { gradeByOrigin, storedVariantOf } from './_flow-grade.ts'

/**
 * Data that the renderer of a control writes as markup.
 * Facts: API of sap.ui.core.RenderManager (1.136): `write`, `writeAttribute`, `addStyle` and `addClass` of the string-based renderer and `unsafeHtml` write their
 * arguments as they are; `text`, `attr`, `class`, `style` and `writeEscaped` encode. UI5 checks values of types such as int, CSSSize and URI when they are set.
 * Severity: a script in data of other users or of the address runs in the session of the user, and a text property gets such data as soon as an app binds it (HIGH).
 */
export const rendererUnsafeOutput: Rule = defineRule({
  id: 'ui5/renderer-unsafe-output',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [79],
  since: '0.2.0',
  docs: 'https://ui5.sap.com/#/api/sap.ui.core.RenderManager',
  on: 'flow',

  *check(hit) {
    const args = { value: hit.quotedPart, sink: hit.sink }
    const grade = gradeByOrigin(hit, 'HIGH')
    // whoever uses the control binds data to it: that is what its properties are there for
    const isProperty = hit.origin === 'property'
    yield {
      ...grade,
      args,
      variant: storedVariantOf(hit),
      ...(isProperty && { variant: 'property', ...(!isDeveloperFile(hit.at.file) && { severity: 'HIGH' }) }),
    }
  },

  text: {
    en: {
      title: 'XSS: unencoded data written by a control renderer',
      message: '{sink} writes {value} into the page as markup, without encoding it.',
      why: 'An attacker who can write that data can store a script in it, which runs in the session of every user who sees this control, with the permissions of that user.',
      fix: 'Use rm.text(value), rm.attr(name, value), rm.class(name) and rm.style(name, value) of apiVersion 4, which encode their arguments; in a string-based renderer, use writeEscaped and writeAttributeEscaped.',
      variants: {
        link: {
          why: 'A crafted link or a message from another page can put a script into that value; it runs in the session of the victim, with all permissions of that user.',
        },
        own: {
          why: 'Users can attack only their own session, unless another page or user can supply that value.',
        },
        indirect: {
          why: 'If another user, page or file can supply that value, a script in it runs in the session of the user.',
        },
        property: {
          message:
            '{sink} writes a property of the control ({value}) as markup: any text that an app sets or binds there is parsed as HTML.',
          why: 'As soon as an app binds data from other users to that property, a script in the data runs in the session of every user who sees the control.',
        },
      },
    },
    fr: {
      title: 'XSS : moteur de rendu écrivant des données non encodées',
      message: '{sink} écrit {value} dans la page comme balisage, sans encodage.',
      why: 'Un attaquant qui peut écrire ces données peut y stocker un script, qui s’exécute dans la session de chaque utilisateur qui voit ce contrôle, avec ses droits.',
      fix: 'Utilisez rm.text(valeur), rm.attr(nom, valeur), rm.class(nom) et rm.style(nom, valeur) d’apiVersion 4, qui encodent leurs arguments ; dans un moteur de rendu textuel, utilisez writeEscaped et writeAttributeEscaped.',
      variants: {
        link: {
          why: 'Un lien forgé ou un message d’une autre page peut placer un script dans cette valeur ; il s’exécute dans la session de la victime, avec tous ses droits.',
        },
        own: {
          why: 'L’utilisateur ne peut attaquer que sa propre session, sauf si une autre page ou un autre utilisateur peut fournir cette valeur.',
        },
        indirect: {
          why: 'Si un autre utilisateur, une page ou un fichier peut fournir cette valeur, un script qu’elle contient s’exécute dans la session de l’utilisateur.',
        },
        property: {
          message:
            '{sink} écrit une propriété du contrôle ({value}) comme balisage : tout texte qu’une application y place est interprété comme du HTML.',
          why: 'Dès qu’une application lie à cette propriété des données d’autres utilisateurs, un script qu’elles contiennent s’exécute dans la session de chaque utilisateur qui voit le contrôle.',
        },
      },
    },
  },
})
