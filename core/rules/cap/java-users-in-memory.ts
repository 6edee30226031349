import { listNames } from '../../arguments.ts'
import { groupBy } from '../../lists.ts'
import { javaSetting } from '../../model/cap/index.ts'
import { findUsersInMemory, isDevelopment, isFallback, typedPassword } from '../../model/java/index.ts'
import { findMavenModules } from '../../model/maven/index.ts'
import { stringOf } from '../../parse/data.ts'
import { folderOf } from '../../paths.ts'
import { isWeak } from '../../secrets/values.ts'
import type { Match, Place } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { Project } from '../subjects.ts'
import { javaTexts, javaTokens } from './_java/sources.ts'

/**
 * Users of Spring Security with a password that stands in the code or in the settings, outside of tests and of profiles for development.
 * Facts: Spring Security 6.4, "In-Memory Authentication" (for samples and tests); Spring Boot 3, "Spring Security" (`spring.security.user`, which a `UserDetailsService` of
 * the own replaces); `HttpSecurity.httpBasic`, `formLogin` (without one of them, nothing asks for the password).
 * Impact: whoever guesses the password, or reads the project, logs in with the roles of that user. A password that everybody tries needs no look into the project.
 */
export const javaUsersInMemory: Rule = defineRule({
  id: 'cap/java-users-in-memory',
  impact: 'takeover',
  reach: 'anyone',
  evidence: 'assumed',
  confidence: 'high',
  cwe: [798],
  since: '0.3.0',
  docs: 'https://docs.spring.io/spring-security/reference/servlet/authentication/passwords/in-memory.html',
  docsByVariant: { setting: 'https://docs.spring.io/spring-boot/reference/web/spring-security.html' },
  yieldsTo: ['secrets/generic-password', 'secrets/generic-secret'],
  on: 'project',

  *check(project) {
    if (!asksForPasswords(project)) return
    let hasUsers = false
    for (const { file, tokens } of javaTokens(project.files.values(), USERS)) {
      project.step(tokens.length)
      hasUsers = true
      const users = [...findUsersInMemory(tokens)].filter(({ profiles }) => !isDevelopment(profiles) && !isFallback(profiles))
      const names = listNames([...new Set(users.map(({ name }) => name))])
      for (const { name, password, start, end } of users)
        yield {
          // with `{noop}`, as rules on credentials mark it
          ...toMatch(project, { file, span: { start, end } }, password),
          args: { name, names },
          groupKey: file,
          ...(users.some((one) => one.name !== name) && { variant: 'several' }),
        }
    }
    if (!hasUsers) yield* settings(project)
  },

  text: () => ({
    en: {
      title: 'Spring Security user with a constant password',
      message: 'The password of the user "{name}" is a constant in the code.',
      why: 'Anyone who guesses this password, or reads the project or its history, can log in with the roles of that user.',
      fix: 'Let users log in with XSUAA or IAS (resourceserver-security-spring-boot-starter), or read their password hashes from a database. Keep users in memory in a class with @Profile("local").',
      variants: {
        several: {
          title: 'Spring Security users with constant passwords',
          message: 'The passwords of the users {names:and} are constants in the code.',
          why: 'Anyone who guesses one of these passwords, or reads the project or its history, can log in with the roles of that user.',
        },
        setting: {
          message: '{key} in {file} is a constant: the password of the one user that Spring Boot creates.',
          fix: 'Let users log in with XSUAA or IAS (resourceserver-security-spring-boot-starter), and remove {key} from {file}. For local runs, move it to application-local.yaml.',
        },
      },
    },
    fr: {
      title: 'Utilisateur Spring Security avec un mot de passe constant',
      message: 'Le mot de passe de l’utilisateur "{name}" est une constante du code.',
      why: 'Toute personne qui devine ce mot de passe, ou peut lire le projet ou son historique, peut se connecter avec les rôles de cet utilisateur.',
      fix: 'Authentifiez les utilisateurs par XSUAA ou IAS (resourceserver-security-spring-boot-starter), ou lisez les empreintes de leurs mots de passe dans une base de données. Gardez les utilisateurs en mémoire dans une classe avec @Profile("local").',
      variants: {
        several: {
          title: 'Utilisateurs Spring Security avec des mots de passe constants',
          message: 'Les mots de passe des utilisateurs {names:et} sont des constantes du code.',
          why: 'Toute personne qui devine l’un de ces mots de passe, ou peut lire le projet ou son historique, peut se connecter avec les rôles de cet utilisateur.',
        },
        setting: {
          message: '{key} dans {file} est une constante : le mot de passe du seul utilisateur que crée Spring Boot.',
          fix: 'Authentifiez les utilisateurs par XSUAA ou IAS (resourceserver-security-spring-boot-starter), et supprimez {key} de {file}. En local, placez-le dans application-local.yaml.',
        },
      },
    },
  }),
})

const USERS = /InMemoryUserDetailsManager|inMemoryAuthentication/
const CHAINS = /SecurityFilterChain|HttpSecurity/
const ASKS = /httpBasic|formLogin|AuthenticationManager\b|DaoAuthenticationProvider/
/** NIST SP 800-63B, section 5.1.1.1: passwords have eight characters at least. */
const SHORT = 8
const PASSWORD = 'spring.security.user.password'

/** A chain asks for a name and a password, or none says what to ask for, and Spring Boot does. */
function asksForPasswords({ files }: Project): boolean {
  let hasChain = false
  for (const { text } of javaTexts(files.values())) {
    if (ASKS.test(text)) return true
    hasChain ||= CHAINS.test(text)
  }
  return !hasChain
}

/** The user that Spring Boot makes of its settings, where no code brings users of its own. */
function* settings(project: Project): Generator<Match> {
  const { files, capRoots } = project
  const isSecured = findMavenModules([...files.values()], files).some(({ dependencies }) =>
    dependencies.some(({ artifactId }) => artifactId === 'spring-boot-starter-security'),
  )
  if (!isSecured || hasOwnUsers(project) || capRoots.some(({ runtime }) => runtime === 'java')) return
  const written = [...files.values()].filter(({ kind }) => /^application-(?:yaml|properties)$/.test(kind.role ?? ''))
  for (const beside of groupBy(written, ({ path }) => folderOf(path)).values()) {
    const setting = javaSetting({ test: false, runtime: 'java', files: beside, deployments: [] }, PASSWORD)
    const password = setting === undefined ? undefined : stringOf(setting.node)
    if (setting === undefined || password === undefined || password === '' || /^\{(?!noop\})|\$\{/.test(password)) continue
    const { key, place } = setting
    yield { ...toMatch(project, place, typedPassword(password)), args: { key, file: place.file }, variant: 'setting' }
  }
}

function hasOwnUsers({ files }: Project): boolean {
  for (const { kind, content } of files.values())
    if (kind.role === 'java' && content.as === 'text' && content.text !== undefined)
      if (/UserDetailsService|AuthenticationProvider|JwtDecoder|oauth2/.test(content.text)) return true
  return false
}

/** Nobody needs a look into the project for it. */
function isTried(password: string): boolean {
  return password.length < SHORT || isWeak(password)
}

function toMatch({ reach }: Project, at: Place, password: string): Match {
  const { exposure, isPublished } = reach.ofServer(at.file)
  const isKnown = isPublished || isTried(password)
  return { at, secret: password, exposure, ...(isKnown && { evidence: 'shown' as const }) }
}
