import { runsInBrowser } from '../../model/script/index.ts'
import { defineRule, type Rule } from '../rule.ts'
import { findStoredSecrets } from './_web-storage.ts'

/** A token or password in a storage that every script of the origin reads. Names decide, of the key or of what is stored.
 *  Facts: OWASP cheat sheet "HTML5 Security" (local storage); SAPUI5, API of sap.ui.util.Storage: it wraps the storages of the browser. */
export const tokenInWebStorage: Rule = defineRule({
  id: 'ui5/token-in-web-storage',
  severity: 'MEDIUM',
  confidence: 'medium',
  cwe: [922],
  since: '0.1.0',
  docs: 'https://github.com/SAP-docs/sapui5/blob/main/docs/05_Developing_Apps/browser-security-91f3b66.md',
  keywords: [
    'localStorage',
    'sessionStorage',
    'sap/ui/util/Storage',
    'sap.storage',
    'document.cookie',
    'js-cookie',
    'Cookies.set',
    'objectStore',
    '.cookie(',
  ],
  prefilter: (text) =>
    /token|passw|pwd|secret|jwt|api_?-?key|credential|authorization|bearer|iban|ssn|card|btoa|[kK]ey\b/i.test(text),
  on: ['script'],
  text: {
    en: {
      title: 'A token or password is kept in the browser',
      message: '{name} is written to {storage}.',
      why: 'Every script of the page reads it, one that got in by a hole or with a library too, and takes it along: it stays valid after the session; on a shared computer the next user finds it.',
      fix: 'Leave the session to the approuter, whose cookie no script reads (HttpOnly); keep a token that the page needs in a variable.',
    },
    fr: {
      title: 'Un jeton ou un mot de passe est conservé dans le navigateur',
      message: '{name} est écrit dans {storage}.',
      why: 'Tout script de la page le lit, même arrivé par une faille ou une bibliothèque, et l’emporte : il reste valable après la session ; sur un poste partagé, l’utilisateur suivant le trouve.',
      fix: 'Laissez la session à l’approuter, dont aucun script ne lit le cookie (HttpOnly) ; gardez dans une variable un jeton dont la page a besoin.',
    },
  },

  *check({ path, kind, content: { facts } }) {
    if (kind.test || !runsInBrowser(path, facts)) return
    for (const { start, end, name, storage } of findStoredSecrets(facts))
      yield { at: { file: path, span: { start, end } }, args: { name, storage } }
  },
})
