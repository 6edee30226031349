import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { nameWithOwner } from '../../facts/asked-values.ts'
import { isOfUi5App } from '../../model/script/index.ts'
import type { Localized, RuleText, Span } from '../../types.ts'
import { defineRule, variantOfCases, type Rule } from '../rule.ts'
import { meansOf } from './_attack-ways.ts'
import { gradeByOrigin } from './_flow-grade.ts'

const NAME: Localized<Pick<RuleText, 'why'>> = {
  en: {
    why: 'An attacker can choose that value {means}, so that the app loads and runs another resource that UI5 finds by name, in the user’s session.',
  },
  fr: {
    why: 'Un attaquant peut imposer cette valeur {means} : UI5 cherche alors une autre ressource par son nom, la charge et l’exécute dans la session de l’utilisateur.',
  },
}
const TEXTS_WHY: Localized<Pick<RuleText, 'why'>> = {
  en: { why: 'An attacker can choose that value {means}, so that the app shows the attacker’s texts, even from another host.' },
  fr: {
    why: 'Un attaquant peut imposer cette valeur {means} : l’application affiche alors les textes de l’attaquant, même depuis un autre hôte.',
  },
}
/** Browsers start a worker from a script of the same origin only. */
const WORKER: Localized<Pick<RuleText, 'why'>> = {
  en: {
    why: 'An attacker can choose that value {means}, so that the app starts a different worker script than intended, in the user’s session.',
  },
  fr: {
    why: 'Un attaquant peut imposer cette valeur {means} : l’application démarre alors un autre script de worker que prévu, dans la session de l’utilisateur.',
  },
}
const SUFFIX: Localized<Pick<RuleText, 'title' | 'message'>> = {
  en: {
    title: 'Module or resource name built from untrusted input',
    message: 'The name or URL passed to {sink} contains a value from {part}.',
  },
  fr: {
    title: 'Nom de module ou de ressource construit à partir d’une donnée non fiable',
    message: 'Le nom ou l’URL transmis à {sink} contient une valeur issue de {part}.',
  },
}
/** A binding has no code of its own: its formatter looks the name up. */
const BOUND: Localized<Pick<RuleText, 'fix'>> = {
  en: {
    fix: 'Add a formatter to this binding that returns only values of a constant object such as const NAMES = { a: "…" }: Object.hasOwn(NAMES, key) ? NAMES[key] : null.',
  },
  fr: {
    fix: 'Ajoutez à cette liaison une fonction formatter qui ne renvoie que des valeurs d’un objet constant comme const NAMES = { a: "…" } : Object.hasOwn(NAMES, key) ? NAMES[key] : null.',
  },
}

/** Names of components among the settings of a call: `new ComponentContainer({ name })`. Fact: API of sap.ui.core.Component, `create` (1.136): `name` is resolved below the roots of modules, `url` leads anywhere. */
const componentNames: Extract<Span> = defineExtract({
  name: 'ui5-component-names',
  keywords: ['ComponentContainer', 'Component.create', 'Component.load', 'ui.component'],
  prefilter: (text) => CALLS_COMPONENT.test(text) && /\bname\b/.test(text),
  isFor: isOfUi5App,
  *collect({ facts }) {
    for (const { callee, args } of facts.calls) {
      const isOfComponent = COMPONENTS.test(nameWithOwner(callee))
      for (const given of isOfComponent ? args : [])
        for (const { key, value } of 'fields' in given ? given.fields : [])
          if (key === 'name') yield { start: value.start, end: value.end }
    }
  },
})

/** The same before anything is parsed: most scripts with the word only extend or name one. */
const CALLS_COMPONENT =
  /\b(?:ComponentContainer|Component\s{0,20}\??\.\s{0,20}(?:create|load)|ui\s{0,20}\??\.\s{0,20}component)\s{0,20}(?:\?\.)?\(/
const COMPONENTS = /(?:^| )ComponentContainer$|^Component (?:create|load)$|^ui component$/

/**
 * A module, view, fragment, component or script whose name or address others choose.
 * Facts: API reference of SAPUI5, sap.ui.require, Fragment.load, XMLView.create, Component.create, includeScript, sap.ui.loader.config.
 * Impact: an address of another host is code of the attacker in the session of the user. A name leads to what the app can load anyway, a worker to the own
 * origin, and texts run no code; behind a constant beginning, what the other modules of that folder do is not known.
 */
export const dynamicModuleName: Rule = defineRule({
  id: 'ui5/dynamic-module-name',
  impact: 'session',
  grades: {
    name: { impact: 'bounded' },
    'bound-name': { impact: 'bounded' },
    texts: { impact: 'bounded' },
    worker: { impact: 'bounded' },
    suffix: { impact: 'bounded', evidence: 'assumed' },
    'suffix-texts': { impact: 'bounded', evidence: 'assumed' },
  },
  confidence: 'high',
  cwe: [829],
  since: '0.2.0',
  docs: 'https://cwe.mitre.org/data/definitions/829.html',
  on: 'flow',
  extracts: [componentNames],

  *check(hit, project) {
    if (hit.origin === 'unknown') return
    const { file, span } = hit.at
    const isOfComponent = project.scripts
      .of(file, componentNames)
      .some(({ start, end }) => start === span?.start && end === span.end)
    const isOpen = hit.detail === undefined || hit.detail === 'begin'
    const isTexts = hit.api.effects.has('texts')
    const isBound = hit.part.startsWith('{') && hit.at.file.endsWith('.xml')
    const isNamed = hit.api.effects.has('named') || isOfComponent
    yield {
      ...gradeByOrigin(hit, project),
      args: { part: hit.quotedPart, sink: hit.sink, means: meansOf(hit) },
      ...(isOpen &&
        variantOfCases(isBound && 'bound', isNamed && 'name', isTexts && 'texts', hit.api.effects.has('worker') && 'worker')),
      ...(!isOpen && { ...variantOfCases('suffix', isTexts && 'texts'), confidence: 'medium' }),
    }
  },

  text: () => ({
    en: {
      title: 'Module or resource name from untrusted input',
      message: 'A value from {part} determines what is loaded through {sink}.',
      why: 'An attacker can choose that value {means}, so that the app loads other code than intended, even from another host, and runs it in the user’s session.',
      fix: 'Look up the name or URL in a constant object: const NAMES = { a: "…" }. Load NAMES[key] only if Object.hasOwn(NAMES, key).',
      variants: {
        name: NAME.en,
        bound: BOUND.en,
        'bound-name': { ...NAME.en, ...BOUND.en },
        texts: TEXTS_WHY.en,
        worker: WORKER.en,
        suffix: {
          ...SUFFIX.en,
          why: 'An attacker can choose that value {means}, so that the app loads another of its own resources, for example a view that the user should not see.',
        },
        'suffix-texts': {
          ...SUFFIX.en,
          why: 'An attacker can choose that value {means}, so that the app shows texts from another file on the same host.',
        },
      },
    },
    fr: {
      title: 'Nom de module ou de ressource issu d’une donnée non fiable',
      message: 'Une valeur issue de {part} détermine ce qui est chargé via {sink}.',
      why: 'Un attaquant peut imposer cette valeur {means} : l’application charge alors un autre code que prévu, même depuis un autre hôte, et l’exécute dans la session de l’utilisateur.',
      fix: 'Cherchez le nom ou l’URL dans un objet constant : const NAMES = { a: "…" }. Ne chargez NAMES[key] que si Object.hasOwn(NAMES, key).',
      variants: {
        name: NAME.fr,
        bound: BOUND.fr,
        'bound-name': { ...NAME.fr, ...BOUND.fr },
        texts: TEXTS_WHY.fr,
        worker: WORKER.fr,
        suffix: {
          ...SUFFIX.fr,
          why: 'Un attaquant peut imposer cette valeur {means} : l’application charge alors une autre de ses ressources, par exemple une vue que l’utilisateur ne devrait pas voir.',
        },
        'suffix-texts': {
          ...SUFFIX.fr,
          why: 'Un attaquant peut imposer cette valeur {means} : l’application affiche alors les textes d’un autre fichier du même hôte.',
        },
      },
    },
  }),
})
