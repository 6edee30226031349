import { readResponseHeaders } from '../../model/approuter/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Response headers that send credentials to the browser or allow every origin to read responses.
 *  Facts: @sap/approuter 23.0.0 README, "Additional headers configuration": authorization, cookie and set-cookie must not be configured;
 *  lib/configuration/validators.js: the approuter does not start with the last two.
 *  Impact: a configuration that the approuter rejects at its start gives nothing; a fixed header, or CORS without credentials, nothing by itself. */
export const forbiddenResponseHeader: Rule = defineRule({
  id: 'approuter/forbidden-response-header',
  impact: 'hygiene',
  grades: { request: { impact: 'defence' }, origin: { impact: 'defence' } },
  confidence: 'high',
  cwe: [200, 942],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#additional-headers-configuration',
  on: 'approuter',

  *check(approuter) {
    for (const { name, value, list, namePlace, valuePlace } of readResponseHeaders(approuter)) {
      const args = { header: name, list, file: namePlace.file }
      if (name === 'authorization') yield { at: namePlace, args, variant: 'request' }
      else if (name === 'cookie' || name === 'set-cookie') yield { at: namePlace, args }
      else if (name === 'access-control-allow-origin' && value.trim() === '*') yield { at: valuePlace, args, variant: 'origin' }
    }
  },

  text: () => ({
    en: {
      title: 'Cookie header forbidden by the approuter',
      message:
        '"{list}" contains a {header} header, which the approuter forbids: it rejects this configuration and does not start.',
      why: 'The app is not available until the entry is removed. The approuter itself sets a cookie for each session.',
      fix: 'Remove the {header} entry from "{list}" in {file}.',
      variants: {
        request: {
          title: 'Credential header sent to all clients',
          message: '"{list}" adds the {header} header to every response of the approuter.',
          why: 'Every client and cache gets the same value: a password, session ID or token in it would be disclosed to all users.',
        },
        origin: {
          title: 'CORS allows any origin through a fixed header',
          message:
            'The approuter sends "Access-Control-Allow-Origin: *" with every response, regardless of its CORS configuration.',
          why: 'Any page can read responses that need no session. If the approuter is accessible only from an internal network, an attacker’s page can read them through the browser of a user in that network.',
          fix: 'Remove the Access-Control-Allow-Origin entry from "{list}" in {file}. If other origins need access, name them in "cors" of xs-app.json.',
        },
      },
    },
    fr: {
      title: 'En-tête de cookie interdit par l’approuter',
      message:
        '"{list}" contient un en-tête {header}, que l’approuter interdit : il rejette cette configuration et ne démarre pas.',
      why: 'L’application reste indisponible tant que l’entrée n’est pas supprimée. L’approuter crée lui-même le cookie de chaque session.',
      fix: 'Supprimez l’entrée {header} de "{list}" dans {file}.',
      variants: {
        request: {
          title: 'En-tête d’authentification envoyé à tous les clients',
          message: '"{list}" ajoute l’en-tête {header} à chaque réponse de l’approuter.',
          why: 'Chaque client et chaque cache reçoit la même valeur : si elle contient un mot de passe, un identifiant de session ou un jeton, celui-ci est divulgué à tous les utilisateurs.',
        },
        origin: {
          title: 'CORS autorise toute origine par un en-tête fixe',
          message:
            'L’approuter envoie "Access-Control-Allow-Origin: *" avec chaque réponse, quelle que soit sa configuration CORS.',
          why: 'N’importe quelle page peut lire les réponses qui n’exigent pas de session. Si l’approuter n’est accessible que depuis un réseau interne, la page d’un attaquant peut les lire au moyen du navigateur d’un utilisateur de ce réseau.',
          fix: 'Supprimez l’entrée Access-Control-Allow-Origin de "{list}" dans {file}. Si d’autres origines ont besoin d’un accès, indiquez-les dans "cors" de xs-app.json.',
        },
      },
    },
  }),
})
