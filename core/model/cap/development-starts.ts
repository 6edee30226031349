import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { constantOf, fieldOf, resolveValue, type Value } from '../../facts/index.ts'
import type { ProjectFile } from '../../files.ts'
import { at, stringOf } from '../../parse/data.ts'
import { folderOf, joinPath } from '../../paths.ts'
import { findCommands } from '../deployment/index.ts'
import { keepsRows, servingCommand } from './development-images.ts'
import type { CapRoot } from './types.ts'

type Files = ReadonlyMap<string, ProjectFile>

/** A program of a file of pm2 that runs outside of production. */
interface StartedApp {
  /** `npx cds-serve`, `npm start` */
  readonly command: string
  /** NODE_ENV in `env`, which counts where no command names another environment. */
  readonly stage: string
}

const MAX_APPS = 50

/**
 * One item for each program that pm2 starts with a NODE_ENV other than `production`.
 * Facts: PM2 documentation, "Ecosystem File" (`env` is used unless `--env` names another one).
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
          if (stage !== '' && stage !== 'production')
            yield { command: `${textAt(app, 'script')} ${textAt(app, 'args')}`.trim(), stage }
        }
    }
  },
})

function textAt(object: Value | undefined, key: string): string {
  const field = object && fieldOf(resolveValue(object), key)
  const text = field && constantOf(field.value)
  return typeof text === 'string' ? text : ''
}

/**
 * Tells whether a file of pm2 in the folder of a root starts it outside of production, with rows of a database, and no command names another environment.
 * Fact: @sap/cds 7.9.5 and 9.9.3, lib/srv/protocols/http.js: services that say nothing want a user if NODE_ENV is `production`.
 */
export function startsInDevelopment(root: CapRoot, files: Files): boolean {
  const isStarted = root.scripts
    .get(startedApps)
    .some(({ file, value }) => folderOf(file) === root.root && servingCommand(value.command, root.root, files))
  return isStarted && keepsRows(root, []) && !choosesEnvironment(root, files)
}

/** `pm2 start ecosystem.config.js --env production` */
function choosesEnvironment({ root }: CapRoot, files: Files): boolean {
  const manifest = files.get(joinPath(root, 'package.json'))?.content
  const start = manifest?.as === 'data' ? stringOf(at(manifest.roots[0], 'scripts', 'start')) : undefined
  const commands = [start ?? '', ...[...findCommands(files)].map(({ text }) => text)]
  return commands.some((text) => /--env[\s=]|NODE_ENV=production/.test(text))
}
