import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { constantOf, fieldOf, resolveValue, type Value } from '../../facts/index.ts'
import type { ProjectFile } from '../../files.ts'
import { at, stringOf } from '../../parse/data.ts'
import { folderOf, joinPath } from '../../paths.ts'
import { findCommands } from '../deployment/index.ts'
import { keepsRows, servingCommand } from './development-images.ts'
import type { CapRoot } from './types.ts'

type Files = ReadonlyMap<string, ProjectFile>

/** A program of a file of pm2. */
interface StartedApp {
  /** `npx cds-serve`, `npm start` */
  readonly command: string
  /** By NODE_ENV in `env`, which counts where no command names another environment. */
  readonly isProductive: boolean
}

const MAX_APPS = 50

/**
 * One item for each program that pm2 starts with a NODE_ENV; one that it starts anew whenever a file changes is a developer's.
 * Facts: PM2 documentation, "Ecosystem File" (`env` is used unless `--env` names another one), "Watch & Restart".
 */
export const startedApps: Extract<StartedApp> = defineExtract({
  name: 'cap-started-apps',
  keywords: ['node_env'],
  isFor: (path) => /(?:^|\/)(?:ecosystem|pm2)(?:\.[\w-]{1,30}){0,2}\.c?js$/.test(path),
  *collect({ facts: { assignments } }) {
    for (const { target, value } of assignments) {
      const apps = target.name === 'exports' ? resolveValue(fieldOf(resolveValue(value), 'apps')?.value ?? value) : value
      if ('items' in apps)
        for (const item of apps.items.slice(0, MAX_APPS)) {
          const app = resolveValue(item)
          const stage = textAt(fieldOf(app, 'env')?.value, 'NODE_ENV')
          if (stage !== '' && !isWatched(app))
            yield { command: `${textAt(app, 'script')} ${textAt(app, 'args')}`.trim(), isProductive: stage === 'production' }
        }
    }
  },
})

function isWatched(app: Value): boolean {
  const watch = fieldOf(app, 'watch')?.value
  return watch !== undefined && constantOf(watch) !== false
}

function textAt(object: Value | undefined, key: string): string {
  const field = object && fieldOf(resolveValue(object), key)
  const text = field && constantOf(field.value)
  return typeof text === 'string' ? text : ''
}

/**
 * Tells whether files of pm2 in the folder of a root start it outside of production alone, with rows of a database, and neither a command nor a deployment names another environment.
 * Fact: @sap/cds 7.9.5 and 9.9.3, lib/srv/protocols/http.js: services that say nothing want a user if NODE_ENV is `production`.
 */
export function startsInDevelopment(root: CapRoot, files: Files): boolean {
  const started = root.scripts
    .get(startedApps)
    .flatMap(({ file, value }) => (folderOf(file) === root.root && servingCommand(value.command, root.root, files) ? value : []))
  if (started.length === 0 || started.some(({ isProductive }) => isProductive)) return false
  return root.deployments.length === 0 && keepsRows(root, []) && !choosesEnvironment(root, files)
}

/** `pm2 start ecosystem.config.js --env production` */
function choosesEnvironment({ root }: CapRoot, files: Files): boolean {
  const manifest = files.get(joinPath(root, 'package.json'))?.content
  const start = manifest?.as === 'data' ? stringOf(at(manifest.roots[0], 'scripts', 'start')) : undefined
  const commands = [start ?? '', ...[...findCommands(files)].map(({ text }) => text)]
  return commands.some((text) => /--env[\s=]|NODE_ENV=production/.test(text))
}
