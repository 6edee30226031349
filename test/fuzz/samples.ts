import { PROJECT } from '../hostile/project.ts'

const entries = [...PROJECT]
const of = (ending: string): string[] => entries.filter(([path]) => path.endsWith(ending)).map(([, content]) => content)

/** Texts to start from, by reader. */
export const SAMPLES = {
  json: [...of('.json'), '{"a":[1,2.5e3,true,null,"\\u0041\\n"],/* c */ "b":{"c":{}},}', '[[[{}]]]'],
  yaml: [
    '_schema-version: "3.1"\nID: shop\nmodules:\n  - name: srv\n    type: nodejs\n    requires: &r\n      - name: db\n    properties: {A: ~{b}, C: ${d}}\n  - <<: *r\n',
    'a: |\n  text\n  more\nb: >-\n  folded\n"c d": \'e\'\n? f\n: g\n---\n- {{ .Values.x }}\n- !!str 1\n...\n',
  ],
  properties: ['a=b\n# c\nd : e \\\n  f\nexport G="h \\" i"\n', 'title=Shop\nempty=\n\\u0041=b\n'],
  xml: [
    '<mvc:View xmlns:mvc="sap.ui.core.mvc" xmlns="sap.m" controllerName="a.B">\n <!-- c --><Button text="{= ${x} ? \'a\' : \'b\' }" press=".onPress"/><![CDATA[ x ]]>&amp;&#65;\n</mvc:View>\n',
    '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><a b=\'&b;\'>t</a>',
  ],
  html: [...of('.html'), '<!doctype html><script>eval(x)</script><p a=b c="d" e>t<br/><style>a{}</style><!-- c --></p>'],
  cds: [
    "using { a.b as c } from './d';\nnamespace x;\n@requires: 'any'\nservice S @(path: '/s') {\n  @readonly entity E as projection on c { *, a as b, virtual null as v } where x = 1 and not exists y;\n  action f(p : Integer @mandatory) returns array of String(10);\n}\nannotate S.E with @(restrict: [{ grant: ['READ'], to: 'admin', where: (a = $user) }]) { a @title: 'b' };\nextend c with { n : Association to many E on n.p = $self; }\ntype T : { e : String enum { a = 'b'; } };\n",
  ],
  script: [
    ...of('.js'),
    'const cds = require("@sap/cds")\nmodule.exports = cds.service.impl(async function () {\n  this.on("READ", "Books", async (req) => {\n    const { name = "x", ...rest } = req.data\n    return SELECT.from`Books`.where(`name = ${name}`)\n  })\n})\n',
    'import x, { y as z } from "y"\nexport default class A extends B { static #p = 1; get q() { return this?.#p ?? 2 } async *r() { for await (const s of t) yield* s } }\nlabel: for (;;) { if (a) break label; else continue }\n',
    'type A<T extends string = "a"> = { readonly [K in keyof T]?: T[K] }\nexport function f(this: B, a?: number, ...c: readonly string[]): a is C { return <any>a as unknown as D }\nenum E { F = 1 << 2 }\n',
    'const v = <Button press={() => eval(x)}>{list.map((i) => <Item key={i} {...i} />)}</Button>\nvar r = /a[/]b\\/(c)+/gi, t = `x${`y${1}`}z`\n',
  ],
  lock: [
    '{"name":"x","lockfileVersion":3,"packages":{"":{"dependencies":{"a":"^1"}},"node_modules/a":{"version":"1.0.0","resolved":"https://host/a.tgz","integrity":"sha512-x"}}}',
    '# yarn lockfile v1\n\n"a@^1", a@~1.0.0:\n  version "1.0.0"\n  resolved "https://host/a.tgz#x"\n  dependencies:\n    b "^2"\n\nb@^2:\n  version "2.0.0"\n',
    '__metadata:\n  version: 8\n\n"a@npm:^1":\n  version: 1.0.0\n  resolution: "a@npm:1.0.0"\n  checksum: x\n  languageName: node\n',
    "lockfileVersion: '9.0'\nimporters:\n  .:\n    dependencies:\n      a:\n        specifier: ^1\n        version: 1.0.0\npackages:\n  a@1.0.0:\n    resolution: {integrity: sha512-x}\nsnapshots:\n  a@1.0.0: {}\n",
  ],
  sqlscript: [
    "PROCEDURE \"p\" ( IN name NVARCHAR(20), OUT result TABLE ( a INTEGER ) ) LANGUAGE SQLSCRIPT SQL SECURITY DEFINER AS\nBEGIN\n  DECLARE q NVARCHAR(500) = 'SELECT * FROM \"T\" WHERE n = ''' || ESCAPE_SINGLE_QUOTES(:name) || '''';\n  EXECUTE IMMEDIATE :q USING :name INTO result;\nEND;\n",
    'create or replace function f(a varchar(5), b integer default 1) returns x nvarchar as begin /* c */ x = a || b; -- d\n result = APPLY_FILTER("T", :a); end',
  ],
  csv: ['ID;name;email\n1;"a ""b""";a@b.example\n2;c;\n', 'ID,title\r\n1,x\r\n', '"a\nb",c\n'],
} as const

/** What chance alone would seldom write. */
export const TOKENS: readonly string[] = [
  ...'( ) [ ] { } < > </ /> " \' ` ${ {{ }} \\ / // /* */ <!-- --> <![CDATA[ ]]> # ! - -- --- : :: ; , . ... ? ?. = == => & &amp; &# * ** @ $ % ^ | ~ +'.split(
    ' ',
  ),
  ...'null true undefined NaN -0 1e999 __proto__ constructor prototype toString function class async await yield new typeof return if else for while import export from using service entity annotate extend with select where as type enum'.split(
    ' ',
  ),
  '\n',
  '\r',
  '\r\n',
  '\t',
  '\f',
  '\v',
  '\0',
  '\u2028',
  '\u00a0',
  '\ufeff',
  '\u202e',
  '\ud800',
  '\udc00',
  '\u{1f600}',
  '&a ',
  '*a ',
  '<<: ',
  '- ',
  '? ',
  '| \n',
  '!!js ',
  '\\u0000',
  '\\ud800',
]
