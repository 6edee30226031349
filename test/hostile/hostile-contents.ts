import { runs } from '../soak.ts'

/** One file that is out to harm. `notices`: what the scan says about it, as `code` alone; none: it is simply read. */
export interface HostileContent {
  readonly name: string
  readonly path: string
  readonly content: string | Uint8Array
  readonly notices: readonly string[]
}

const N = 100_000
/** Calls of calls cost the most that is still linear; in a soak there are as many as of all else. */
const CALLS = runs(N, 4)
const UNREADABLE = ['file-unreadable']

const file = (name: string, path: string, content: string | Uint8Array, notices: readonly string[] = []): HostileContent => ({
  name,
  path,
  content,
  notices,
})
const script = (
  name: string,
  content: string,
  notices: readonly string[] = UNREADABLE,
  path = 'webapp/hostile.js',
): HostileContent =>
  // `eval`, so that its facts are asked for; comments, so that a long line does not pass for minified
  file(`js-${name}`, path, `eval(location.hash)\n${content}\n${'//\n'.repeat(content.length / 400)}`, notices)

/** In lines, for the same reason. */
const lines = (unit: string, count: number): string => `${unit.repeat(40)}\n`.repeat(count / 40)

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

const JSON_NAMES: readonly string[] = [
  'x/package.json',
  'x/webapp/manifest.json',
  'x/xs-app.json',
  'x/xs-security.json',
  'x/.cdsrc.json',
  'x/default-env.json',
]
const YAML_NAMES: readonly string[] = ['x/mta.yaml', 'x/ui5.yaml', 'x/dev.mtaext', 'x/manifest.yml', 'x/application.yaml']

const json: HostileContent[] = JSON_NAMES.flatMap((path) => [
  file(`deep-json ${path}`, path, '['.repeat(200_000), UNREADABLE),
  file(`deep-json-closed ${path}`, path, `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`, UNREADABLE),
  file(`json-null ${path}`, path, 'null'),
  file(`json-list ${path}`, path, '[[],{},null,1,"a"]'),
  file(`json-number ${path}`, path, '1e999'),
  file(`json-empty ${path}`, path, '', UNREADABLE),
  file(`json-cut ${path}`, path, '{"a":{"b":[1,', UNREADABLE),
  file(
    `json-proto ${path}`,
    path,
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"routes":{"__proto__":[]}}',
  ),
])

const yaml: HostileContent[] = YAML_NAMES.flatMap((path) => [
  file(`yaml-brackets ${path}`, path, '['.repeat(N), UNREADABLE),
  file(`yaml-braces ${path}`, path, '{a: '.repeat(N), UNREADABLE),
  file(`yaml-dashes ${path}`, path, '- '.repeat(N), UNREADABLE),
  file(`yaml-questions ${path}`, path, '? '.repeat(N), UNREADABLE),
  file(`yaml-scalar ${path}`, path, 'just text'),
])

/** A descriptor with these routes behind one that asks for a login. */
const routes = (...sources: readonly string[]): string =>
  JSON.stringify({
    authenticationMethod: 'route',
    routes: [
      { source: '^/(.*)$', destination: 'a', authenticationType: 'xsuaa', scope: 'x' },
      ...sources.map((source) => ({ source, destination: 'b', authenticationType: 'xsuaa', httpMethods: ['GET'] })),
      { source: '^/(.*)$', destination: 'c', authenticationType: 'xsuaa' },
    ],
  })

/** Sources that a naive matcher, or one that builds automata, would choke on. */
const sources: HostileContent[] = (
  [
    ['nested', [`^/(a+)+$`, `^/((a*)*)*b$`, `^/(a|a)*c$`]],
    ['exponential', [`^/(a|b)*a(a|b){60}$`, `^/.*a.{200}$`, `^/(.*a){40}.*$`]],
    ['counted', ['^/((a{1,1000}){1,1000}){1,1000}$', '^/a{99999999}$', '^/(a{0,65535}){0,65535}$']],
    ['look-around', ['^/(?=.*a)(?!.*b)(?<=c)(?<!d).*$', `^${'(?=.*a'.repeat(200)}${')'.repeat(200)}`]],
    [
      'back-references',
      ['^/(a*)\\1\\1\\1$', `^/${'(a?)'.repeat(60)}${Array.from({ length: 60 }, (_, index) => `\\${index + 1}`).join('')}$`],
    ],
    ['long', [`^/${'a'.repeat(100_000)}$`, `^/${'(a|b)?'.repeat(5000)}$`, `^/${'[a-z]'.repeat(20_000)}$`]],
    ['deep', [`${'('.repeat(50_000)}`, `^${'('.repeat(5000)}a${')'.repeat(5000)}$`]],
    ['classes', [`^/[${'a-z'.repeat(10_000)}]$`, '^/[\\u0000-\\u{10ffff}]*$', '^/\\p{L}+$', '^/[^]*$']],
    ['broken', ['(', '[', '*', '\\', '(?<', '{', 'a{2,1}', '']],
    ['many', Array.from({ length: 1500 }, (_, index) => `^/(.*)/a${index}(.*)$`)],
  ] satisfies readonly (readonly [string, readonly string[]])[]
).map(([name, list]) => file(`xs-app-sources-${name}`, 'x/xs-app.json', routes(...list)))

/** Nine floors of ten aliases each: 10^9 nodes for those who walk it. */
const bomb = Array.from(
  { length: 10 },
  (_, index) =>
    `${'abcdefghij'[index]}: &${'abcdefghij'[index]} [${index === 0 ? '"lol"' : Array.from({ length: 10 }, () => `*${'abcdefghij'[index - 1]}`).join(',')}]`,
).join('\n')

const more: HostileContent[] = [
  file('yaml-bomb', 'x/mta.yaml', bomb),
  file('yaml-bomb-modules', 'x/mta.yaml', `${bomb}\nmodules: *j\nresources: [*j, *j]\n`),
  file('yaml-cycle', 'x/mta.yaml', 'modules: &a [*a, {name: *a}]\n<<: *a\n'),
  file(
    'yaml-merge-chain',
    'x/mta.yaml',
    Array.from({ length: 2000 }, (_, index) => `a${index}: &a${index} {${index > 0 ? `<<: *a${index - 1}` : 'x: 1'}}`).join('\n'),
  ),
  file('yaml-tags', 'x/mta.yaml', `modules: ${'!!js/function '.repeat(50)}x`, UNREADABLE),
  file('yaml-bangs', 'x/mta.yaml', '!'.repeat(N), UNREADABLE),
  file('yaml-documents', 'x/mta.yaml', '--- a\n'.repeat(20_000)),
  file('yaml-anchors', 'x/mta.yaml', Array.from({ length: 20_000 }, (_, index) => `- &a${index} x`).join('\n')),
  file('yaml-templates', 'x/mta.yaml', `a: ${'{{'.repeat(50_000)}`, UNREADABLE),
  file('yaml-long-keys', 'x/mta.yaml', Array.from({ length: 20_000 }, (_, index) => `k${index}: v`).join('\n')),

  file('xml-deep', 'x/webapp/view/A.view.xml', '<a>'.repeat(N), UNREADABLE),
  file('xml-deep-closed', 'x/webapp/view/A.view.xml', `${'<a>'.repeat(20_000)}${'</a>'.repeat(20_000)}`, UNREADABLE),
  file(
    'xml-attributes',
    'x/webapp/view/A.view.xml',
    `<a ${Array.from({ length: 20_000 }, (_, index) => `b${index}="c"`).join(' ')}/>`,
  ),
  file('xml-siblings', 'x/webapp/view/A.view.xml', `<a>${'<b/>'.repeat(N)}</a>`),
  file('xml-bindings', 'x/webapp/view/A.view.xml', `<a b="${'{'.repeat(N)}"/>`),
  file('xml-bindings-closed', 'x/webapp/view/A.view.xml', `<a b="${'{= ${x} + '.repeat(20_000)}"/>`),
  file(
    'xxe',
    'x/webapp/view/A.view.xml',
    '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd"><!ENTITY y SYSTEM "http://localhost/">]><a b="&x;">&y;</a>',
  ),
  file(
    'xml-lol',
    'x/webapp/view/A.view.xml',
    `<!DOCTYPE l [<!ENTITY a "lol">${'bcdefghij'.replaceAll(/./g, (name) => `<!ENTITY ${name} "${`&${String.fromCharCode(name.charCodeAt(0) - 1)};`.repeat(10)}">`)}]><l>&j;</l>`,
  ),
  file('xml-open-comment', 'x/webapp/view/A.view.xml', `<a><!--${'-'.repeat(N)}`, UNREADABLE),
  file('html-deep', 'x/webapp/a.html', '<div>'.repeat(N), UNREADABLE),
  file('html-attributes', 'x/webapp/a.html', `<div ${'a '.repeat(N)}>`),
  file('html-lt', 'x/webapp/a.html', '<'.repeat(N)),
  file('html-open-comment', 'x/webapp/a.html', `<!--${'<!--'.repeat(N)}`),
  file('html-scripts', 'x/webapp/a.html', '<script>a()</script>'.repeat(10_000)),
  file('html-script-deep', 'x/webapp/a.html', `<script>eval(a);${'('.repeat(N)}</script>`, UNREADABLE),
  file(
    'html-bootstrap',
    'x/webapp/a.html',
    `<script id="sap-ui-bootstrap" src="sap-ui-core.js" data-sap-ui-resourceroots='${'{"a":'.repeat(N / 2)}'></script>`,
  ),

  file('cds-braces', 'x/srv/a.cds', `service S ${'{'.repeat(N)}`, UNREADABLE),
  file('cds-parens', 'x/srv/a.cds', `entity E as select from A where ${'('.repeat(N)}`, UNREADABLE),
  file('cds-annotation', 'x/srv/a.cds', `@a: ${'[{b: '.repeat(N / 5)}`, UNREADABLE),
  file('cds-chain', 'x/srv/a.cds', `entity E as select from A where ${'a + '.repeat(N / 2)}a;`),
  file('cds-path', 'x/srv/a.cds', `entity E as select from ${'a.'.repeat(N)}a;`, UNREADABLE),
  file('cds-not', 'x/srv/a.cds', `entity E as select from A where ${'not '.repeat(N)}a;`),
  file('cds-selects', 'x/srv/a.cds', `entity E as ${'select from ('.repeat(N / 10)}`, UNREADABLE),
  file('cds-junk', 'x/srv/a.cds', '}{'.repeat(N), UNREADABLE),
  file('cds-partly', 'x/srv/a.cds', 'service S { entity E { key ID : Integer; } }\nentity entity entity { :: }\n', UNREADABLE),
  file('cds-quotes', 'x/srv/a.cds', `service S {}\n${"'".repeat(N + 1)}`, UNREADABLE),
  file('cds-comment', 'x/srv/a.cds', `service S {}\n/*${'*'.repeat(N)}`),

  file('properties-backslashes', 'x/.env', '\\'.repeat(N)),
  file('properties-lines', 'x/.env', `${'a\\\n'.repeat(N)}`),
  file('properties-quotes', 'x/.env', `A=${'"\\'.repeat(N)}`),
  file('lock-deep', 'x/package-lock.json', `{"packages":${'{"a":'.repeat(200_000)}`, UNREADABLE),
  file('lock-types', 'x/package-lock.json', '{"lockfileVersion":[],"packages":[1,{"__proto__":1}],"dependencies":"x"}'),
  file('lock-yarn', 'x/yarn.lock', `${'"a@^1", '.repeat(N)}\n  version "1"\n`, UNREADABLE),
  file('lock-pnpm', 'x/pnpm-lock.yaml', `packages:\n${'  '.repeat(N)}`, UNREADABLE),
  file('dockerfile', 'x/Dockerfile', `FROM ${'a\\\n'.repeat(N)}`),
  file('npmrc', 'x/.npmrc', `${'//a/:_authToken=\n'.repeat(N / 10)}`),
  file('one-line-2MB', 'x/notes.txt', 'password = "x", '.repeat(2 ** 17), ['time-limit']),
  file('json-5MB', 'x/manifest.json', `{"a":"${'x'.repeat(5 * 2 ** 20 - 8)}"}`, ['file-too-large']),
  file('json-over-parse', 'x/manifest.json', `{"a":"${'x'.repeat(512 * 1024)}"}`, ['file-too-large']),
  file('json-at-parse', 'x/manifest.json', `{"a":"${'x'.repeat(512 * 1024 - 8)}"}`),
  file('over-file', 'x/a.js', 'x'.repeat(5 * 2 ** 20 + 1), ['file-too-large']),
  file('binary-as-js', 'x/webapp/a.js', new Uint8Array(5000), UNREADABLE),
  file('nul-in-comment', 'x/webapp/a.js', utf8('/*\0*/ eval(location.hash)')),
  file('nuls-in-comment', 'x/webapp/a.js', utf8(`/*${'\0'.repeat(9)}*/ eval(location.hash)`), UNREADABLE),
  file('binary-without-kind', 'x/data', new Uint8Array(5000), ['file-skipped']),
  file(
    'invalid-utf8',
    'x/webapp/a.js',
    new Uint8Array([...utf8('var a = "'), 0xff, 0xc0, 0x80, 0xed, 0xa0, 0x80, ...utf8('"\n')]),
  ),
  file('marker-lines', 'x/webapp/a.js', '// parapet-disable-next-line ui5/eval -- x\n'.repeat(3000), [
    'suppressions-ignored',
    'file-skipped',
  ]),
  file('marker-blanks', 'x/webapp/a.js', `// parapet-disable-next-line${' a,'.repeat(10_000)}\n${'//\n'.repeat(200)}`, []),
]

const chains: HostileContent[] = [
  script('parens', lines('(', N)),
  script('brackets', lines('[', N)),
  script('braces', lines('{', N)),
  script('functions', lines('function f(){', N / 10)),
  script('arrows', lines('a=>', N)),
  script('bangs', lines('!', N)),
  script('bangs-closed', `${lines('!', N)}1`),
  script('typeof', `${lines('typeof ', N / 2)}a`),
  script('new', `${lines('new ', N / 2)}a`),
  script('await', `async()=>${lines('await ', N / 2)}a`),
  script('minus', `${lines('- ', N)}1`),
  script('sum', `x=${lines('a+', 50_000)}a`),
  script('sum-text', `x=${lines('"a"+', 50_000)}"a"`),
  script('and', `x=${lines('a&&', 50_000)}a`),
  script('power', `x=${lines('a**', 50_000)}a`),
  script('ternary', `x=${lines('a?b:', 30_000)}c`),
  script('assign', `${lines('a=', 50_000)}1`),
  script('members', `x=a${lines('.a', N)}`, []),
  script('calls', `a${lines('.b()', CALLS / 2)}`, []),
  script('call-call', `a${lines('()', CALLS)}`, []),
  script('optional', `a${lines('?.b', 50_000)}`, []),
  script('index', `x=${lines('a[', 50_000)}`),
  script('else-if', `${lines('if(a){}else ', 20_000)}{}`),
  script('labels', `${Array.from({ length: 20_000 }, (_, index) => `l${index}:`).join('\n')}{}`),
  script('templates', lines('`${', N / 2)),
  script('jsx', lines('<a>', N / 3)),
  script('jsx-closed', `x=${lines('<a>', 10_000)}${lines('</a>', 10_000)}`),
  script('regexes', lines('/(((/', N / 5)),
  script('comments', `${lines('/*', N)}`),
  script('strings', "'\n".repeat(N + 1)),
  script('decorators', `${lines('@a ', N / 2)}class A{}`, []),
  script('classes', lines('class A{static{', 5000)),
  script('generics', `let a:${lines('A<', 30_000)}`, UNREADABLE, 'srv/hostile.ts'),
  script('unions', `type A=${lines('|B', 50_000)}`, [], 'srv/hostile.ts'),
  script('conditional-types', `type A=${lines('B extends C?D:', 10_000)}E`, UNREADABLE, 'srv/hostile.ts'),
  script('casts', `x=${lines('<A>', 30_000)}a`, UNREADABLE, 'srv/hostile.ts'),
  script('as', `x=a${' as B'.repeat(9000)}`, UNREADABLE, 'srv/hostile.ts'),
]

export const HOSTILE_CONTENTS: readonly HostileContent[] = [...json, ...yaml, ...more, ...sources, ...chains]
