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

/** Facts: documentation of Node.js 24 (child_process), README of promisify-child-process 5 ("a drop-in replacement"), mz 2.7 (child_process.js: `exec` and `execFile` as promises, all else as it is). */
const STARTERS = [
  ...paths(['module:child_process', 'module:mz/child_process'], 'spawn spawnSync execFile execFileSync'),
  ...paths(['module:promisify-child-process'], 'spawn execFile'),
]

/** What runs a command or code. Facts: Node.js 24 documentation (child_process, vm); documentation of the packages named. */
export const CODE_SINKS: readonly SinkRow[] = [
  {
    fault: 'cap/command-injection',
    calls: [
      ...paths(['module:child_process', 'module:mz/child_process'], 'exec execSync'),
      'module:promisify-child-process exec',
      'module:shelljs exec',
      'module:execa command',
      'module:execa commandSync',
      'module:execa execaCommand',
      'module:execa execaCommandSync',
      'module:execa shell',
      'module:execa shellSync',
      'module:node-cmd run',
      'module:node-cmd runSync',
      'module:node-cmd get',
      'module:child-process-promise exec',
      'module:sudo-prompt exec',
      'module:shell-exec',
      // Fact: spawn-command 1 (README, "like child_process.exec does")
      'module:spawn-command',
      // Fact: await-exec 0.1 (README, "Usage")
      'module:await-exec',
      'module:exec-sh',
      'module:exec-sh promise',
      // on another machine
      'module:ssh2 Client new exec',
      'module:node-ssh NodeSSH new execCommand',
    ],
    args: [0],
  },
  {
    fault: 'cap/command-injection',
    calls: [...STARTERS, 'module:child_process fork', 'module:promisify-child-process fork'],
    args: [0],
  },
  {
    fault: 'cap/command-injection',
    calls: STARTERS,
    args: [1],
    only: { whenShell: true },
  },
  // a shell that is started with the text of a command
  {
    fault: 'cap/command-injection',
    calls: [...STARTERS, ...EXECUTORS],
    args: [1],
    isDeep: true,
    only: {
      behindOption: /^-[a-z]{0,4}c$/,
      when: { index: 0, text: /(?:^|[\\/])(?:ba|z|k|da|a|c)?sh$|(?:^|[\\/])(?:cmd|powershell|pwsh)(?:\.exe)?$/ },
    },
  },
  { fault: 'cap/command-injection', calls: EXECUTORS, args: [0] },
  { fault: 'cap/command-injection', calls: EXECUTORS, args: [1], only: { whenShell: true } },
  // made with options first; of a template the parts. Fact: documentation of execa 9, "Global/shared options"
  {
    fault: 'cap/command-injection',
    calls: ['', ' execa', ' execaSync', ' $', ' $ sync'].map((name) => `module:execa${name} ()`),
    args: [0, 1, 2, 3, 4, 5],
    only: { whenMade: 'shell' },
  },

  {
    fault: 'cap/code-injection',
    calls: [
      'global:eval',
      ...paths(['module:vm'], 'runInContext runInNewContext runInThisContext compileFunction'),
      'module:vm Script new',
      'module:vm SourceTextModule new',
      ...paths(['module:vm2'], 'VM NodeVM').map((path) => `${path} new run`),
      'module:vm2 VMScript new',
      'module:eval',
      'module:node-eval',
      'module:require-from-string',
      'module:safe-eval',
      'module:static-eval',
    ],
    args: [0],
  },
  { fault: 'cap/code-injection', calls: ['module:worker_threads Worker new'], args: [0], only: { whenOption: 'eval' } },
  // expressions in a language of their own: no code, but ways out of it were found, and work without end
  {
    fault: 'cap/code-injection',
    calls: [
      'module:expr-eval Parser evaluate',
      'module:expr-eval Parser new evaluate',
      'module:expr-eval Parser new parse',
      ...paths(['module:mathjs', 'module:mathjs create ()'], 'evaluate compile simplify'),
      'module:jsonata',
      'module:angular-expressions compile',
      'module:filtrex compileExpression',
    ],
    args: [0],
    detail: 'sandboxed',
  },
  { fault: 'cap/code-injection', named: { how: 'call', names: ['import'] }, args: [0] },
  // the last argument is the body, those before are parameters
  {
    fault: 'cap/code-injection',
    calls: [
      'global:Function',
      'global:Function new',
      'global:Object getPrototypeOf () constructor new',
      'global:Object getPrototypeOf () constructor',
    ],
    args: [0, 1, 2, 3, 4, 5],
  },
  {
    fault: 'cap/code-injection',
    calls: [
      ...paths(['module:ejs', 'module:pug', 'module:jade'], 'render compile'),
      ...paths(['module:handlebars', 'module:handlebars create ()'], 'compile precompile'),
      'module:lodash template',
      'module:lodash/template',
      'module:lodash.template',
      'module:underscore template',
      ...paths(['module:nunjucks', 'module:nunjucks Environment new', 'module:nunjucks configure ()'], 'renderString'),
      'module:nunjucks compile',
      'module:nunjucks Template new',
      ...paths(['module:dot'], 'template compile'),
      ...paths(['module:eta', 'module:eta Eta new'], 'renderString renderStringAsync compile'),
      ...paths(['module:squirrelly', 'module:art-template', 'module:template7'], 'render compile'),
      ...paths(['module:swig', 'module:swig-templates'], 'render compile'),
      'module:liquidjs Liquid new parseAndRender',
      'module:twig twig',
    ],
    args: [0],
    detail: 'template',
  },
]
