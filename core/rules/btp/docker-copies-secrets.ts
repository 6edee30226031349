import { quoteCommand } from '../../quote.ts'
import {
  findDockerfiles,
  findLocalFiles,
  readDockerIgnore,
  runningStages,
  type Dockerfile,
  type DockerInstruction,
  type IgnoreFiles,
} from '../../model/deployment/index.ts'
import type { NpmProject } from '../../model/npm/index.ts'
import type { Locale, Localized, Match, RuleMessages, RuleText } from '../../types.ts'
import { isBelow } from '../../paths.ts'
import { defineRule, type Rule } from '../rule.ts'
import { createCopiedDatabases, sourcesOf } from './_copied-databases.ts'

const SECRETS = 'https://docs.docker.com/build/building/secrets/'

/** Usual files with credentials; tested as paths, so that any pattern may cover them. */
const PROBES = ['.env', 'default-env.json', '.cdsrc-private.json', '.git/config']

/** `COPY . .`, `COPY ./ /app`, `ADD . x`: the whole build context, not a copy from another stage. */
const WHOLE = /^(?:--(?!from=)\S{1,100}\s{1,20}){0,5}(?:\[\s{0,5}")?\.\/?(?:"\s{0,5},|\s)/
const BUILD_SECRET = /^([A-Z0-9_]{0,60}(?:TOKEN|PASSWORD|PASSWD|SECRET|API_?KEY))(?:=|\s|$)/

/** What is copied into a build stage is not pulled with the image. */
const STAGE: Localized<Readonly<Record<'copied' | 'possible', Pick<RuleText, 'title' | 'why'>>>> = {
  en: {
    copied: {
      title: 'File with credentials copied into a build stage',
      why: 'The credentials stay in the layers of the build stage: an attacker with access to the build cache can read them, and a later COPY can carry the file into the final image.',
    },
    possible: {
      title: 'Whole build context copied into a build stage',
      why: 'If such a file is in the build context when the image is built, an attacker with access to the build cache can read its credentials.',
    },
  },
  fr: {
    copied: {
      title: 'Fichier d’identifiants copié dans une étape de build',
      why: 'Les identifiants restent dans les couches de l’étape de build : un attaquant ayant accès au cache de build peut les lire, et une instruction COPY ultérieure peut reprendre le fichier dans l’image finale.',
    },
    possible: {
      title: 'Contexte de build entier copié dans une étape de build',
      why: 'Si un tel fichier se trouve dans ce contexte lors du build, un attaquant ayant accès au cache de build peut lire ses identifiants.',
    },
  },
}
const INTO: Localized<readonly [image: string, stage: string]> = {
  en: ['into the image', 'into a build stage'],
  fr: ['dans l’image', 'dans une étape de build'],
}

/**
 * Files with credentials copied into an image, and credentials that stay in its history. A literal one is reported by the rules on secrets.
 * Facts: Docker documentation, ".dockerignore file", "Build secrets".
 * Impact: whoever may read the image has the credentials, those in the tables of a copied database too; where no file with credentials exists, it is only worth knowing.
 */
export const dockerCopiesSecrets: Rule = defineRule({
  id: 'btp/docker-copies-secrets',
  impact: 'takeover',
  // who may pull the image
  reach: 'privileged',
  grades: {
    // the layers of a build stage stay in the cache of a machine that builds
    stage: { evidence: 'assumed' },
    wholeStage: { evidence: 'assumed' },
    namedStage: { evidence: 'assumed' },
    database: {},
    databaseStage: { evidence: 'assumed' },
    possible: { impact: 'hygiene' },
    possibleWhole: { impact: 'hygiene' },
    possibleStage: { impact: 'hygiene' },
    possibleWholeStage: { impact: 'hygiene' },
  },
  confidence: 'high',
  cwe: [538],
  since: '0.1.0',
  docs: 'https://docs.docker.com/build/building/best-practices/',
  docsByVariant: { argument: SECRETS, variable: SECRETS },
  on: 'project',

  *check({ files, npm, capRoots }): Generator<Match> {
    const secret = findLocalFiles(files).flatMap(({ path, holds }) => (holds === 'credentials' ? [path] : []))
    for (const dockerfile of findDockerfiles(files)) {
      const ignore = readDockerIgnore(dockerfile.file, dockerfile.folder, files)
      const copied = secret.filter((path) => isInside(path, dockerfile.folder) && !ignore.covers(path))
      const databases = createCopiedDatabases(dockerfile, capRoots, npm)
      const running = new Set(runningStages(dockerfile))
      for (const stage of dockerfile.stages) {
        for (const instruction of stage.instructions) {
          const match = isWholeCopy(instruction)
            ? judgeCopy(dockerfile, ignore, copied)
            : (judgeParts(dockerfile, instruction, ignore, copied) ?? databases.judge(instruction, ignore))
          if (match !== undefined) yield place(dockerfile, instruction, running.has(stage) ? match : ofStage(match))
          else if (running.has(stage) && isKey(instruction))
            yield place(dockerfile, instruction, argumentOf(dockerfile, instruction, npm))
        }
      }
    }
  },

  text: () => ({
    en: withStages('en', {
      title: 'File with credentials copied into the image',
      message: 'The instruction {instruction} copies {files:and} into the image: no pattern in {ignore} prevents this.',
      why: 'An attacker who can pull the image can read the credentials from its layers, even if a later instruction deletes the file.',
      fix: 'Add {patterns:and} to {ignore} (one pattern per line), rebuild the image, and rotate the credentials.',
      variants: {
        whole: {
          message: 'The instruction {instruction} copies {files:and} into the image: no {ignore} file prevents this.',
          fix: 'Create the file {ignore} with {patterns:and} (one pattern per line), rebuild the image, and rotate the credentials.',
        },
        named: {
          message: 'The instruction {instruction} copies {files:and} into the image.',
          fix: 'Remove {files:and} from this instruction and rebuild the image. Rotate the credentials, and provide the new ones at run time by a service binding or a mounted secret.',
        },
        possible: {
          title: 'Whole build context copied into the image',
          message: 'The instruction {instruction} copies the whole build context, and {ignore} does not exclude {files:or}.',
          why: 'If such a file is in the build context when the image is built, an attacker who can pull the image can read its credentials.',
          fix: 'Add the lines **/.env*, **/default-*.json, **/.cdsrc-private.json and .git to {ignore}, or copy only the folders that you need.',
        },
        possibleWhole: {
          title: 'Whole build context copied into the image',
          message: 'The instruction {instruction} copies the whole build context, and no {ignore} file excludes {files:or}.',
          why: 'If such a file is in the build context when the image is built, an attacker who can pull the image can read its credentials.',
          fix: 'Create the file {ignore} with the lines **/.env*, **/default-*.json, **/.cdsrc-private.json and .git, or copy only the folders that you need.',
        },
        database: {
          title: 'Local database copied into the image',
          message:
            'The instruction {instruction} copies {files:and} into the image with all rows of local runs; its tables keep {elements:and}.',
          why: 'An attacker who can pull the image can read the credentials that were entered wherever the image is built.',
          fix: 'Remove {files:and} from this instruction, rebuild the image, and rotate the credentials. Create the tables in the build with "RUN npx cds deploy --to sqlite", or bind a database service.',
        },
        argument: {
          title: 'Build secret stored in the image history',
          message:
            'The instruction {instruction} passes a credential as a build argument, and its value stays in the image history.',
          why: 'An attacker who can pull the image can read the value with "docker history".',
          fix: 'Remove any ARG or ENV instruction for {variable}, and mount the secret where it is needed: "RUN --mount=type=secret,id={id} {variable}=$(cat /run/secrets/{id}) {build}". Build with "docker build --secret id={id},env={variable}".',
        },
        variable: {
          title: 'Build secret stored in the image',
          message: 'The instruction {instruction} stores a credential in an environment variable of the image.',
          why: 'An attacker who can pull the image can read the value with "docker inspect".',
          fix: 'Remove any ARG or ENV instruction for {variable}, and mount the secret where it is needed: "RUN --mount=type=secret,id={id} {variable}=$(cat /run/secrets/{id}) {build}". Build with "docker build --secret id={id},env={variable}".',
        },
      },
    }),
    fr: withStages('fr', {
      title: 'Fichier d’identifiants copié dans l’image',
      message: 'L’instruction {instruction} copie {files:et} dans l’image : aucun motif du fichier {ignore} ne l’empêche.',
      why: 'Un attaquant qui peut télécharger l’image peut lire les identifiants dans ses couches, même si une instruction ultérieure supprime le fichier.',
      fix: 'Ajoutez {patterns:et} au fichier {ignore} (un motif par ligne), reconstruisez l’image et renouvelez les identifiants.',
      variants: {
        whole: {
          message: 'L’instruction {instruction} copie {files:et} dans l’image : aucun fichier {ignore} ne l’empêche.',
          fix: 'Créez le fichier {ignore} avec {patterns:et} (un motif par ligne), reconstruisez l’image et renouvelez les identifiants.',
        },
        named: {
          message: 'L’instruction {instruction} copie {files:et} dans l’image.',
          fix: 'Retirez {files:et} de cette instruction et reconstruisez l’image. Renouvelez les identifiants, et fournissez les nouveaux à l’exécution par une liaison de service ou un secret monté.',
        },
        possible: {
          title: 'Contexte de build entier copié dans l’image',
          message: 'L’instruction {instruction} copie tout le contexte de build, et le fichier {ignore} n’exclut pas {files:ni}.',
          why: 'Si un tel fichier se trouve dans ce contexte lors du build, un attaquant qui peut télécharger l’image peut lire ses identifiants.',
          fix: 'Ajoutez les lignes **/.env*, **/default-*.json, **/.cdsrc-private.json et .git au fichier {ignore}, ou ne copiez que les dossiers nécessaires.',
        },
        possibleWhole: {
          title: 'Contexte de build entier copié dans l’image',
          message: 'L’instruction {instruction} copie tout le contexte de build, et aucun fichier {ignore} n’exclut {files:ni}.',
          why: 'Si un tel fichier se trouve dans ce contexte lors du build, un attaquant qui peut télécharger l’image peut lire ses identifiants.',
          fix: 'Créez le fichier {ignore} avec les lignes **/.env*, **/default-*.json, **/.cdsrc-private.json et .git, ou ne copiez que les dossiers nécessaires.',
        },
        database: {
          title: 'Base de données locale copiée dans l’image',
          message:
            'L’instruction {instruction} copie {files:et} dans l’image avec toutes les lignes des exécutions locales ; ses tables contiennent {elements:et}.',
          why: 'Un attaquant qui peut télécharger l’image peut lire les secrets saisis là où elle est construite.',
          fix: 'Retirez {files:et} de cette instruction, reconstruisez l’image et renouvelez les secrets. Créez les tables pendant le build avec "RUN npx cds deploy --to sqlite", ou liez un service de base de données.',
        },
        argument: {
          title: 'Secret de build conservé dans l’historique de l’image',
          message:
            'L’instruction {instruction} transmet un secret comme argument de build, et sa valeur reste dans l’historique de l’image.',
          why: 'Un attaquant qui peut télécharger l’image peut lire la valeur avec "docker history".',
          fix: 'Supprimez toute instruction ARG ou ENV qui définit {variable}, et montez le secret là où il sert : "RUN --mount=type=secret,id={id} {variable}=$(cat /run/secrets/{id}) {build}". Construisez l’image avec "docker build --secret id={id},env={variable}".',
        },
        variable: {
          title: 'Secret de build conservé dans l’image',
          message: 'L’instruction {instruction} enregistre un secret dans une variable d’environnement de l’image.',
          why: 'Un attaquant qui peut télécharger l’image peut lire la valeur avec "docker inspect".',
          fix: 'Supprimez toute instruction ARG ou ENV qui définit {variable}, et montez le secret là où il sert : "RUN --mount=type=secret,id={id} {variable}=$(cat /run/secrets/{id}) {build}". Construisez l’image avec "docker build --secret id={id},env={variable}".',
        },
      },
    }),
  }),
})

/** The cases of an image, and the same of a build stage. */
function withStages(locale: Locale, text: RuleMessages): RuleMessages {
  const { variants = {} } = text
  const [image, stage] = INTO[locale]
  const inStage = (kind: 'copied' | 'possible', { message = text.message, fix = text.fix }: Partial<RuleText> = text) => ({
    ...STAGE[locale][kind],
    message: message.replace(image, stage),
    fix,
  })
  return {
    ...text,
    variants: {
      ...variants,
      stage: inStage('copied'),
      wholeStage: inStage('copied', variants['whole']),
      namedStage: inStage('copied', variants['named']),
      databaseStage: inStage('copied', variants['database']),
      possibleStage: inStage('possible', variants['possible']),
      possibleWholeStage: inStage('possible', variants['possibleWhole']),
    },
  }
}

function ofStage(match: Omit<Match, 'at'>): Omit<Match, 'at'> {
  return { ...match, variant: match.variant === undefined ? 'stage' : `${match.variant}Stage` }
}

/** Arguments and variables of one Dockerfile are one finding. */
function argumentOf(
  { file, folder }: Dockerfile,
  { name, arguments: rest }: DockerInstruction,
  npm: NpmProject,
): Omit<Match, 'at'> {
  const { build } = npm.byFolder.get(folder)?.manager ?? npm.manager
  const variable = BUILD_SECRET.exec(rest)?.[1] ?? ''
  return {
    args: { variable, id: variable.toLowerCase(), build },
    variant: name === 'ENV' ? 'variable' : 'argument',
    groupKey: `${file} argument`,
  }
}

function place({ file }: Dockerfile, instruction: DockerInstruction, match: Omit<Match, 'at'>): Match {
  const { name, arguments: rest, start, end } = instruction
  return {
    ...match,
    at: { file, span: { start, end } },
    args: {
      ...match.args,
      instruction: quoteCommand(name === 'COPY' || name === 'ADD' ? `${name} ${rest}` : `${name} ${rest.replace(/=.*$/s, '')}`),
    },
  }
}

function isWholeCopy({ name, arguments: rest }: DockerInstruction): boolean {
  return (name === 'COPY' || name === 'ADD') && WHOLE.test(rest) && !/--from=/.test(rest)
}

/** `ARG NPM_TOKEN`, `ENV NPM_TOKEN=$NPM_TOKEN`: a name without a literal value. */
function isKey({ name, arguments: rest }: DockerInstruction): boolean {
  return (
    (name === 'ARG' && BUILD_SECRET.test(rest) && !rest.includes('=')) ||
    (name === 'ENV' && BUILD_SECRET.test(rest) && /=\s{0,5}["']?\$/.test(rest))
  )
}

/** `COPY srv ./srv`, `COPY default-env.json .`: files with credentials that the instruction names, or that lie in a folder that it names. */
function judgeParts(
  { folder }: Dockerfile,
  instruction: DockerInstruction,
  ignore: IgnoreFiles,
  copied: readonly string[],
): Omit<Match, 'at'> | undefined {
  const sources = copied.length === 0 ? [] : sourcesOf(instruction, folder)
  if (sources.length === 0) return undefined
  const named = copied.filter((path) => sources.includes(path))
  const found = named.length > 0 ? named : copied.filter((path) => sources.some((source) => isInside(path, source)))
  const match = toMatch(found, folder, ignore)
  // what an instruction names must not be left out of the build: it would fail
  return match && named.length > 0 ? { ...match, variant: 'named' } : match
}

function isInside(path: string, folder: string): boolean {
  return path === folder || isBelow(path, folder)
}

function toMatch(copied: readonly string[], folder: string, ignore: IgnoreFiles): Omit<Match, 'at'> | undefined {
  if (copied.length === 0) return undefined
  const patterns = [...new Set(copied.map((path) => `"**/${path.slice(path.lastIndexOf('/') + 1)}"`))]
  const args = { files: copied.slice(0, 3).join(', '), patterns: patterns.join(', '), ignore: ignorePath(folder, ignore) }
  return { args, ...(ignore.paths.length === 0 && { variant: 'whole' }) }
}

function ignorePath(folder: string, { paths }: IgnoreFiles): string {
  return paths[0] ?? (folder === '' ? '.dockerignore' : `${folder}/.dockerignore`)
}

/** The whole build context: files with credentials in it, or that could be. */
function judgeCopy({ folder }: Dockerfile, ignore: IgnoreFiles, copied: readonly string[]): Omit<Match, 'at'> | undefined {
  if (copied.length > 0) return toMatch(copied, folder, ignore)
  const open = PROBES.filter((probe) => !ignore.covers(folder === '' ? probe : `${folder}/${probe}`))
  if (open.length === 0 || (open.length < PROBES.length && ignore.paths.length > 0)) return undefined
  const args = { files: open.join(', '), ignore: ignorePath(folder, ignore) }
  return { args, variant: ignore.paths.length === 0 ? 'possibleWhole' : 'possible' }
}
