import { quoteCommand } from '../../quote.ts'
import { cutText } from '../../cut-text.ts'
import {
  findComposeServices,
  findDockerfiles,
  findPipelineImages,
  isReachableDebugger,
  runningStages,
  type ComposeService,
  type DockerInstruction,
  type DockerStage,
} from '../../model/deployment/index.ts'
import { managerOfCommand, type NpmPackage } from '../../model/npm/index.ts'
import { at, numberOf, stringOf } from '../../parse/data.ts'
import type { Match, Span } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Images that run as root by default; the user of other images is unknown. */
const ROOT_IMAGES =
  /(?:^|\/)(?:node|alpine|debian|ubuntu|nginx|httpd|openjdk|eclipse-temurin|sapmachine|amazoncorretto|python|golang|busybox|maven|centos|fedora|rockylinux)(?::|@|$)/
/** Does not start as another user without changes to its configuration. */
const NGINX = /(?:^|\/)nginx(?::|@|$)/
/** Packages by name and global tools are in no lock file. */
const INSTALLS = /\b(?:(npm|pnpm|yarn|bun)\s{1,5}(?:i|install)|yarn)((?:\s{1,5}--?[\w=-]{1,40}){0,8})\s{0,5}(?=$|[&;|\n])/g
/** Hold to the lock file, or install something else. */
const HOLDS = /\s(?:-g|--global|--frozen-lockfile|--immutable|--version|-v)\b/
const ROOT_USER = /^(?:root|0)(?::|\s|$)/

/**
 * Faults that a Dockerfile, a compose file or the image of a pipeline shows: root, a base image without a fixed version, a debugger, dependencies without the lock file, unverified
 * downloads.
 * Facts: Docker documentation, "Building best practices"; Node.js documentation, "Debugging" (--inspect listens on 127.0.0.1 by default).
 * Impact: nothing by itself, code must run in the container first; a debugger runs any code for whoever reaches its port.
 */
export const dockerRootOrLatest: Rule = defineRule({
  id: 'btp/docker-root-or-latest',
  impact: 'defence',
  reach: 'user',
  // other containers of the landscape
  grades: { inspect: { impact: 'takeover', reach: 'privileged' } },
  confidence: 'high',
  cwe: [250],
  since: '0.1.0',
  docs: 'https://docs.docker.com/build/building/best-practices/',
  docsByVariant: {
    inspect: 'https://nodejs.org/en/learn/getting-started/debugging#security-implications',
    install: 'https://cheatsheetseries.owasp.org/cheatsheets/NodeJS_Docker_Cheat_Sheet.html',
  },
  on: 'project',

  *check({ files, npm }): Generator<Match> {
    for (const dockerfile of findDockerfiles(files)) {
      const { file, stages } = dockerfile
      const names = new Set(stages.flatMap(({ alias }) => alias ?? []))
      const placeOf = ({ start, end }: Span): Match['at'] => ({ file, span: { start, end } })
      for (const { image, imageSpan } of stages) {
        if (names.has(image.toLowerCase()) || !isMoving(image)) continue
        yield { at: placeOf(imageSpan), args: { image, name: withoutTag(image) }, variant: 'latest' }
      }
      const running = runningStages(dockerfile)
      const [last] = running
      const root = rootUserOf(running)
      if (last !== undefined && root !== undefined)
        yield {
          at: placeOf(last.from),
          args: { file, image: last.image, root, user: /(?:^|\/)node(?::|@|$)/.test(last.image) ? 'node' : '1000' },
          ...(root !== '' ? { variant: 'root' } : NGINX.test(last.image) && { variant: 'nginx' }),
        }
      for (const [index, stage] of running.entries())
        for (const instruction of stage.instructions) {
          const match = judge(instruction, index === 0, npm.byFolder.get(dockerfile.folder))
          if (match !== undefined) yield { at: placeOf(instruction), ...match }
        }
    }
    for (const service of findComposeServices(files)) yield* judgeService(service)
    for (const { file, image, place } of findPipelineImages(files))
      if (isMoving(image))
        yield { at: place, args: { image, name: withoutTag(image) }, variant: 'reference', groupKey: `${file} ${image}` }
  },

  text: () => ({
    en: {
      title: 'Container running as root',
      message: 'The last stage in {file} ({image}) sets no USER, so the container runs as root.',
      why: 'An attacker who runs code in the application is root in the container: a kernel vulnerability or a mounted folder can be enough to reach the host.',
      fix: 'Add "USER {user}" at the end of {file}.',
      variants: {
        root: {
          message: 'The last stage in {file} ({image}) ends with "USER {root}".',
          fix: 'Replace the last "USER {root}" in {file} with "USER {user}".',
        },
        nginx: {
          fix: 'Use "FROM nginxinc/nginx-unprivileged:<version>@sha256:<digest>" for this stage; its server listens on port 8080 by default.',
        },
        latest: {
          title: 'Base image without a fixed version',
          message: '{image} does not specify a fixed version: each build can use a different image.',
          why: 'A compromised or broken release of the image gets into the next build without any change in the project, and no build can be reproduced.',
          fix: 'Use "FROM {name}:<version>@sha256:<digest>" with a maintained version; "docker buildx imagetools inspect {name}:<version>" prints the digest.',
        },
        reference: {
          title: 'Image without a fixed version',
          message: '{image} does not specify a fixed version: each run can use a different image.',
          why: 'A compromised or broken release of the image runs without any change in the project, with the pipeline’s credentials.',
          fix: 'Use "{name}:<version>@sha256:<digest>" as the image, with a maintained version; "docker buildx imagetools inspect {name}:<version>" prints the digest.',
        },
        service: {
          title: 'Image without a fixed version',
          message: '{image} does not specify a fixed version: each pull can get a different image.',
          why: 'A compromised or broken release of the image is started without any change in the project.',
          fix: 'Use "{name}:<version>@sha256:<digest>" as the image, with a maintained version; "docker buildx imagetools inspect {name}:<version>" prints the digest.',
        },
        user: {
          message: 'Service {name} sets "user: {user}", so its container runs as root.',
          fix: 'Set "user" of service {name} to the ID of a user without privileges, such as "1000". This user needs access to the files of the service.',
        },
        inspect: {
          title: 'Node.js debugger enabled in the image',
          message: 'The instruction {text} starts the application with the Node.js debugger enabled.',
          why: 'An attacker who reaches the debug port can run any code in the application.',
          fix: 'Remove "{option}" from this instruction.',
        },
        install: {
          title: 'Dependencies installed without the lock file',
          message: 'The command {text} can install versions other than those in {lock}.',
          why: 'A compromised release of a dependency can get into the image even if {lock} names an older version.',
          fix: 'Copy {lock} as well, and use "{instead}" instead.',
        },
        download: {
          title: 'File downloaded into the image without a checksum',
          message: 'The instruction {text} adds whatever this URL serves at build time.',
          why: 'An attacker who controls the server decides what is in the image.',
          fix: 'Add "--checksum=sha256:<hash>" after ADD in this instruction, or commit the file to the project and copy it with COPY instead of ADD.',
        },
        downloadHttp: {
          title: 'File downloaded into the image without a checksum',
          message: 'The instruction {text} adds whatever this URL serves at build time.',
          why: 'An attacker who controls the server or the network path decides what is in the image.',
          fix: 'Add "--checksum=sha256:<hash>" after ADD in this instruction, or commit the file to the project and copy it with COPY instead of ADD.',
        },
      },
    },
    fr: {
      title: 'Conteneur exécuté en tant que root',
      message:
        'Dans le fichier {file}, la dernière étape ({image}) ne définit aucun USER : le conteneur s’exécute en tant que root.',
      why: 'Un attaquant qui exécute du code dans l’application est root dans le conteneur : une vulnérabilité du noyau ou un dossier monté peut suffire pour accéder à l’hôte.',
      fix: 'Ajoutez "USER {user}" à la fin du fichier {file}.',
      variants: {
        root: {
          message: 'Dans le fichier {file}, la dernière étape ({image}) se termine par "USER {root}".',
          fix: 'Remplacez le dernier "USER {root}" du fichier {file} par "USER {user}".',
        },
        nginx: {
          fix: 'Utilisez "FROM nginxinc/nginx-unprivileged:<version>@sha256:<empreinte>" pour cette étape ; son serveur écoute par défaut sur le port 8080.',
        },
        latest: {
          title: 'Image de base sans version fixe',
          message: '{image} ne fixe aucune version : chaque build peut utiliser une autre image.',
          why: 'Une version compromise ou défectueuse de l’image entre dans le prochain build sans modification du projet, et aucun build n’est reproductible.',
          fix: 'Utilisez "FROM {name}:<version>@sha256:<empreinte>" avec une version maintenue ; "docker buildx imagetools inspect {name}:<version>" affiche l’empreinte.',
        },
        reference: {
          title: 'Image sans version fixe',
          message: '{image} ne fixe aucune version : chaque exécution peut utiliser une autre image.',
          why: 'Une version compromise ou défectueuse de l’image s’exécute sans modification du projet, avec les secrets du pipeline.',
          fix: 'Utilisez l’image "{name}:<version>@sha256:<empreinte>" avec une version maintenue ; "docker buildx imagetools inspect {name}:<version>" affiche l’empreinte.',
        },
        service: {
          title: 'Image sans version fixe',
          message: '{image} ne fixe aucune version : chaque téléchargement peut donner une autre image.',
          why: 'Une version compromise ou défectueuse de l’image démarre sans modification du projet.',
          fix: 'Utilisez l’image "{name}:<version>@sha256:<empreinte>" avec une version maintenue ; "docker buildx imagetools inspect {name}:<version>" affiche l’empreinte.',
        },
        user: {
          message: 'Le service {name} définit "user: {user}" : son conteneur s’exécute en tant que root.',
          fix: 'Donnez à "user" du service {name} l’identifiant d’un utilisateur sans privilège, par exemple "1000". Cet utilisateur doit avoir accès aux fichiers du service.',
        },
        inspect: {
          title: 'Débogueur Node.js activé dans l’image',
          message: 'L’instruction {text} démarre l’application avec le débogueur Node.js activé.',
          why: 'Un attaquant qui peut joindre le port de débogage peut exécuter n’importe quel code dans l’application.',
          fix: 'Retirez "{option}" de cette instruction.',
        },
        install: {
          title: 'Dépendances installées sans le fichier de verrouillage',
          message: 'La commande {text} peut installer d’autres versions que celles de {lock}.',
          why: 'Une version compromise d’une dépendance peut entrer dans l’image même si {lock} en indique une plus ancienne.',
          fix: 'Copiez aussi {lock}, et utilisez plutôt "{instead}".',
        },
        download: {
          title: 'Fichier téléchargé dans l’image sans somme de contrôle',
          message: 'L’instruction {text} ajoute ce que cette URL fournit au moment du build.',
          why: 'Un attaquant qui contrôle le serveur décide du contenu de l’image.',
          fix: 'Ajoutez "--checksum=sha256:<empreinte>" après ADD dans cette instruction, ou versionnez le fichier dans le projet et copiez-le avec COPY plutôt qu’avec ADD.',
        },
        downloadHttp: {
          title: 'Fichier téléchargé dans l’image sans somme de contrôle',
          message: 'L’instruction {text} ajoute ce que cette URL fournit au moment du build.',
          why: 'Un attaquant qui contrôle le serveur ou le réseau décide du contenu de l’image.',
          fix: 'Ajoutez "--checksum=sha256:<empreinte>" après ADD dans cette instruction, ou versionnez le fichier dans le projet et copiez-le avec COPY plutôt qu’avec ADD.',
        },
      },
    },
  }),
})

/** What a service of Compose says of its image and user. */
function* judgeService({ file, name, node, image }: ComposeService): Generator<Match> {
  const placeOf = ({ start, end }: Span): Match['at'] => ({ file, span: { start, end } })
  const [written, user] = [at(node, 'image'), at(node, 'user')]
  // what is built here is tagged with that name
  if (image !== undefined && written !== undefined && at(node, 'build') === undefined && isMoving(image))
    yield { at: placeOf(written), args: { image, name: withoutTag(image) }, variant: 'service', groupKey: `${file} ${image}` }
  const text = stringOf(user) ?? String(numberOf(user) ?? '')
  if (user !== undefined && ROOT_USER.test(text)) yield { at: placeOf(user), args: { name, user: text }, variant: 'user' }
}

/** No tag, or one that is moved by design; a build argument without a default is unknown. */
function isMoving(image: string): boolean {
  if (image.includes('@sha256:') || image.includes('$') || image.toLowerCase() === 'scratch') return false
  const tag = /:([^/:]{1,200})$/.exec(image)?.[1]
  return tag === undefined || tag === 'latest' || tag === 'current' || tag === 'lts'
}

/** `running`: the last stage first. The last USER counts; without one it is the image’s own: ''. Undefined: not root. */
function rootUserOf(running: readonly DockerStage[]): string | undefined {
  const users = running.toReversed().flatMap(({ instructions }) => instructions.filter(({ name }) => name === 'USER'))
  const user = users.at(-1)?.arguments.trim()
  if (user !== undefined) return ROOT_USER.test(user) ? cutText(user, 50) : undefined
  const base = running.at(-1)?.image ?? ''
  return ROOT_IMAGES.test(base) && !/nonroot|rootless|unprivileged/i.test(base) ? '' : undefined
}

function judge(
  { name, arguments: rest }: DockerInstruction,
  isLast: boolean,
  own: NpmPackage | undefined,
): Omit<Match, 'at'> | undefined {
  const text = quoteCommand(cutText(`${name} ${rest}`, 200))
  const option = /(?:^|[\s"'])(--inspect(?:-brk|-wait)?(?:=[^\s"',]{0,100})?)(?=[\s"',]|$)/.exec(rest)?.[1]
  if ((name === 'CMD' || name === 'ENTRYPOINT') && isLast && option !== undefined)
    return {
      args: { text, option },
      ...(!isReachableDebugger(option) && { reach: 'local' as const }),
      variant: 'inspect',
    }
  if (name === 'RUN') {
    for (const [found, manager = 'yarn', options = ''] of rest.matchAll(INSTALLS)) {
      if (HOLDS.test(options)) continue
      // a package without a lock file and `packageManager` is installed by what the command says
      const isTold = own !== undefined && (own.locks.length > 0 || own.packageManager !== undefined)
      const { lock, build, deploy } = isTold ? own.manager : managerOfCommand(manager)
      // a build may need the development dependencies
      const instead = /prod|omit/.test(options) ? deploy : build
      return { args: { text: quoteCommand(found.trim()), lock, instead }, variant: 'install' }
    }
  }
  if (name === 'ADD' && /(?:^|\s|")https?:\/\//i.test(rest) && !/--checksum=/.test(rest))
    return { args: { text }, variant: /https:\/\//i.test(rest) ? 'download' : 'downloadHttp' }
  return undefined
}

/** A colon in front of the last slash is that of a port. */
function withoutTag(image: string): string {
  const tag = image.indexOf(':', image.lastIndexOf('/') + 1)
  return tag < 0 ? image : image.slice(0, tag)
}
