import { isDevelopment, isFallback } from '../../model/java/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * Debugging of Spring Security outside of a profile for development: a filter logs each request with all of its headers.
 * Facts: Spring Security 6.4, `@EnableWebSecurity.debug`, `DebugFilter` (logs the headers at level INFO; "may include sensitive information").
 * Impact: who reads the logs acts as the users whose tokens stand there.
 */
export const javaSecurityDebug: Rule = defineRule({
  id: 'cap/java-security-debug',
  impact: 'takeover',
  reach: 'privileged',
  confidence: 'high',
  cwe: [532],
  since: '0.3.0',
  docs: 'https://docs.spring.io/spring-security/site/docs/current/api/org/springframework/security/config/annotation/web/configuration/EnableWebSecurity.html',
  on: 'project',

  *check({ springModules }) {
    for (const { file, security } of springModules().flatMap((module) => module.security)) {
      const { debug } = security
      if (debug === undefined || isDevelopment(debug.profiles) || isFallback(debug.profiles)) continue
      const { start, end } = debug
      yield { at: { file, span: { start, end } } }
    }
  },

  text: () => ({
    en: {
      title: 'Spring Security debug mode logs bearer tokens',
      message: '@EnableWebSecurity(debug = true) logs every request with all its headers, including Authorization and Cookie.',
      why: 'Anyone who can read the logs, or the service that collects them, can take tokens and session IDs of users from there and act as these users until they expire.',
      fix: 'Write @EnableWebSecurity without debug. For local runs, put debug = true on a separate configuration class with @Profile("local").',
    },
    fr: {
      title: 'Mode débogage de Spring Security : jetons dans les journaux',
      message:
        '@EnableWebSecurity(debug = true) écrit dans les journaux chaque requête avec tous ses en-têtes, dont Authorization et Cookie.',
      why: 'Toute personne ayant accès aux journaux, ou au service qui les collecte, peut y prendre les jetons et identifiants de session des utilisateurs et agir en leur nom jusqu’à leur expiration.',
      fix: 'Écrivez @EnableWebSecurity sans debug. En local, placez debug = true sur une classe de configuration distincte avec @Profile("local").',
    },
  }),
})
