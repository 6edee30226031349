/**
 * What a sink does with what arrives, where that decides what is told of it. Of files: `module` runs it, `remove`, `move`, `list`, `folder`, `write`, `read`, `save` to the user's disk · of
 * calls of others: `remote` a service that CAP is connected to, `socket`, `hash` leads to another place of the same page, `apart` opens a window that shares nothing, `behind` the value follows a constant host without a slash · of routes: `excepted` others of the router ask who calls, `upload` what it hands on is a file of the caller, `catalogue` all that it reads is named like what everybody may see, `decorated` a method of a class · of code: `sandbox`,
 * `pattern`, `timer`, `script`, `worker`, `texts`, `named` by a name below the roots of modules, `compile` · of data: `select` which rows, `user`, `change`, `function`, `parameters`, `query`,
 * `option`, `keep` · of objects: `path` of a field, `assign`, `merge` · of who calls: `transaction`, `task`, `call`, `tenant`, `context`, `attributes`, `roles`, `id` · of markup: `send`, `xsjs`, `element`,
 * `frame`, `set`, `bound`, `renderer`, `expression` of JSX, `attribute` of a template, `setter` · of credentials: `open`, `settings` · `chain` one method behind the beginning of a query · `reference`
 * of CQN · `address` leads to another page · `console`.
 */
export type SinkEffect =
  | 'module'
  | 'remove'
  | 'move'
  | 'list'
  | 'folder'
  | 'write'
  | 'read'
  | 'save'
  | 'remote'
  | 'socket'
  | 'hash'
  | 'apart'
  | 'behind'
  | 'excepted'
  | 'upload'
  | 'catalogue'
  | 'decorated'
  | 'sandbox'
  | 'pattern'
  | 'timer'
  | 'script'
  | 'worker'
  | 'texts'
  | 'named'
  | 'compile'
  | 'select'
  | 'user'
  | 'change'
  /** It takes a key, and no data: users start it, and a link can name another key as well. */
  | 'removal'
  | 'function'
  | 'parameters'
  | 'query'
  | 'option'
  | 'keep'
  | 'path'
  | 'assign'
  | 'merge'
  | 'transaction'
  | 'task'
  | 'call'
  | 'tenant'
  | 'context'
  | 'attributes'
  | 'roles'
  | 'id'
  | 'send'
  | 'xsjs'
  | 'element'
  | 'frame'
  | 'set'
  | 'bound'
  | 'renderer'
  | 'expression'
  | 'attribute'
  | 'setter'
  | 'open'
  | 'settings'
  | 'body'
  | 'chain'
  | 'reference'
  | 'address'
  | 'console'

/** By the dotted name of what is called or written, as its package has it: `fs.unlinkSync`, `lodash.set`, `req.user.roles`. */
export type EffectRow = readonly [effect: SinkEffect, api: RegExp]

/** Of calls that take the path of a file: the first one counts. Facts: those of the rows of files. */
const FILES: readonly EffectRow[] = [
  ['module', /^require$/],
  // helpers of CAP: `copy(path).to(path)`, `write(data).to(path)`
  ['move', /\bcopy\(\u2026?\)\.to$|\.copy\.\(\)\.to$/],
  ['write', /\(\u2026?\)\.to$/],
  ['remove', /(?:^|\.)(?:unlink|rm|rmdir|rimraf|remove|empty(?:Dir|dir)|del|delete|deleteAsync|removeDir|trash)(?:Sync)?$/],
  ['move', /(?:^|\.)(?:copy|copyFile|cp|rename|move|mv)(?:Sync)?$/],
  [
    'list',
    /(?:^|\.)(?:readdir|stat|lstat|opendir|realpath|readlink|watch|watchFile|glob|globby|find|list|ls|fast-glob|exists)(?:Sync)?$/,
  ],
  ['folder', /(?:^|\.)(?:mkdir|mkdirp|mkdirs|ensureDir)(?:Sync)?$/],
  [
    'write',
    /(?:^|\.)(?:write|append|output|createWrite|createFile|mkdir|mkdirp|mkdirs|ensure|truncate|chmod|chown|utimes|touch|symlink|link|fastGet|downloadTo)\w{0,40}$/,
  ],
  [
    'read',
    /(?:^|\.)(?:read|createRead|openAsBlob|sendFile|download|render|cat|head|tail|send|fromFile|addLocal|put|fastPut|uploadFrom)\w{0,40}$/,
  ],
]

/** Addresses in links. `href`, `<a href>`: attributes of JSX and of templates. */
const LINKS: readonly EffectRow[] = [
  ['renderer', /^RenderManager(?:\.|$)/],
  ['frame', /(?:^|[. ])(?:src|data|setAttribute|attr|prop)>?$|^(?:jQuery|jquery|\$)$/],
  ['element', /^[^.]*$/],
  ['set', /\.set[A-Z]\w{0,40}$/],
  ['bound', /^Link\./],
]

const SINK_EFFECTS: Readonly<Record<string, readonly EffectRow[]>> = {
  'cap/path-traversal': FILES,
  'cap/zip-slip': FILES,
  'cap/ssrf': [['remote', /\.send$|\.tx\(/]],
  'cap/code-injection': [
    ['sandbox', /\bVM2?\b/i],
    ['pattern', /^RegExp$/],
    ['module', /^import$/],
  ],
  'cap/dynamic-entity-or-column': [
    ['chain', /^(?:SELECT|UPDATE|DELETE)\.\w{1,20}$/],
    ['reference', /^ref$/],
  ],
  'cap/messaging-handler-trusts-payload': [
    ['select', /^DELETE\b|\.where$/],
    ['user', /\.user$/],
  ],
  'cap/reflected-xss': [
    ['send', /\.send$/],
    ['xsjs', /^\$\./],
  ],
  'cap/query-object-from-request': [
    ['change', /update|replace|delete|remove/i],
    ['list', /(?:^|\.)(?:find|countDocuments)$/],
  ],
  'cap/prototype-pollution': [
    ['path', /(?:^|\.)set(?:With|Property|Path|Value|In)?$/],
    ['assign', /\.\[\]$/],
    ['merge', /^Object\.assign$/],
  ],
  'cap/context-user-override': [
    ['task', /(?:^|\.)spawn\b/],
    ['transaction', /(?:^|\.)(?:tx|transaction)\b/],
    ['call', /\(|(?:^|\.)tx$|tenant|transaction/],
    ['tenant', /tenant(?:\.\[\])?$/],
    ['context', /(?:^|\.)context(?:\.\[\])?$/],
    ['attributes', /\.attr\b/],
    ['roles', /roles(?:\.\[\])?$/],
    ['id', /\.id(?:\.\[\])?$/],
  ],
  'ui5/path-injection': [['save', /(?:^|\.)(?:save|download)$/]],
  'ui5/odata-filter-injection': [
    ['change', /(?:^|\.)(?:callFunction|create|update|remove|delete|execute|invoke)$/],
    ['removal', /(?:^|\.)(?:remove|delete)$/],
    ['option', /^\$/],
    ['function', /(?:^|\.)callFunction$/],
    ['query', /^urlParameters$/],
    // as an object or as a text, and `bindList` a path too
    ['parameters', /(?:^|\.)(?:changeParameters|bindList)$/],
  ],
  'ui5/template-engine-raw': [['compile', /(?:^|\.)(?:compile|template)$/]],
  'ui5/javascript-url': LINKS,
  'ui5/log-injection': [['console', /^console\b/]],
  'ui5/client-request-dynamic-url': [['socket', /socket$|^ws$/i]],
  'ui5/formula-injection': [
    ['keep', /\.put$/],
    ['address', /^data:$/],
  ],
  'ui5/webcomponents-raw-html': [
    ['attribute', /^<\S{1,80} \S{1,80}>$/],
    ['element', /^[\w$.?]+\.innerHTML$/],
    ['expression', /^dangerouslySetInnerHTML$|^srcDoc$/],
  ],
  'ui5/xss-html-control': [['setter', /^HTML\.setProperty$/]],
  'ui5/basic-auth-in-client': [
    ['open', /^XMLHttpRequest\.open$/],
    ['settings', /^password$/],
    ['body', /^body$/],
  ],
  'ui5/open-redirect': [['hash', /(?:set|replace)Hash$/]],
  'ui5/postmessage-no-origin-check': [
    ['script', /eval|Eval|execScript|(?:^|\.)(?:Function|setTimeout|setInterval|text|textContent)$/],
    ['address', /(?:location|href|src|assign|replace|open)$/i],
  ],
  'ui5/eval': [
    ['timer', /(?:^|\.)set(?:Timeout|Interval)$/],
    ['script', /\.(?:text|textContent|innerText)$/],
  ],
  'ui5/dynamic-module-name': [
    ['texts', /(?:^|\.)(?:Properties|ResourceBundle)\.create$/],
    // by a name alone, which UI5 resolves below the roots of modules: it leads to no other host
    [
      'named',
      /(?:^|\.)(?:Fragment\.load|loadFragment|(?:XMLView|View)\.create|ui\.(?:require|requireSync|xmlfragment|jsfragment|htmlfragment|fragment|view|xmlview|controller)|sap\.require|ComponentContainer\.name)$/,
    ],
    ['worker', /^Worker$/],
  ],
}

/** The effects of a sink of a fault, by its name; the first one says most. */
export function effectsOf(fault: string, api: string): readonly SinkEffect[] {
  return (SINK_EFFECTS[fault] ?? []).flatMap(([effect, named]) => (named.test(api) ? [effect] : []))
}
