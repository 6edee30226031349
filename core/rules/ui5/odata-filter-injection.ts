import type { FlowHit } from '../../flow/index.ts'
import { defineRule, type Rule } from '../rule.ts'
import { gradeByOrigin } from './_flow-grade.ts'

const FILTER_DOCS = 'https://ui5.sap.com/#/api/sap.ui.model.Filter'

/**
 * A path, key or filter of OData put together from what others choose.
 * Facts: OData 4.01, "URL Conventions" (a quote in a text is doubled); API reference of SAPUI5, ODataModel.createKey, sap.ui.model.Filter, ODataUtils.formatValue;
 * OpenUI5, ODataUtils._encodeURLParameters: the values of a map of parameters are encoded, a text of parameters is taken as it is.
 * Impact: a link makes the app ask for other data than it shows, or change it, with the rights of the victim. Users may write the filter of their own
 * request, unless the service trusts it; what the page does with other data that it reads is not shown.
 */
export const odataFilterInjection: Rule = defineRule({
  id: 'ui5/odata-filter-injection',
  impact: 'bounded',
  confidence: 'medium',
  cwe: [943],
  since: '0.2.0',
  docs: 'https://ui5.sap.com/#/api/sap.ui.model.odata.v2.ODataModel/methods/createKey',
  docsByVariant: { option: FILTER_DOCS, parameters: FILTER_DOCS, query: FILTER_DOCS },
  on: 'flow',

  *check(hit, project) {
    if (hit.origin === 'unknown') return
    // what is written or removed the user has to enter or choose on the page
    const isStarted = hit.api.effects.has('change') && hit.api.effects.has('function')
    const { evidence = isStarted ? 'shown' : 'assumed', ...grade } = gradeByOrigin(hit, project)
    yield { ...grade, evidence, args: { part: hit.quotedPart, sink: hit.sink }, ...variantOf(hit.api) }
  },

  text: () => ({
    en: {
      title: 'OData injection: path built by concatenation',
      message: 'A value from {part} is concatenated into the OData path passed to {sink}.',
      why: 'An attacker who can choose that value can make the app send a different OData request than intended, with the user’s permissions.',
      fix: 'Create the path with oModel.createKey("/Items", { ID: value }) (OData V2), or encode the value: encodeURIComponent(value.replace(/\'/g, "\'\'")).',
      variants: {
        option: {
          title: 'OData injection: query option built by concatenation',
          message: 'A value from {part} is concatenated into the OData query option {sink}.',
          fix: 'Pass filters as objects, new Filter("Name", FilterOperator.EQ, value), or double the quotes in the value: value.replace(/\'/g, "\'\'"). Don’t encode it as well: parameter objects are encoded when the request is sent.',
        },
        function: {
          fix: 'Use a constant path, or look it up in a constant object, and pass values as parameters: callFunction("/approve", { urlParameters: { ID: value } }).',
        },
        query: {
          title: 'OData injection: query option built by concatenation',
          message: 'A value from {part} is concatenated into the query options in {sink}.',
          fix: 'Pass filters as objects: new Filter("Name", FilterOperator.EQ, value). In a {sink} string, use encodeURIComponent(value.replace(/\'/g, "\'\'")), in a {sink} object only value.replace(/\'/g, "\'\'").',
        },
        parameters: {
          title: 'OData injection: path or parameter built by concatenation',
          message: 'A value from {part} is concatenated into the path or a parameter passed to {sink}.',
          fix: 'Pass filters as objects: new Filter("Name", FilterOperator.EQ, value). In a path or a parameter string, use encodeURIComponent(value.replace(/\'/g, "\'\'")), in a parameter object only value.replace(/\'/g, "\'\'"), and for a numeric key Number(value).',
        },
      },
    },
    fr: {
      title: 'Injection OData : chemin construit par concaténation',
      message: 'Une valeur issue de {part} est insérée par concaténation dans le chemin OData transmis à {sink}.',
      why: 'Un attaquant qui peut choisir cette valeur peut faire envoyer par l’application une autre requête OData que prévu, avec les droits de l’utilisateur.',
      fix: 'Créez le chemin avec oModel.createKey("/Items", { ID: valeur }) (OData V2), ou encodez la valeur : encodeURIComponent(valeur.replace(/\'/g, "\'\'")).',
      variants: {
        option: {
          title: 'Injection OData : option de requête construite par concaténation',
          message: 'Une valeur issue de {part} est insérée par concaténation dans l’option de requête OData {sink}.',
          fix: 'Transmettez les filtres sous forme d’objets, new Filter("Name", FilterOperator.EQ, valeur), ou doublez les apostrophes de la valeur : valeur.replace(/\'/g, "\'\'"). Ne l’encodez pas en plus : les objets de paramètres sont encodés à l’envoi de la requête.',
        },
        function: {
          fix: 'Utilisez un chemin constant, ou cherchez-le dans un objet constant, et passez les valeurs en paramètres : callFunction("/approve", { urlParameters: { ID: valeur } }).',
        },
        query: {
          title: 'Injection OData : option de requête construite par concaténation',
          message: 'Une valeur issue de {part} est insérée par concaténation dans les options de requête de {sink}.',
          fix: 'Transmettez les filtres sous forme d’objets : new Filter("Name", FilterOperator.EQ, valeur). Si {sink} est une chaîne, utilisez encodeURIComponent(valeur.replace(/\'/g, "\'\'")) ; si c’est un objet, seulement valeur.replace(/\'/g, "\'\'").',
        },
        parameters: {
          title: 'Injection OData : chemin ou paramètre construit par concaténation',
          message: 'Une valeur issue de {part} est insérée par concaténation dans le chemin ou un paramètre transmis à {sink}.',
          fix: 'Transmettez les filtres sous forme d’objets : new Filter("Name", FilterOperator.EQ, valeur). Dans un chemin ou une chaîne de paramètres, utilisez encodeURIComponent(valeur.replace(/\'/g, "\'\'")) ; dans un objet de paramètres, seulement valeur.replace(/\'/g, "\'\'") ; pour une clé numérique, Number(valeur).',
        },
      },
    },
  }),
})

function variantOf({ effects }: FlowHit['api']): { readonly variant?: string } {
  if (effects.has('option')) return { variant: 'option' }
  if (effects.has('function')) return { variant: 'function' }
  if (effects.has('query')) return { variant: 'query' }
  return effects.has('parameters') ? { variant: 'parameters' } : {}
}
