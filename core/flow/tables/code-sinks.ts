import { paths } from './call-paths.ts'
import type { SinkRow } from './sinks.ts'

/** Facts: documentation of execa 9, cross-spawn 7, nano-spawn 1, tinyexec 1. */
const EXECUTORS = [
  'module:execa',
  'module:execa execa',
  'module:execa execaSync',
  'module:execa sync',
  'module:cross-spawn',
  'module:cross-spawn sync',
  'module:cross-spawn spawn',
  'module:nano-spawn',
  'module:tinyexec x',
  'module:tinyexec exec',
]

/** What runs a command or code. Facts: Node.js 24 documentation (child_process, vm); documentation of the packages named. */
export const CODE_SINKS: readonly SinkRow[] = [
  {
    fault: 'cap/command-injection',
    calls: [
      ...paths(['module:child_process'], 'exec execSync'),
      'module:shelljs exec',
      'module:execa command',
      'module:execa commandSync',
      'module:execa execaCommand',
      'module:execa execaCommandSync',
      'module:node-cmd run',
      'module:node-cmd runSync',
    ],
    args: [0],
  },
  {
    fault: 'cap/command-injection',
    calls: paths(['module:child_process'], 'spawn spawnSync execFile execFileSync fork'),
    args: [0],
  },
  {
    fault: 'cap/command-injection',
    calls: paths(['module:child_process'], 'spawn spawnSync execFile execFileSync'),
    args: [1],
    whenShell: true,
  },
  // a shell that is started with the text of a command
  {
    fault: 'cap/command-injection',
    calls: [...paths(['module:child_process'], 'spawn spawnSync execFile execFileSync'), ...EXECUTORS],
    args: [1],
    isDeep: true,
    when: { index: 0, text: /(?:^|[\\/])(?:ba|z|k|da|a|c)?sh$|(?:^|[\\/])(?:cmd|powershell|pwsh)(?:\.exe)?$/ },
  },
  { fault: 'cap/command-injection', calls: EXECUTORS, args: [0] },
  { fault: 'cap/command-injection', calls: EXECUTORS, args: [1], whenShell: true },

  {
    fault: 'cap/code-injection',
    calls: [
      'global:eval',
      ...paths(['module:vm'], 'runInContext runInNewContext runInThisContext compileFunction'),
      'module:vm Script new',
    ],
    args: [0],
  },
  { fault: 'cap/code-injection', named: { how: 'call', names: ['import'] }, args: [0] },
  // the last argument is the body, those before are parameters
  { fault: 'cap/code-injection', calls: ['global:Function', 'global:Function new'], args: [0, 1, 2, 3, 4, 5] },
  {
    fault: 'cap/code-injection',
    calls: [
      'module:ejs render',
      'module:pug render',
      'module:pug compile',
      'module:handlebars compile',
      'module:lodash template',
      'module:nunjucks renderString',
      'module:mustache render',
      'module:dot template',
    ],
    args: [0],
  },
]
