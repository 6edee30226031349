import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { propertiesOfSets } from '../../parse/odata-metadata.ts'
import { append } from '../../lists.ts'
import { lineBefore } from '../../parse/position.ts'
import { foldersAround } from '../../paths.ts'
import type { Match, Span } from '../../types.ts'
import { isDeveloperFile, isPasswordName, isToolFile } from '../../model/script/index.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { Project } from '../subjects.ts'
import { accountUses } from './_account-uses.ts'
import { isServedToAll } from './_served-to-all.ts'
import { shownPasswords } from './_shown-passwords.ts'
import { accountFileOf, comparedPasswords, namedAccountFiles } from './_account-files.ts'

interface SetRead {
  readonly at: Span
  readonly set: string
  /** Properties of its rows that the answer is compared by: the service does return them. */
  readonly compared: readonly string[]
}

/** An entity set whose rows have a password, by a copy of the metadata. */
interface ToldSet {
  readonly set: string
  readonly property: string
  readonly metadata: string
}

/** Reads of a set or one of its rows, and a list of bindings; what selects its columns reads no others. Facts: SAPUI5 API, ODataModel V2 `read`, V4 `bindList`, `bindContext`. */
const READ = /\.(?:read|bindList|bindContext)\(\s{0,60}["'`](\/([A-Za-z_]\w{0,80}))(?=["'`(?$])/g
/** Sets of people who log in, by their names in the languages that services are written in. */
const ACCOUNTS =
  /us(?:e)?r|log_?[io]n|acc(?:ount|esso)|konto|benutzer|usuario|utilis|utent|employee|empl|mitarbeiter|member|customer|client|kunde|vendor|supplier|student|patient|person|admin|profile?|auth|cred/i
const SELECTS = /\$select/
/** Of the address that begins with a row: rows of another set. */
const LEADS_ON = /^\([^\n,;]{0,200}\)\/[A-Za-z_]/
const SELECTION = 400
const LONGEST_LINE = 300

/** Asked of the text: most scripts that read are parsed for nothing else. */
const setReads: Extract<SetRead> = defineExtract({
  name: 'ui5-account-reads',
  keywords: ['.read(', '.bindList(', '.bindContext('],
  *collectText(text) {
    for (const { 0: whole, 1: path = '', 2: set = '', index } of text.matchAll(READ)) {
      const end = index + whole.length
      const rest = text.slice(end, end + SELECTION)
      if (!ACCOUNTS.test(set) || SELECTS.test(rest) || LEADS_ON.test(rest)) continue
      if (!/^\s{0,80}(?:\/\/|\/?\*)/.test(lineBefore(text, index, LONGEST_LINE)))
        yield { at: { start: end - path.length, end }, set, compared: comparedIn(ofCall(text.slice(index, end + ANSWER))) }
    }
  },
})

/** The functions that get the answer of a read. */
const ANSWER = 2500
const PIECE =
  /\/\/[^\n]{0,3000}|\/\*(?:[^*]|\*(?!\/)){0,3000}\*\/|"(?:[^"\\\n]|\\.){0,3000}"|'(?:[^'\\\n]|\\.){0,3000}'|`[^`]{0,3000}`|[()]/g
const CHAINED = /\s{0,80}\.\s{0,4}\w{1,40}\(/y

/** A call at the beginning of a text, and those of what it returns: `.bindList("/Users").requestContexts().then(…)`; the whole text: it does not end in it. */
function ofCall(text: string): string {
  let depth = 0
  for (const { 0: piece, index } of text.matchAll(PIECE)) {
    if (piece === '(') depth++
    if (piece !== ')' || --depth > 0) continue
    CHAINED.lastIndex = index + 1
    if (!CHAINED.test(text)) return text.slice(0, index)
  }
  return text
}

const COMPARISON = /([\w$.[\]]{1,80})\s{0,3}[!=]==?\s{0,3}([\w$.[\]]{1,80})/g
const HELD = /(?<![\w$.])([A-Za-z_$][\w$]{0,60})\s{0,3}=\s{0,3}[A-Za-z_$][\w$.[\]]{0,80}\.(\w{1,60})\s{0,3}(?=[;,\n])/g
const NOTHING = /^(?:null|undefined|true|false|\d{1,10})$/

/** `row.pwd === entered`, or by a variable that holds it: passwords of rows that code compares with a value. */
function comparedIn(answer: string): readonly string[] {
  const held = new Map([...answer.matchAll(HELD)].map(([, variable = '', property = '']) => [variable, property]))
  const found = new Set<string>()
  for (const [, one = '', other = ''] of answer.matchAll(COMPARISON)) {
    if (NOTHING.test(one) || NOTHING.test(other)) continue
    // a new password and its repetition
    if (one.includes('.') && ownerOf(one) === ownerOf(other)) continue
    for (const side of [one, other]) {
      const property = side.includes('.') ? side.slice(side.lastIndexOf('.') + 1) : held.get(side)
      if (property !== undefined && isPasswordName(property)) found.add(property)
    }
  }
  return [...found]
}

function ownerOf(side: string): string {
  return side.slice(0, Math.max(0, side.lastIndexOf('.')))
}

/** A row of a list that the user has picked. */
const ROW_PASSWORD =
  /(?:getParameter\(\s{0,4}["']listItem["']\s{0,4}\)|getSelectedItem\(\s{0,4}\))\s{0,40}\.getBindingContext\([^()\n]{0,60}\)\s{0,40}\.getProperty\(\s{0,4}["']\/?(\w{1,60})["']/g

/** `event.getParameter("listItem").getBindingContext("staff").getProperty("pwd")`: the rows of a list have passwords. */
const rowPasswords: Extract<{ readonly at: Span; readonly property: string }> = defineExtract({
  name: 'ui5-row-passwords',
  keywords: ['.getBindingContext('],
  *collectText(text) {
    for (const { 0: whole, 1: property = '', index } of text.matchAll(ROW_PASSWORD)) {
      const end = index + whole.length - 1
      if (isPasswordName(property) && !/^\s{0,80}(?:\/\/|\/?\*)/.test(lineBefore(text, index, LONGEST_LINE)))
        yield { at: { start: end - property.length, end }, property }
    }
  },
})

/**
 * A page reads an entity set whose rows have a password, by the metadata of the service that lies beside the app. Or a file of accounts with readable passwords
 * is a file of the page, and a script names it: what lies below `webapp` is served to whoever opens the app.
 * Facts: OData 2.0 and 4.01: an answer has all properties of the type that `$select` does not leave out. OWASP Password Storage Cheat Sheet; CWE-522.
 * Impact: passwords of accounts are in the browser. That the service answers with an empty property is not in the project. Entities of a CAP service of the project
 * are judged by its model. It is shown where the page compares what the rows hold with what its user enters. Accounts of a file are shown to be real ones where a script compares passwords.
 */
export const passwordsReadByPage: Rule = defineRule({
  id: 'ui5/passwords-read-by-page',
  impact: 'takeover',
  reach: 'user',
  evidence: 'assumed',
  yieldsTo: ['secrets/generic-password'],
  grades: {
    open: { reach: 'anyone' },
    view: { evidence: 'assumed' },
    file: { evidence: 'assumed' },
    gathered: { evidence: 'assumed' },
  },
  confidence: 'medium',
  cwe: [522, 200],
  since: '0.3.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html',
  extracts: [accountUses, setReads, rowPasswords, namedAccountFiles, comparedPasswords],
  on: 'project',

  *check(project) {
    yield* servedAccounts(project)
    for (const { file, value } of project.scripts.get(rowPasswords))
      yield { at: { file, span: value.at }, args: { property: value.property }, variant: 'row', groupKey: `${file} row` }
    yield* gatheredIn(project)
    const { ui5Apps, approuters, step } = project
    const pages = new Map(
      ui5Apps.flatMap((app) => {
        const shown = [...shownPasswords(app)]
        return shown.length > 0 || app.scripts.get(setReads).length > 0 ? [[app.root, { app, shown }] as const] : []
      }),
    )
    if (pages.size === 0) return
    const told = declaredPasswords(pages, project)
    for (const [root, { app, shown }] of pages) {
      const sets = told.get(root) ?? []
      for (const { file, value } of app.scripts.get(setReads)) {
        step(1 + sets.length)
        const found = sets.findLast(({ set }) => set === value.set)
        if (found === undefined) continue
        const isOpen = isServedToAll(app, approuters, step)
        // the copy of the metadata may be older than the code
        const isCompared = value.compared.some((name) => name.toLowerCase() === found.property.toLowerCase())
        yield {
          at: { file, span: value.at },
          args: { ...found },
          groupKey: `${root} ${value.set}`,
          ...(isOpen && { variant: 'open' }),
          ...(isCompared && { evidence: 'shown' as const }),
        }
      }
      for (const { file, at, name, control, isOfRow } of shown) {
        step(1 + sets.length)
        const found = isOfRow ? sets.find(({ property }) => property.toLowerCase() === name.toLowerCase()) : undefined
        if (found !== undefined)
          yield { at: { file, span: at }, args: { ...found, control }, variant: 'view', groupKey: `${root} view` }
      }
    }
  },

  text: () => ({
    en: {
      title: 'Passwords of accounts read by the page',
      message: 'The page reads {set}, whose rows contain a password: {metadata} declares the property "{property}".',
      why: 'Any user who can open the page can read these passwords in the developer tools, or request all rows of the entity set, and log in with them, also elsewhere if they are used there.',
      fix: 'Remove "{property}" from the entity type of the service, and let Identity Authentication or the server check passwords against a salted hash. Leaving the property out with $select protects nothing.',
      variants: {
        row: {
          message:
            'The page reads the password of a row of a list ("{property}"): what fills the list delivers the passwords of its accounts.',
          why: 'Any user who can open this page can read the passwords of all rows in the developer tools, and log in with them, also elsewhere if they are used there.',
        },
        view: {
          message: '{control} shows a password as text ("{property}"): {metadata} declares it for the rows of {set}.',
          why: 'Any user who can open the page can read these passwords on the screen and in the developer tools, and log in with them, also elsewhere if they are used there.',
          fix: 'Remove this control, and "{property}" from the entity type of the service. If users have to be told a first password, send it to them alone, once, and force them to change it.',
        },
        gathered: {
          message: 'The page collects the passwords of all accounts that a service answers with ("{property}").',
          why: 'Any user who can open the page can read these passwords in the developer tools, and log in as any other user, also elsewhere if they are used there.',
        },
        file: {
          title: 'Passwords of accounts in a file of the page',
          message:
            '{file} contains readable passwords in "{column}". The page can load it, and a script uses it as its list of accounts.',
          why: 'Any user who can open the page can download the file by its address and log in with each of these accounts, also elsewhere if the passwords are used there.',
          fix: 'Remove the column "{column}" from the file and from the Git history, and change these passwords. Let Identity Authentication or the server check passwords against a salted hash that is kept outside of webapp.',
        },
        open: {
          why: 'The approuter forwards requests to this service without authentication ("authenticationType": "none"): anyone on the internet can read all rows of the entity set and log in with these passwords.',
        },
      },
    },
    fr: {
      title: 'Mots de passe de comptes lus par la page',
      message: 'La page lit {set}, dont les lignes contiennent un mot de passe : {metadata} déclare la propriété "{property}".',
      why: 'Tout utilisateur qui peut ouvrir la page peut lire ces mots de passe dans les outils de développement ou demander toutes les lignes de l’ensemble d’entités, et s’en servir pour se connecter, y compris ailleurs.',
      fix: 'Retirez "{property}" du type d’entité du service et faites vérifier les mots de passe par Identity Authentication ou par le serveur, avec un hachage salé. Écarter la propriété par $select ne protège rien.',
      variants: {
        row: {
          message:
            'La page lit le mot de passe d’une ligne de liste ("{property}") : ce qui remplit la liste fournit les mots de passe de ses comptes.',
          why: 'Tout utilisateur qui peut ouvrir cette page peut lire les mots de passe de toutes les lignes dans les outils de développement et s’en servir pour se connecter, y compris ailleurs.',
        },
        view: {
          message: '{control} affiche un mot de passe en clair ("{property}") : {metadata} le déclare pour les lignes de {set}.',
          why: 'Tout utilisateur qui peut ouvrir la page peut lire ces mots de passe à l’écran et dans les outils de développement, et s’en servir pour se connecter, y compris ailleurs.',
          fix: 'Supprimez ce contrôle, et retirez "{property}" du type d’entité du service. Si un premier mot de passe doit être communiqué, envoyez-le à son seul destinataire, une seule fois, et imposez son changement.',
        },
        gathered: {
          message: 'La page rassemble les mots de passe de tous les comptes que renvoie un service ("{property}").',
          why: 'Tout utilisateur qui peut ouvrir la page peut lire ces mots de passe dans les outils de développement et se connecter à la place d’un autre, y compris ailleurs s’ils y servent.',
        },
        file: {
          title: 'Mots de passe de comptes dans un fichier de la page',
          message:
            '{file} contient des mots de passe lisibles dans "{column}". La page peut le charger, et un script l’utilise comme liste de comptes.',
          why: 'Tout utilisateur qui peut ouvrir la page peut télécharger le fichier par son adresse et se connecter avec chacun de ces comptes, y compris ailleurs si les mots de passe y servent.',
          fix: 'Retirez la colonne "{column}" du fichier et de l’historique Git, et changez ces mots de passe. Faites vérifier les mots de passe par Identity Authentication ou par le serveur, avec un hachage salé conservé hors de webapp.',
        },
        open: {
          why: 'L’approuter transmet les requêtes à ce service sans authentification ("authenticationType": "none") : toute personne sur Internet peut lire toutes les lignes et se connecter avec ces mots de passe.',
        },
      },
    },
  }),
})

/** The entity sets with passwords that copies of metadata beside these apps declare, by the root of the app; those of CAP services of the project are judged by their model. */
function declaredPasswords(
  pages: ReadonlyMap<string, unknown>,
  { files, capRoots, step }: Pick<Project, 'files' | 'capRoots' | 'step'>,
): ReadonlyMap<string, readonly ToldSet[]> {
  const own = new Set(capRoots.flatMap(({ services }) => services.flatMap(({ elements }) => elements.map(({ name }) => name))))
  const told = new Map<string, ToldSet[]>()
  for (const { path, kind, content } of files.values()) {
    if (kind.role !== 'odata-metadata' || content.as !== 'text' || content.text === undefined) continue
    const roots = [...foldersAround(path)].filter((folder) => pages.has(folder))
    if (roots.length === 0) continue
    step(1 + (content.text.length >> 8))
    for (const { set, property } of propertiesOfSets(content.text, isPasswordName)) {
      step(roots.length)
      if (!own.has(set)) for (const root of roots) append(told, root, { set, property, metadata: path })
    }
  }
  return told
}

/** Passwords of all rows of an answer, or of one that the page shows in a field. Where the page compares one with what is entered, they are those of its accounts. */
function* gatheredIn({ ui5Apps }: Pick<Project, 'ui5Apps'>): Generator<Match> {
  const uses = ui5Apps
    .flatMap(({ scripts }) => scripts.get(accountUses))
    .filter(({ file }) => !isDeveloperFile(file) && !isToolFile(file))
  const isCompared = uses.some(({ value }) => value.kind === 'login')
  for (const { file, value } of uses) {
    if (value.kind !== 'gathered' && value.kind !== 'filled') continue
    const grade = isCompared ? { evidence: 'shown' as const } : {}
    const args = { property: value.property }
    const variant = value.kind === 'gathered' ? 'gathered' : 'row'
    yield { at: { file, span: value.at }, args, variant, groupKey: `${file} ${variant}`, ...grade }
  }
}

/** Files of accounts with readable passwords that belong to the page, and that a script of the project names. */
function* servedAccounts({ files, scripts, step }: Pick<Project, 'files' | 'scripts' | 'step'>): Generator<Match> {
  const named = new Set(scripts.get(namedAccountFiles).map(({ value }) => value))
  if (named.size === 0) return
  for (const file of files.values()) {
    step()
    const found = accountFileOf(file)
    if (found === undefined || !named.has(found.name)) continue
    const isLogin = scripts.get(comparedPasswords).length > 0
    yield {
      at: { file: file.path, span: found.at },
      args: { file: file.path, column: found.column },
      variant: 'file',
      ...(isLogin && { evidence: 'shown' }),
    }
  }
}
