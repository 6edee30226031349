import type { Localized, RuleText } from '../../types.ts'

/**
 * A value in the code of an event attribute: `onclick="open('${escapeHtml(name)}')"`.
 * Fact: HTML standard, "Event handler content attributes": the code is the value of the attribute, whose entities the parser has decoded before.
 */
export const HANDLER_TEXTS: Localized<Pick<RuleText, 'title' | 'why' | 'fix'>> = {
  en: {
    title: 'XSS: value in the JavaScript of an event attribute',
    why: 'The browser decodes entities before it runs the attribute: a quote in the value ends the JavaScript string even if it was encoded for HTML, and what follows runs in the session of the user.',
    fix: 'Write the value into a data-* attribute, encoded with sap/base/security/encodeXML, read it from event.currentTarget.dataset, and attach the handler with addEventListener instead of onclick.',
  },
  fr: {
    title: 'XSS : valeur dans le JavaScript d’un attribut d’événement',
    why: 'Le navigateur décode les entités avant d’exécuter l’attribut : un guillemet dans la valeur termine la chaîne JavaScript, même encodé pour HTML, et la suite s’exécute dans la session de l’utilisateur.',
    fix: 'Écrivez la valeur dans un attribut data-*, encodée avec sap/base/security/encodeXML, lisez-la dans event.currentTarget.dataset et attachez le gestionnaire avec addEventListener au lieu d’onclick.',
  },
}

/** A value in an attribute whose encoder leaves quotes as they are: `title="${esc(name)}"`. Fact: HTML standard, "Serializing HTML fragments" and "Attribute value (double-quoted) state". */
export const QUOTES_TEXTS: Localized<Pick<RuleText, 'title' | 'why' | 'fix'>> = {
  en: {
    title: 'XSS: attribute value encoded without its quotes',
    why: 'A quote in the value ends the attribute; what follows adds an event attribute such as onmouseover, whose script runs in the session of the user who opens the page.',
    fix: 'Encode quotes too, with sap/base/security/encodeXML or .replace(/"/g, "&quot;").replace(/\'/g, "&#39;") in the encoder, or set the attribute with setAttribute.',
  },
  fr: {
    title: 'XSS : valeur d’attribut encodée sans ses guillemets',
    why: 'Un guillemet dans la valeur termine l’attribut ; la suite ajoute un attribut d’événement comme onmouseover, dont le script s’exécute dans la session de l’utilisateur qui ouvre la page.',
    fix: 'Encodez aussi les guillemets, avec sap/base/security/encodeXML ou .replace(/"/g, "&quot;").replace(/\'/g, "&#39;") dans l’encodeur, ou écrivez l’attribut avec setAttribute.',
  },
}
