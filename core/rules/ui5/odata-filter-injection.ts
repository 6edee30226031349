import { defineRule, type Rule } from '../rule.ts'
import { isDeveloperFile } from '../../model/script/index.ts'
import { gradeByOrigin } from './_flow-grade.ts'

/**
 * A path, key or filter of OData put together from what others choose.
 * Facts: OData 4.01, "URL Conventions" (a quote in a text is doubled); API reference of SAPUI5, ODataModel.createKey, sap.ui.model.Filter, ODataUtils.formatValue.
 * Severity: a link, or a text that the user was made to enter, makes the app ask for or change other data than it shows, with the rights of the victim (MEDIUM); what
 * the storage of the browser held before is LOW.
 */
export const odataFilterInjection: Rule = defineRule({
  id: 'ui5/odata-filter-injection',
  severity: 'MEDIUM',
  confidence: 'medium',
  cwe: [943],
  since: '0.2.0',
  docs: 'https://ui5.sap.com/#/api/sap.ui.model.odata.v2.ODataModel/methods/createKey',
  on: 'flow',

  *check(hit) {
    if (hit.origin === 'unknown') return
    const grade = gradeByOrigin(hit, 'MEDIUM')
    const isInput = hit.origin === 'input' && !isDeveloperFile(hit.at.file)
    yield { ...grade, args: { part: hit.quotedPart, sink: hit.sink }, ...(isInput && { severity: 'MEDIUM' }) }
  },

  text: {
    en: {
      title: 'OData injection: path or filter built by concatenation',
      message: '{part} is concatenated into the OData path or filter passed to {sink}.',
      why: 'With a quote or a slash in that value, the app reads, changes or calls something other than intended, with the user’s permissions; if the value comes from a link, an attacker chooses what that is.',
      fix: 'Create keys with oModel.createKey("/Items", { ID: value }) (OData V2) and filters with new Filter("Name", FilterOperator.EQ, value), or encode the value: encodeURIComponent(value.replace(/\'/g, "\'\'")).',
    },
    fr: {
      title: 'Injection OData : chemin ou filtre construit par concaténation',
      message: '{part} est concaténé dans le chemin ou le filtre OData transmis à {sink}.',
      why: 'Avec une apostrophe ou une barre oblique dans cette valeur, l’application lit, modifie ou appelle autre chose que prévu, avec les droits de l’utilisateur ; si la valeur vient d’un lien, c’est l’attaquant qui la choisit.',
      fix: 'Créez les clés avec oModel.createKey("/Items", { ID: valeur }) (OData V2) et les filtres avec new Filter("Name", FilterOperator.EQ, valeur), ou encodez la valeur : encodeURIComponent(valeur.replace(/\'/g, "\'\'")).',
    },
  },
})
