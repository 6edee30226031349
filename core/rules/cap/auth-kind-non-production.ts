import { defineRule, type Rule } from '../rule.ts'
import { developmentAuth } from './_development-auth.ts'
import { isMtxSidecar } from '../../model/cap/index.ts'

/**
 * An authentication strategy for development (mocked, basic, dummy) in effect where the application is deployed.
 * Facts: @sap/cds 9.9.3, lib/env (sources, profiles, kinds) and lib/srv/middlewares/auth; without any kind production authenticates by jwt.
 * Severity: CRITICAL for dummy, which authenticates nobody; HIGH for users of a file, whose names an attacker has to know; MEDIUM where nothing in the
 * project deploys it; LOW for mocked users of an undeployed project and in descriptors of test landscapes.
 */
export const authKindNonProduction: Rule = defineRule({
  id: 'cap/auth-kind-non-production',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [1188],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/node.js/authentication#strategies',
  on: 'cap-root',

  *check(root) {
    // a sidecar has other consequences, reported by a rule of its own
    if (!isMtxSidecar(root)) yield* developmentAuth(root)
  },

  text: {
    en: {
      title: 'Development authentication enabled in production',
      message:
        'The effective authentication kind in production is "{kind}": {key} in {file} is set outside any profile, so it applies to all of them.',
      why: 'An attacker who reaches the service can log in without a password as a well-known user (mocked), as a user from a configuration file (basic), or without any login at all (dummy).',
      fix: 'Move the setting into a profile: "auth": { "[development]": { "kind": "{kind}" } } in {file}. Production then uses the default, jwt. Or add "[production]": { "kind": "xsuaa" } (or "ias").',
      variants: {
        local: {
          title: 'Development authentication configured for all profiles',
          message:
            'The authentication kind is "{kind}" in every profile: {key} in {file} is set outside any profile. Nothing in this project deploys the application, but a deployment would use it.',
        },
        profile: {
          message:
            'The effective authentication kind in production is "{kind}": {key} in {file} sets it for the profile {profile}.',
          fix: 'Remove {key} from the profile {profile} in {file}: production then uses its default, jwt. Or set it to "xsuaa" or "ias".',
        },
        variable: {
          message:
            'The effective authentication kind in production is "{kind}": the environment variable {variable} in {file} sets it.',
          fix: 'Remove {variable} from {file}: production then uses its configuration or its default, jwt. Or set it to "xsuaa" or "ias".',
        },
        development: {
          title: 'Application deployed with a development profile',
          message: '{file} deploys the application with {variable}={profile}, so its effective authentication kind is "{kind}".',
          fix: 'Set {variable} to "production" in {file}. On Cloud Foundry you can also remove it: the Node.js buildpack sets NODE_ENV to production.',
        },
      },
    },
    fr: {
      title: 'Authentification de développement active en production',
      message:
        'Le type d’authentification effectif en production est "{kind}" : {key} dans {file} est placé hors de tout profil et s’applique donc à tous.',
      why: 'Un attaquant qui peut accéder au service peut s’y connecter sans mot de passe sous un nom connu (mocked), avec un utilisateur d’un fichier de configuration (basic), ou sans aucune authentification (dummy).',
      fix: 'Déplacez ce réglage dans un profil : "auth": { "[development]": { "kind": "{kind}" } } dans {file}. La production utilise alors la valeur par défaut, jwt. Ou ajoutez "[production]": { "kind": "xsuaa" } (ou "ias").',
      variants: {
        local: {
          title: 'Authentification de développement configurée pour tous les profils',
          message:
            'Le type d’authentification est "{kind}" dans tous les profils : {key} dans {file} est placé hors de tout profil. Rien dans ce projet ne déploie l’application, mais un déploiement l’utiliserait.',
        },
        profile: {
          message:
            'Le type d’authentification effectif en production est "{kind}" : {key} dans {file} le définit pour le profil {profile}.',
          fix: 'Supprimez {key} du profil {profile} dans {file} : la production utilise alors la valeur par défaut, jwt. Ou donnez-lui la valeur "xsuaa" ou "ias".',
        },
        variable: {
          message:
            'Le type d’authentification effectif en production est "{kind}" : la variable d’environnement {variable} dans {file} le définit.',
          fix: 'Supprimez {variable} de {file} : la production utilise alors sa configuration ou la valeur par défaut, jwt. Ou donnez-lui la valeur "xsuaa" ou "ias".',
        },
        development: {
          title: 'Application déployée avec un profil de développement',
          message:
            '{file} déploie l’application avec {variable}={profile} : son type d’authentification effectif est donc "{kind}".',
          fix: 'Donnez à {variable} la valeur "production" dans {file}. Sur Cloud Foundry, vous pouvez aussi la supprimer : le buildpack Node.js donne à NODE_ENV la valeur production.',
        },
      },
    },
  },
})
