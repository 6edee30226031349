import { defineRule, type Rule } from '../rule.ts'
import { developmentAuth } from './_development-auth.ts'
import { isMtxSidecar } from '../../model/cap/index.ts'

/** A strategy that knows its users from a file, or lets everybody in, in force where the application is deployed.
 *  Facts: @sap/cds 9.9.3, lib/env (sources, profiles, kinds) and lib/srv/middlewares/auth; without any kind production authenticates by jwt. */
export const authKindNonProduction: Rule = defineRule({
  id: 'cap/auth-kind-non-production',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [1188],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/node.js/authentication',
  on: 'cap-root',

  *check(root) {
    // cap/mtx-mocked-sidecar says what it means there
    if (!isMtxSidecar(root)) yield* developmentAuth(root)
  },

  text: {
    en: {
      title: 'Authentication for development is active in production',
      message: 'The authentication kind in production is {kind}: {key} in {file} stands in no profile, so it holds in every one.',
      why: 'mocked and basic know their users from a file, mocked even without passwords, and dummy asks nobody: whoever reaches the service calls it with the roles of the user that they name.',
      fix: 'Move it into "[development]", and leave production to its default (jwt) or name xsuaa or ias.',
      variants: {
        local: {
          title: 'Authentication for development stands in no profile',
          message:
            'The authentication kind is {kind} in every profile: {key} in {file} stands in none. Nothing in this project deploys it, but whoever does takes it along.',
        },
        profile: {
          message: 'The authentication kind in production is {kind}: {key} in {file} says so for the profile {profile}.',
          fix: 'Remove it from the profile, so that production has its default (jwt), or name xsuaa or ias.',
        },
        variable: {
          message: 'The authentication kind in production is {kind}: the variable {variable} in {file} sets it.',
          fix: 'Remove the variable, so that production has its default (jwt), or name xsuaa or ias.',
        },
        development: {
          title: 'The application is deployed with a profile for development',
          message: 'The authentication kind is {kind} where {file} deploys the application: {variable} there is {profile}.',
          fix: 'Remove {variable}: platforms run the application in production by themselves.',
        },
      },
    },
    fr: {
      title: 'Une authentification de développement est active en production',
      message:
        'Le type d’authentification en production est {kind} : {key} dans {file} n’est dans aucun profil et vaut donc pour tous.',
      why: 'mocked et basic connaissent leurs utilisateurs par un fichier, mocked même sans mot de passe, et dummy n’authentifie personne : quiconque atteint le service l’appelle avec les rôles de l’utilisateur de son choix.',
      fix: 'Déplacez ce réglage dans « [development] », et laissez à la production sa valeur par défaut (jwt) ou indiquez xsuaa ou ias.',
      variants: {
        local: {
          title: 'Une authentification de développement n’est dans aucun profil',
          message:
            'Le type d’authentification est {kind} dans tous les profils : {key} dans {file} n’est dans aucun. Rien dans ce projet ne le déploie, mais tout déploiement l’emportera.',
        },
        profile: {
          message: 'Le type d’authentification en production est {kind} : {key} dans {file} l’indique pour le profil {profile}.',
          fix: 'Retirez-le du profil pour que la production ait sa valeur par défaut (jwt), ou indiquez xsuaa ou ias.',
        },
        variable: {
          message: 'Le type d’authentification en production est {kind} : la variable {variable} dans {file} le définit.',
          fix: 'Retirez la variable pour que la production ait sa valeur par défaut (jwt), ou indiquez xsuaa ou ias.',
        },
        development: {
          title: 'L’application est déployée avec un profil de développement',
          message: 'Le type d’authentification est {kind} là où {file} déploie l’application : {variable} y vaut {profile}.',
          fix: 'Retirez {variable} : les plateformes exécutent d’elles-mêmes l’application en production.',
        },
      },
    },
  },
})
