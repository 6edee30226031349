import { at, booleanOf, memberOf } from '../../parse/data.ts'
import { listNames } from '../../arguments.ts'
import { append, groupBy } from '../../lists.ts'
import { folderOf, ownerOf } from '../../paths.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { Project } from '../subjects.ts'
import { createExitReader, readServices, type ExitReader, type FoundCheck, type XsService } from './_xs/odata.ts'
import { uncheckedScripts, xsWrites } from './_xs/script-writes.ts'
import { createForeignReader, createWayReader, definesNoScope, scopesInFront } from './_xs/ways.ts'
import { passwordTables, simpleNameOf, xsScripts, type XsEntity } from './_xs/services.ts'

const PACKAGE = {
  en: {
    title: 'No authorization for a package of XS classic',
    message:
      '{file} demands a login, but no .xsaccess has "authorization", and no script checks a privilege; {script}, one of {count} such scripts, acts on what the request says.',
    fix: 'Set "authorization" in {file} to a privilege of .xsprivileges, and grant it by a role. Or call $.session.assertAppPrivilege in each script.',
  },
  fr: {
    title: 'Absence d’autorisation pour un paquet XS classic',
    message:
      '{file} exige une connexion, mais aucun .xsaccess ne contient "authorization" et aucun script ne vérifie de privilège ; {script}, l’un des {count} scripts concernés, agit selon la requête.',
    fix: 'Définissez "authorization" dans {file} avec un privilège de .xsprivileges, et accordez-le par un rôle. Ou appelez $.session.assertAppPrivilege dans chaque script.',
  },
}

/**
 * A script or an OData service of XS classic that asks for no privilege, where what stands beside it does: rows of an entity are created by a function that checks a
 * privilege, and updated and deleted by anyone; a script gives data for a parameter of the request, and others of the same server check a privilege.
 * Facts: SAP HANA Developer Guide for XS classic, "OData Service Definitions" (everything can be written unless it is `forbidden`); $.session.assertAppPrivilege.
 * Impact: data without the privilege; routes of an approuter may ask for a scope, and where they do, for the same one for all methods. What only runs with the privileges that the database gives the caller is bounded. Where the server or the package asks nobody for a login, no link is missing.
 * A script of XS advanced that writes rows, itself or by a library, and looks at no privilege, scope or user.
 * A table of passwords is a takeover: scripts beside the service look them up as the same user of the database, who so may read it.
 */
export const xsMissingPrivilegeCheck: Rule = defineRule({
  id: 'cap/xs-missing-privilege-check',
  impact: 'data',
  reach: 'user',
  evidence: 'assumed',
  grades: {
    'writable-open': { reach: 'anyone', evidence: 'shown' },
    'package-own': { impact: 'bounded', evidence: 'shown' },
    passwords: { impact: 'takeover', evidence: 'shown' },
  },
  confidence: 'medium',
  cwe: [862],
  since: '0.3.0',
  docs: 'https://help.sap.com/docs/SAP_HANA_PLATFORM/b3d0daf2a98e49ada00bf31b7ca7a42e/a9fc5c220d744180850996e2f5d34d6c.html?version=2.0.03',
  on: 'project',
  extracts: [xsScripts, passwordTables, xsWrites],

  *check(project) {
    const { files, scripts, step } = project
    const found = scripts.get(xsScripts)
    const isGuarded = packageReader(files)
    const checks = found.filter(({ value }) => value.kind === 'check' && value.name !== '')
    const services = [...readServices(files)]
    const checksOf = createExitReader(checks, step)
    yield* openServices(
      project,
      services.filter(({ file }) => !isGuarded(file)),
      checksOf,
    )
    yield* openPackages(project, found)
    const told = new Set<string>()
    for (const match of checks.length > 0 ? uncheckedReads(found, checks, isGuarded, step) : []) {
      told.add(match.at.file)
      yield match
    }
    if (checks.length > 0) yield* uncheckedWrites(services, checksOf, step)
    yield* writingScripts(project, told)
  },

  text: () => ({
    en: {
      title: 'Missing privilege check in an XSJS script',
      message:
        'This script reads the database for the request parameter "{parameter}" without a privilege check; {file} of the same server checks "{privilege}".',
      why: 'A user without the privilege can call the script with any value and read the data: the database session is that of the technical user.',
      fix: 'Call $.session.assertAppPrivilege("{privilege}"), or the privilege for reading this data, before the parameters are read.',
      variants: {
        package: {
          ...PACKAGE.en,
          why: 'Any user with a login to the system can call the scripts: what they do with a technical user or a stored login is not limited by the privileges of the caller.',
        },
        'package-own': {
          ...PACKAGE.en,
          why: 'Any user with a login to the system can call the scripts: nothing but what the database itself grants the caller limits what they change.',
        },
        writes: {
          title: 'XSJS script changes data without a privilege check',
          message:
            'This script changes the database ({effect}), and neither it nor a library that it imports checks a privilege, a scope or the user.',
          why: 'Any user with a login can change these rows by calling the script: the database session is that of the technical user, and what the pages show or hide protects nothing.',
          fix: 'Start the script with $.session.assertAppPrivilege("<scope>"), with a scope that xs-security.json defines and a role grants. Or set "scope" on the route of xs-app.json, if only the approuter reaches the server.',
        },
        writable: {
          title: 'OData service of XS classic open for writing',
          message:
            'Users can change rows of {entity:and} through this service: {open:and} are neither forbidden nor replaced, and no privilege or scope is asked for.',
          why: 'Entities of an .xsodata service can be written unless this is forbidden: any user with a login can change or delete these rows with a direct request.',
          fix: 'Add "{forbidden}" to the entities that users only read. For the others, ask for a privilege: "authorization" in .xsaccess (XS classic), or scopes(…) in this file (XS advanced).',
        },
        passwords: {
          title: 'Passwords published by an OData service of XS classic',
          message:
            'The entity {entity} publishes {table} with its column {column}, in which {script} looks up or writes passwords.',
          why: 'Anyone who may call the service can read the passwords or hashes of all users, or replace them, and log in as any of them.',
          fix: 'Limit the entity to the columns that clients need, with (…), so without {column}, and add "create forbidden update forbidden delete forbidden". Or remove the entity. Then replace the passwords.',
        },
        'writable-open': {
          title: 'OData service of XS classic writable without authentication',
          message:
            'Anonymous requests can change rows of {entity:and} through this service: {open:and} are neither forbidden nor replaced, and its server or package requires no login.',
          why: 'An unauthenticated attacker can change or delete these rows with a direct request: the database session is that of the technical user.',
          fix: 'Require a login: remove "anonymous" from the options of the XSJS server, or set "authentication" in .xsaccess. Add "{forbidden}" to the entities that users only read, and ask for a privilege or scopes(…) for the others.',
        },
        odata: {
          title: 'Missing privilege check on an OData service of XS classic',
          message:
            'Only {replaced:and} of {entity} is replaced by a function, which checks "{privilege}". Neither forbidden nor checked: {open:and}.',
          why: 'Entities of an .xsodata service can be written unless this is forbidden: a user without the privilege changes the same data with another method.',
          fix: 'Add "{forbidden}" to the entity. If users need these operations, replace them with functions that call $.session.assertAppPrivilege too.',
        },
      },
    },
    fr: {
      title: 'Absence de contrôle de privilège dans un script XSJS',
      message:
        'Ce script lit la base de données d’après le paramètre de requête "{parameter}" sans contrôle de privilège ; {file}, du même serveur, vérifie "{privilege}".',
      why: 'Un utilisateur sans ce privilège peut appeler le script avec n’importe quelle valeur et lire les données : la session de base de données est celle de l’utilisateur technique.',
      fix: 'Appelez $.session.assertAppPrivilege("{privilege}"), ou le privilège prévu pour lire ces données, avant de lire les paramètres.',
      variants: {
        package: {
          ...PACKAGE.fr,
          why: 'Tout utilisateur connecté au système peut appeler les scripts : ce qu’ils font avec un utilisateur technique ou une connexion enregistrée n’est pas limité par les privilèges de l’appelant.',
        },
        'package-own': {
          ...PACKAGE.fr,
          why: 'Tout utilisateur connecté au système peut appeler les scripts : seuls les droits que la base de données accorde à l’appelant limitent ce qu’ils modifient.',
        },
        writes: {
          title: 'Script XSJS qui modifie des données sans contrôle de privilège',
          message:
            'Ce script modifie la base de données ({effect}) ; ni lui ni une bibliothèque qu’il importe ne vérifie de privilège, de scope ou l’utilisateur.',
          why: 'Tout utilisateur connecté peut modifier ces lignes en appelant le script : la session de base de données est celle de l’utilisateur technique, et ce que les pages montrent ou masquent ne protège rien.',
          fix: 'Commencez le script par $.session.assertAppPrivilege("<scope>"), avec un scope défini dans xs-security.json et accordé par un rôle. Ou indiquez "scope" sur la route de xs-app.json, si seul l’approuter atteint le serveur.',
        },
        writable: {
          title: 'Service OData XS classic ouvert en écriture',
          message:
            'Les utilisateurs peuvent modifier des lignes de {entity:et} par ce service : {open:et} ne sont ni interdits ni remplacés, et aucun privilège ni scope n’est exigé.',
          why: 'Les entités d’un service .xsodata sont modifiables sauf interdiction : tout utilisateur connecté peut modifier ou supprimer ces lignes par une requête directe.',
          fix: 'Ajoutez "{forbidden}" aux entités que les utilisateurs ne font que lire. Pour les autres, exigez un privilège : "authorization" dans .xsaccess (XS classic), ou scopes(…) dans ce fichier (XS advanced).',
        },
        passwords: {
          title: 'Mots de passe publiés par un service OData XS classic',
          message: 'L’entité {entity} publie {table} avec sa colonne {column}, où {script} cherche ou écrit des mots de passe.',
          why: 'Tout appelant du service peut lire les mots de passe ou empreintes de tous les utilisateurs, ou les remplacer, puis se connecter à leur place.',
          fix: 'Limitez l’entité aux colonnes qu’il faut montrer, sans {column}, et ajoutez "create forbidden update forbidden delete forbidden". Ou retirez l’entité. Remplacez ensuite les mots de passe.',
        },
        'writable-open': {
          title: 'Service OData XS classic modifiable sans authentification',
          message:
            'Des requêtes anonymes peuvent modifier des lignes de {entity:et} : {open:et} ne sont ni interdits ni remplacés, et le serveur ou le paquet n’exige aucune connexion.',
          why: 'Un attaquant non authentifié peut modifier ou supprimer ces lignes par une requête directe : la session de base de données est celle de l’utilisateur technique.',
          fix: 'Exigez une connexion : retirez "anonymous" des options du serveur XSJS, ou définissez "authentication" dans .xsaccess. Ajoutez "{forbidden}" aux entités en lecture seule, et exigez un privilège ou scopes(…) pour les autres.',
        },
        odata: {
          title: 'Absence de contrôle de privilège sur un service OData XS classic',
          message:
            'Seule l’opération {replaced:et} de {entity} est remplacée par une fonction, qui vérifie "{privilege}". Ni interdit ni vérifié : {open:et}.',
          why: 'Les entités d’un service .xsodata sont modifiables sauf interdiction : un utilisateur sans ce privilège modifie les mêmes données avec une autre méthode.',
          fix: 'Ajoutez "{forbidden}" à l’entité. Si des utilisateurs ont besoin de ces opérations, remplacez-les par des fonctions qui appellent elles aussi $.session.assertAppPrivilege.',
        },
      },
    },
  }),
})

/** A package with a login and without a privilege, whose scripts change something: neither the package nor any script of the project asks for one. */
function* openPackages(
  { files, npm, reach, step }: Pick<Project, 'files' | 'npm' | 'reach' | 'step'>,
  scripts: readonly FoundCheck[],
): Generator<Match> {
  const acting = scripts.filter(({ file, value }) => value.kind === 'changes' && !reach.isRunByXsAdvanced(file))
  // the server of XS advanced reads no .xsaccess
  const isSucceeded = npm.packages.some((one) =>
    one.dependencies.some(({ name }) => /^(?:@sap\/|sap-)(?:async-)?xsjs$/.test(name)),
  )
  if (acting.length === 0 || isSucceeded || scripts.some(({ value }) => value.kind === 'check')) return
  const packages = [...files.values()].flatMap(({ path: file, kind, content }) =>
    kind.role === 'xsaccess' && !kind.test && content.as === 'data' ? [{ file, root: content.roots[0] }] : [],
  )
  step(packages.length)
  if (packages.some(({ root }) => at(root, 'authorization')?.kind === 'array')) return
  const folders = packages.map(({ file }) => folderOf(file))
  for (const { file, root } of packages) {
    const login = memberOf(root, 'authentication')?.value
    const folder = folderOf(file)
    const own = acting.filter((one) => ownerOf(one.file, new Set(folders)) === folder)
    const [first] = own
    if (first === undefined || login === undefined || login.kind === 'null' || booleanOf(at(root, 'exposed')) !== true) continue
    yield {
      at: { file, span: { start: login.start, end: login.end } },
      variant: own.every((one) => reach.isCallersOwn(one.file)) ? 'package-own' : 'package',
      args: { file, script: first.file, count: String(own.length) },
    }
  }
}

/** Scripts of which others of the same server, which check a privilege, are not the exception. */
function* uncheckedReads(
  found: readonly FoundCheck[],
  checks: readonly FoundCheck[],
  isGuarded: (file: string) => boolean,
  step: Project['step'],
): Generator<Match & { readonly at: { readonly file: string } }> {
  const checked = new Set(found.flatMap(({ file, value }) => (value.kind === 'check' ? [file] : [])))
  const libraries = new Set([...checked].map((file) => file.replace(/^.*\/|\.xsjslib$/gi, '')))
  const using = new Set(found.flatMap(({ file, value }) => (value.kind === 'imports' && libraries.has(value.name) ? [file] : [])))
  const readers = found.filter(({ file, value }) => value.kind === 'reads' && !checked.has(file) && !using.has(file))
  const servers = byServer(checks, readers)
  for (const { file, value } of readers) {
    step()
    const server = servers.get(serverOf(file))
    const example = server?.example
    // where most scripts check nothing, one that does is the exception
    if (server === undefined || example === undefined || server.checked.size < server.readers || isGuarded(file)) continue
    yield {
      at: { file, span: { start: value.start, end: value.end } },
      args: { parameter: value.name === '' ? '?' : value.name, privilege: example.value.name, file: example.file },
    }
  }
}

/** Scripts of XS advanced that write for every user who logs in. Without any login another rule says it of the server. */
function* writingScripts(project: Project, told: ReadonlySet<string>): Generator<Match> {
  const { approuters, files, reach, scripts, step } = project
  const asked = scopesInFront(approuters)
  const isUnasked = definesNoScope(project)
  if (asked === 'all') return
  for (const { at, effect, isSigned } of uncheckedScripts(files, scripts, step)) {
    if (told.has(at.file) || !reach.isRunByXsAdvanced(at.file) || reach.at(at).reach === 'anyone') continue
    yield {
      at,
      variant: 'writes',
      args: { effect },
      ...((asked === 'none' || (isUnasked && reach.ofServer(at.file).isPublished)) &&
        !isSigned && { evidence: 'shown' as const }),
    }
  }
}

interface XsServer {
  /** The first check of it, and the files that have one. */
  readonly example: FoundCheck | undefined
  readonly checked: ReadonlySet<string>
  readonly readers: number
}

function byServer(checks: readonly FoundCheck[], readers: readonly FoundCheck[]): ReadonlyMap<string, XsServer> {
  const asked = new Map<string, FoundCheck[]>()
  const unasked = new Map<string, FoundCheck[]>()
  for (const one of checks) append(asked, serverOf(one.file), one)
  for (const one of readers) append(unasked, serverOf(one.file), one)
  return new Map(
    [...unasked].map(([server, { length }]) => {
      const own = asked.get(server) ?? []
      return [server, { example: own[0], checked: new Set(own.map(({ file }) => file)), readers: length }]
    }),
  )
}

function* uncheckedWrites(services: readonly XsService[], checksOf: ExitReader, step: Project['step']): Generator<Match> {
  for (const { file, entities } of services) {
    for (const one of entities) {
      step()
      const checked = checksOf(one)
      const [first] = checked
      if (first === undefined || one.open.length === 0) continue
      yield {
        at: { file, span: one.span },
        variant: 'odata',
        args: {
          entity: one.name,
          replaced: listNames(checked.map(({ operation }) => operation)),
          open: listNames(one.open),
          privilege: first.privilege,
          forbidden: forbiddenIn(one),
        },
      }
    }
  }
}

/** Entities of OData services that clients write as they are: an operation at least is neither forbidden nor replaced, and none asks for a privilege. */
function* openServices(
  project: Pick<Project, 'approuters' | 'deployment' | 'files' | 'npm' | 'reach' | 'scripts' | 'step'>,
  services: readonly XsService[],
  checksOf: ExitReader,
): Generator<Match> {
  const { files, reach, step } = project
  const isShown = createWayReader(project)
  const isForeign = createForeignReader(files)
  const tables = groupBy(project.scripts.get(passwordTables), ({ value }) => value.table)
  const passwordIn = ({ table, columns, hidden }: XsEntity): { readonly script: string; readonly column: string } | undefined => {
    const known = tables.get(simpleNameOf(table)) ?? []
    step(known.length)
    const one = known.find(({ value: { column } }) => {
      const isColumn = (name: string): boolean => name.toLowerCase() === column.toLowerCase()
      return (columns?.some(isColumn) ?? true) && hidden?.some(isColumn) !== true
    })
    return one && { script: one.file, column: one.value.column }
  }
  for (const { file, isOfTests, entities: all } of services) {
    if (isOfTests) continue
    step(1 + all.length)
    const entities: XsEntity[] = []
    for (const one of all) {
      const password = passwordIn(one)
      if (password === undefined) entities.push(one)
      else yield { at: { file, span: one.span }, variant: 'passwords', args: { entity: one.name, table: one.table, ...password } }
    }
    const open = entities.filter((one) => one.open.length > 0 && checksOf(one).length === 0)
    const [first] = open
    if (first === undefined) continue
    const at = { file, span: first.span }
    const isOpen = reach.at(at).reach === 'anyone'
    const isOwn = reach.isCallersOwn(file)
    const isElsewhere = open.every(isForeign)
    const isKnown = isShown(file, first)
    yield {
      at,
      variant: isOpen ? 'writable-open' : 'writable',
      // what a user may not write in the database, the service refuses as well
      ...(isOwn && { impact: 'bounded' as const, evidence: 'shown' as const }),
      ...(isKnown && { evidence: 'shown' as const }),
      ...(isElsewhere && { evidence: 'guessed' as const }),
      args: {
        entity: listNames(open.map(({ name }) => name)),
        open: listNames(first.open),
        forbidden: forbiddenIn(first),
      },
      // what may be asked for elsewhere, or gives little, is told once for a server
      ...((isOwn || isElsewhere || !(isKnown || isOpen)) && { groupKey: `${serverOf(file)} writable` }),
    }
  }
}

/** What a definition says to forbid all that is open: `update forbidden delete forbidden`. */
function forbiddenIn({ open }: XsEntity): string {
  return open.map((operation) => `${operation} forbidden`).join(' ')
}

/** Scripts of one server of XS advanced lie below one folder `lib`; those of XS classic are all of one system. */
function serverOf(file: string): string {
  const end = file.indexOf('/lib/')
  return end === -1 ? (file.startsWith('lib/') ? 'lib' : '') : file.slice(0, end)
}

/** The package asks for a privilege for all that it serves. Fact: SAP HANA Developer Guide for XS classic, "Application-Access File" (authorization). */
function packageReader(files: Project['files']): (file: string) => boolean {
  const guarded = new Set<string>()
  for (const { path, kind, content } of files.values())
    if (kind.role === 'xsaccess' && content.as === 'data' && at(content.roots[0], 'authorization')?.kind === 'array')
      guarded.add(folderOf(path))
  return (file) => ownerOf(file, guarded) !== undefined
}
