import type { Value } from '../../facts/index.ts'
import type { FileContent, OpenFile } from '../../files.ts'
import { parseBinding, parseExpression, viewsOf, type Ui5View } from '../../model/ui5/index.ts'
import type { MarkupAttribute, MarkupElement } from '../../parse/markup.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { BY_HASH } from './_inline-texts.ts'

const HTML = 'http://www.w3.org/1999/xhtml'
const SVG = 'http://www.w3.org/2000/svg'
const HANDLER = /^on[a-z]{3,30}$/iu
const ADDRESSES: ReadonlySet<string> = new Set(['href', 'src', 'srcdoc', 'action', 'formaction', 'data'])

/**
 * HTML or SVG markup in an XML or HTML view that runs code, or whose address is data.
 * Facts: documentation of SAPUI5, "Using Native HTML in XML Views" (deprecated): it is rendered as it is written, without the checks of controls; bindings in
 * it are filled by XML templating alone (`sap/ui/core/XMLTemplateProcessor` of 1.120.0 and 1.152.0: `rm.attr(name, value)`), else they are literal text.
 * Impact: an address from data, and data in inline code, is stored XSS; inline code of the app itself is only an obstacle to a content security policy.
 */
export const nativeHtmlInXmlview: Rule = defineRule({
  id: 'ui5/native-html-in-xmlview',
  impact: 'hygiene',
  // who writes the data is not told
  grades: {
    code: { impact: 'session', evidence: 'assumed' },
    address: { impact: 'session', evidence: 'assumed' },
    frame: { impact: 'session', evidence: 'assumed' },
    markup: { impact: 'session', evidence: 'assumed' },
    image: { impact: 'bounded', evidence: 'assumed' },
    style: { impact: 'defence', evidence: 'assumed' },
    bound: { impact: 'defence', evidence: 'assumed' },
  },
  confidence: 'high',
  cwe: [79],
  since: '0.1.0',
  docs: 'https://github.com/SAP-docs/sapui5/blob/main/docs/04_Essentials/using-native-html-in-xml-views-deprecated-be54950.md',
  keywords: ['http://www.w3.org/1999/xhtml', 'http://www.w3.org/2000/svg', 'data-sap-ui-type', 'data-controller-name'],

  checks: { xml: judgeViews, html: judgeViews },

  text: () => ({
    en: {
      title: 'Inline code in the native HTML of a view',
      message: '<{element}> in this view contains inline code: {what}.',
      why: BY_HASH.en,
      fix: 'Replace <{element}> with a UI5 control, and move the code into an event handler of the controller.',
      variants: {
        graphic: {
          fix: 'Remove {what} from <{element}>, and attach the handler with addEventListener in onAfterRendering of the controller.',
        },
        script: {
          title: 'Script element in the native HTML of a view',
          message: 'This view contains a <script> element.',
          why: "A content security policy can allow inline code only with a nonce, a hash or 'unsafe-inline', which also allows injected scripts.",
          fix: 'Remove the <script> element, and move its code into the controller or into a module that the controller loads with sap.ui.define.',
        },
        code: {
          title: 'XSS: data in the inline code of native HTML',
          message: '<{element}> in this view puts data into the code of its attribute "{what}".',
          why: 'If an attacker can write the data behind this binding, they can add code to the attribute, which runs in the session of every user for whom the event occurs.',
          fix: 'Replace <{element}> with a UI5 control, and read the value from the binding context in an event handler of the controller.',
        },
        markup: {
          title: 'XSS: bound markup in the native HTML of a view',
          message:
            'The attribute "{what}" of <{element}> in this view contains a binding, whose value XML templating inserts without validation.',
          why: 'If an attacker can write the data behind this binding, they can store markup with a script, which runs in the session of every user who opens the view.',
          fix: 'Replace <{element}> with sap.m.FormattedText, which sanitizes markup, and bind its htmlText.',
        },
        address: {
          title: 'XSS: bound URL in the native HTML of a view',
          message:
            'The attribute "{what}" of <{element}> in this view contains a binding, whose value XML templating inserts without validation.',
          why: 'If an attacker can write the data behind this binding, they can store a javascript: URL, whose code runs in the session of every user who clicks the element.',
          fix: 'Replace <{element}> with a UI5 control that validates the URL, such as sap.m.Link with validateUrl="true".',
        },
        image: {
          title: 'Bound image URL in the native HTML of a view',
          message:
            'The attribute "{what}" of <{element}> in this view contains a binding, whose value XML templating inserts without validation.',
          why: 'If an attacker can write the data behind this binding, they can have each user’s browser load a URL of their choice, which reveals that the user opens the view, or show a misleading image.',
          fix: 'Replace <{element}> with a UI5 control, such as sap.m.Image, and put a fixed prefix before the value: src="https://www.example.com/{…}".',
        },
        frame: {
          title: 'XSS: bound URL in the native HTML of a view',
          message:
            'The attribute "{what}" of <{element}> in this view contains a binding, whose value XML templating inserts without validation.',
          why: 'If an attacker can write the data behind this binding, they can store a javascript: URL, whose code runs in the session of every user who opens the view.',
          fix: 'Replace the binding with a fixed URL, or put a fixed prefix before the value: {what}="https://www.example.com/{…}".',
        },
        style: {
          title: 'Data binding in the native HTML of a view',
          message:
            'The attribute "{what}" of <{element}> in this view contains a binding, whose value XML templating inserts without checking its type.',
          why: 'If an attacker can write the data behind this binding, they can make the style load external URLs or hide parts of the app.',
          fix: 'Replace <{element}> with a UI5 control (for an image, sap.m.Image), and bind one of its typed properties.',
        },
        bound: {
          title: 'Data binding in the native HTML of a view',
          message:
            'The attribute "{what}" of <{element}> in this view contains a binding, whose value XML templating inserts without checking its type.',
          why: 'If an attacker can write the data behind this binding, they can change the attribute and mislead users with it.',
          fix: 'Replace <{element}> with a UI5 control, and bind one of its typed properties.',
        },
      },
    },
    fr: {
      title: 'Code intégré (inline) dans le HTML natif d’une vue',
      message: 'Dans cette vue, <{element}> contient du code intégré (inline) : {what}.',
      why: BY_HASH.fr,
      fix: 'Remplacez <{element}> par un contrôle UI5 et déplacez le code dans un gestionnaire d’événement du contrôleur.',
      variants: {
        graphic: {
          fix: 'Supprimez {what} de <{element}> et attachez le gestionnaire avec addEventListener dans la méthode onAfterRendering du contrôleur.',
        },
        script: {
          title: 'Élément script dans le HTML natif d’une vue',
          message: 'Cette vue contient un élément <script>.',
          why: "Une Content Security Policy ne peut autoriser du code intégré que par un nonce, une empreinte (hash) ou 'unsafe-inline', qui autorise aussi les scripts injectés.",
          fix: 'Supprimez l’élément <script> et déplacez son code dans le contrôleur, ou dans un module que le contrôleur charge avec sap.ui.define.',
        },
        code: {
          title: 'XSS : données dans le code intégré du HTML natif',
          message: 'Dans cette vue, <{element}> insère des données dans le code de son attribut "{what}".',
          why: 'Si un attaquant peut écrire les données de cette liaison, il peut ajouter du code à l’attribut ; ce code s’exécute dans la session de chaque utilisateur chez qui l’événement se produit.',
          fix: 'Remplacez <{element}> par un contrôle UI5 ; dans un gestionnaire d’événement du contrôleur, lisez la valeur dans le contexte de liaison.',
        },
        markup: {
          title: 'XSS : balisage lié dans le HTML natif d’une vue',
          message:
            'Dans cette vue, l’attribut "{what}" de <{element}> contient une liaison, dont le templating XML insère la valeur sans validation.',
          why: 'Si un attaquant peut écrire les données de cette liaison, il peut y stocker du balisage avec un script, qui s’exécute dans la session de chaque utilisateur qui ouvre la vue.',
          fix: 'Remplacez <{element}> par sap.m.FormattedText, qui assainit le balisage, et liez sa propriété htmlText.',
        },
        address: {
          title: 'XSS : URL liée dans le HTML natif d’une vue',
          message:
            'Dans cette vue, l’attribut "{what}" de <{element}> contient une liaison, dont le templating XML insère la valeur sans validation.',
          why: 'Si un attaquant peut écrire les données de cette liaison, il peut y stocker une URL javascript:, dont le code s’exécute dans la session de chaque utilisateur qui clique sur l’élément.',
          fix: 'Remplacez <{element}> par un contrôle UI5 qui valide l’URL, comme sap.m.Link avec validateUrl="true".',
        },
        image: {
          title: 'URL d’image liée dans le HTML natif d’une vue',
          message:
            'Dans cette vue, l’attribut "{what}" de <{element}> contient une liaison, dont le templating XML insère la valeur sans validation.',
          why: 'Si un attaquant peut écrire les données de cette liaison, il peut y placer une URL que le navigateur de chaque utilisateur charge, ce qui révèle l’ouverture de la vue, ou afficher une image trompeuse.',
          fix: 'Remplacez <{element}> par un contrôle UI5 comme sap.m.Image, et placez un préfixe fixe devant la valeur : src="https://www.example.com/{…}".',
        },
        frame: {
          title: 'XSS : URL liée dans le HTML natif d’une vue',
          message:
            'Dans cette vue, l’attribut "{what}" de <{element}> contient une liaison, dont le templating XML insère la valeur sans validation.',
          why: 'Si un attaquant peut écrire les données de cette liaison, il peut y stocker une URL javascript:, dont le code s’exécute dans la session de chaque utilisateur qui ouvre la vue.',
          fix: 'Remplacez la liaison par une URL fixe, ou placez un préfixe fixe devant la valeur : {what}="https://www.example.com/{…}".',
        },
        style: {
          title: 'Liaison de données dans le HTML natif d’une vue',
          message:
            'Dans cette vue, l’attribut "{what}" de <{element}> contient une liaison, dont le templating XML insère la valeur sans en vérifier le type.',
          why: 'Si un attaquant peut écrire les données de cette liaison, il peut faire charger des URL externes par le style ou masquer des parties de l’application.',
          fix: 'Remplacez <{element}> par un contrôle UI5 (pour une image, sap.m.Image) et liez une de ses propriétés typées.',
        },
        bound: {
          title: 'Liaison de données dans le HTML natif d’une vue',
          message:
            'Dans cette vue, l’attribut "{what}" de <{element}> contient une liaison, dont le templating XML insère la valeur sans en vérifier le type.',
          why: 'Si un attaquant peut écrire les données de cette liaison, il peut modifier l’attribut et ainsi tromper les utilisateurs.',
          fix: 'Remplacez <{element}> par un contrôle UI5 et liez une de ses propriétés typées.',
        },
      },
    },
  }),
})

function* judgeViews(file: OpenFile<FileContent>): Generator<Match> {
  for (const view of viewsOf(file)) yield* judgeView(view)
}

function* judgeView({ file, native, isTemplate }: Ui5View): Generator<Match> {
  for (const element of native) {
    const name = element.localName.toLowerCase()
    // a script that holds data, or that the own server gives, is what it is: one finding for the element
    if (name === 'script' && element.namespace === HTML) {
      yield { at: { file, span: element.startTag }, args: { element: name, what: 'script' }, variant: 'script' }
      continue
    }
    for (const attribute of element.attributes) {
      const match = judge(attribute, element, isTemplate)
      if (match !== undefined) yield { at: { file, span: attribute.valueSpan }, ...match }
    }
  }
}

function judge(
  { localName, name, value }: MarkupAttribute,
  element: MarkupElement,
  isTemplate: boolean,
): Pick<Match, 'args' | 'variant' | 'confidence'> | undefined {
  const tag = element.localName.toLowerCase()
  const attribute = localName.toLowerCase()
  // no control takes the place of a shape
  const code = element.namespace === SVG ? { variant: 'graphic' } : {}
  if (!name.includes(':') && HANDLER.test(attribute)) {
    const args = { element: tag, what: attribute }
    return isTemplate && isBoundToData(value) ? { args, variant: 'code', confidence: 'medium' } : { args, ...code }
  }
  if (!ADDRESSES.has(attribute))
    return isTemplate && isBoundToData(value)
      ? { args: { element: tag, what: attribute }, variant: attribute === 'style' ? 'style' : 'bound', confidence: 'medium' }
      : undefined
  if (/^\s{0,100}javascript:(?!\s{0,10}(?:void\s{0,5}\(?\s{0,5}0\s{0,5}\)?)?\s{0,5};?\s{0,10}$)/iu.test(value))
    return { args: { element: tag, what: `${attribute}="javascript:…"` }, ...code }
  // the scheme is data only where the value begins with it
  return isTemplate && /^\s{0,100}\{(?!\{|i18n>)/u.test(value)
    ? {
        args: { element: tag, what: attribute },
        variant: attribute === 'srcdoc' ? 'markup' : addressOf(tag),
        confidence: 'medium',
      }
    : undefined
}

/** An image runs no code, a frame or plug-in does so without a click. */
function addressOf(tag: string): 'address' | 'image' | 'frame' {
  if (/^(?:img|image|source|track|audio|video|input)$/.test(tag)) return 'image'
  return /^(?:i?frame|embed|object)$/.test(tag) ? 'frame' : 'address'
}

/** Data that is filled in: no texts of the app, and no expression that only chooses between them. */
function isBoundToData(value: string): boolean {
  const binding = parseBinding(value)
  return (
    binding.kind === 'bound' &&
    binding.parts.some((part) => {
      if (part.kind === 'expression') return !isChoiceOfConstants(parseExpression(part.code))
      const paths = part.kind === 'path' ? [part] : part.paths
      return paths.some(({ model }) => !FIXED_MODELS.test(model))
    })
  )
}

/** `${big} ? 'large' : 'small'`: the data only decides. */
function isChoiceOfConstants(value: Value | undefined): boolean {
  return value?.kind === 'choice' && value.test !== undefined && value.options.every((option) => option.kind === 'literal')
}

/** Texts of the app, and what the device is. */
const FIXED_MODELS = /^(?:i18n|@i18n|device)$/u
