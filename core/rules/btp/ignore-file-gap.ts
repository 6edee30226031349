import { createIgnores, findCfIgnores, findGitIgnores, findLocalFiles, type IgnoreFiles } from '../../model/deployment/index.ts'
import { at, itemsOf, stringOf } from '../../parse/data.ts'
import type { Match } from '../../types.ts'
import { fileNameOf, isBelow, joinPath } from '../../paths.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { Project } from '../subjects.ts'

/** Files in which tools of SAP store bindings; tested as paths, so that any pattern may cover them. */
const WRITTEN_BY_TOOLS = ['default-env.json', '.cdsrc-private.json']

/**
 * Ignore files that do not exclude files with credentials. Patterns are understood as Git does: any pattern that covers a file counts.
 * Facts: gitignore documentation (Git 2.x); CAP documentation, "cds bind"; Cloud Foundry documentation, .cfignore.
 * Impact: what the files hold, the rules on credentials tell; a missing line gives nothing beside that. What is uploaded with the app can be read in it by
 * whoever gets into it. Where no such file exists, it is only worth knowing.
 */
export const ignoreFileGap: Rule = defineRule({
  id: 'btp/ignore-file-gap',
  impact: 'defence',
  reach: 'anyone',
  usage: 'deployed',
  grades: {
    // who may read the files of the app
    push: { impact: 'takeover', reach: 'privileged' },
    module: { impact: 'takeover', reach: 'privileged' },
    written: { impact: 'hygiene' },
  },
  confidence: 'high',
  cwe: [538],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/tools/cds-bind',
  docsByVariant: {
    push: 'https://docs.cloudfoundry.org/devguide/deploy-apps/prepare-to-deploy.html',
    module: 'https://sap.github.io/cloud-mta-build-tool/configuration/',
  },
  on: 'project',

  *check(project): Generator<Match> {
    const { files } = project
    const git = findGitIgnores(files)
    const [top] = git.paths
    const secret = findLocalFiles(files).filter(({ holds }) => holds === 'credentials')
    for (const { path } of secret) {
      if (git.covers(path)) continue
      const nearest = nearestOf(git, path)
      yield {
        at: { file: path },
        args: { file: path, ignore: nearest ?? '', pattern: fileNameOf(path) },
        ...(nearest === undefined && { variant: 'none' }),
      }
    }
    yield* findPushed(
      project,
      secret.map(({ path }) => path),
    )
    // only where an ignore file exists, and the project binds services
    if (top === undefined || secret.length > 0) return
    for (const { root } of project.capRoots) {
      const open = WRITTEN_BY_TOOLS.map((name) => (root === '' ? name : `${root}/${name}`)).filter((path) => !git.covers(path))
      const ignore = nearestOf(git, `${root === '' ? '' : `${root}/`}x`) ?? top
      if (open.length > 0)
        yield {
          at: { file: ignore },
          args: { file: open.join(', '), lines: open.map((path) => `"${fileNameOf(path)}"`).join(', '), ignore },
          variant: 'written',
        }
    }
  },

  text: () => ({
    en: {
      title: 'Credentials file not excluded from Git',
      message: '{file} contains credentials, and {ignore} does not exclude it.',
      why: 'Nothing keeps the file out of a commit: an attacker with read access to the repository can then read the credentials, which stay in the history even after the file is deleted.',
      fix: 'Add the line "{pattern}" at the end of {ignore}. If the file was ever committed, also run "git rm --cached {file}" and rotate the credentials.',
      variants: {
        none: {
          message: '{file} contains credentials, and no .gitignore file in the project excludes it.',
          fix: 'Create a .gitignore file with the line "{pattern}". If the file was ever committed, also run "git rm --cached {file}" and rotate the credentials.',
        },
        push: {
          title: 'Credentials file uploaded by cf push',
          message: '{file} contains credentials and is in a folder that {ignore} pushes; no .cfignore file excludes it.',
          why: '"cf push" uploads the file with the application: an attacker who can read the application’s files obtains the credentials.',
          fix: 'Add the line "{pattern}" to {cfignore}; create this file if it does not exist.',
        },
        module: {
          title: 'Credentials file packed into the MTA archive',
          message: '{file} contains credentials and is in a module of {ignore} whose "build-parameters" do not exclude it.',
          why: 'The file becomes part of the archive and of the application: an attacker who can read either obtains the credentials.',
          fix: 'Add "{pattern}" to "ignore" in the "build-parameters" of this module in {ignore}: ignore: ["{pattern}", node_modules/].',
        },
        written: {
          title: 'Local binding files not excluded from Git',
          message: 'SAP tools store service bindings in files that {ignore} does not exclude: {file:and}.',
          why: 'Such a file can contain credentials or the names of service instances: once it is committed, an attacker with read access to the repository can read them.',
          fix: 'Add to {ignore}, one pattern per line: {lines:and}.',
        },
      },
    },
    fr: {
      title: 'Fichier d’identifiants non exclu de Git',
      message: '{file} contient des identifiants, et {ignore} ne l’exclut pas.',
      why: 'Rien n’empêche de versionner le fichier : un attaquant qui peut lire le dépôt peut alors lire les identifiants, qui restent dans l’historique même après la suppression du fichier.',
      fix: 'Ajoutez la ligne "{pattern}" à la fin du fichier {ignore}. Si le fichier a déjà été versionné, exécutez aussi "git rm --cached {file}" et renouvelez les identifiants.',
      variants: {
        none: {
          message: '{file} contient des identifiants, et aucun fichier .gitignore du projet ne l’exclut.',
          fix: 'Créez un fichier .gitignore avec la ligne "{pattern}". Si le fichier a déjà été versionné, exécutez aussi "git rm --cached {file}" et renouvelez les identifiants.',
        },
        push: {
          title: 'Fichier d’identifiants téléversé par cf push',
          message:
            '{file} contient des identifiants et se trouve dans un dossier déployé par {ignore} ; aucun fichier .cfignore ne l’exclut.',
          why: '"cf push" téléverse le fichier avec l’application : un attaquant qui peut lire les fichiers de l’application obtient les identifiants.',
          fix: 'Ajoutez la ligne "{pattern}" au fichier {cfignore} ; créez ce fichier s’il n’existe pas.',
        },
        module: {
          title: 'Fichier d’identifiants inclus dans l’archive MTA',
          message:
            '{file} contient des identifiants et se trouve dans un module de {ignore} dont les "build-parameters" ne l’excluent pas.',
          why: 'Le fichier entre dans l’archive et dans l’application : un attaquant qui peut lire l’une ou l’autre obtient les identifiants.',
          fix: 'Ajoutez "{pattern}" à "ignore" dans les "build-parameters" de ce module de {ignore} : ignore: ["{pattern}", node_modules/].',
        },
        written: {
          title: 'Fichiers de liaisons locales non exclus de Git',
          message:
            'Des outils SAP enregistrent des liaisons de services dans des fichiers que {ignore} n’exclut pas : {file:et}.',
          why: 'Un tel fichier peut contenir des identifiants ou les noms d’instances de services : une fois versionné, il les révèle à tout attaquant qui peut lire le dépôt.',
          fix: 'Ajoutez {lines:et} au fichier {ignore}, à raison d’un motif par ligne.',
        },
      },
    },
  }),
})

/** The ignore file of the nearest folder above a path. */
function nearestOf({ paths }: IgnoreFiles, path: string): string | undefined {
  return paths.findLast((candidate) => path.startsWith(candidate.slice(0, candidate.lastIndexOf('/') + 1)))
}

/** `cf push` respects .cfignore alone, the MTA build tool the build parameters of the module alone. */
function* findPushed({ files, deployment }: Project, secret: readonly string[]): Generator<Match> {
  const cf = findCfIgnores(files)
  const reported = new Set<string>()
  for (const { file, folder, node } of deployment.applications) {
    if (folder === undefined) continue
    const isPush = files.get(file)?.kind.role === 'cf-manifest'
    const path = stringOf(at(node, 'path')) ?? ''
    // what a build writes into gen holds no local files
    if ((!isPush && path === '') || /(?:^|\/)gen(?:\/|$)/.test(path)) continue
    const patterns = itemsOf(at(node, 'build-parameters', 'ignore')).flatMap((item) => stringOf(item) ?? [])
    const left = isPush ? cf : createIgnores(patterns, folder)
    for (const found of secret) {
      if (reported.has(found) || !isBelow(found, folder) || left.covers(found)) continue
      reported.add(found)
      yield {
        at: { file: found },
        args: { file: found, ignore: file, pattern: fileNameOf(found), cfignore: joinPath(folder, '.cfignore') },
        variant: isPush ? 'push' : 'module',
        key: 'push',
      }
    }
  }
}
