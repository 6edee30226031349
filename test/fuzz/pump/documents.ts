import type { Construct } from './construct.ts'
import { PAGE_FILES, SERVER_FILES } from './scripts.ts'

type Row = readonly [name: string, unit: Construct['unit'], nest?: Construct['nest']]
type Kind = Omit<Construct, 'name' | 'unit' | 'nest'> & { readonly format: string; readonly rows: readonly Row[] }

const VIEW: Kind = {
  format: 'view',
  path: 'webapp/view/Main.view.xml',
  head: '<mvc:View xmlns:mvc="sap.ui.core.mvc" xmlns="sap.m" xmlns:core="sap.ui.core" xmlns:l="sap.ui.layout" controllerName="shop.controller.Main">\n',
  foot: '</mvc:View>\n',
  beside: [
    ...PAGE_FILES,
    [
      'webapp/controller/Main.controller.js',
      'sap.ui.define(["sap/ui/core/mvc/Controller"], function (C) { return C.extend("shop.controller.Main", { go: function (e) { document.body.innerHTML = e.getSource().getText() } }) })\n',
    ],
  ],
  rows: [
    ['elements', (i) => `<Text id="t${i}" text="a"/>\n`, [() => '<VBox><items>\n', '</items></VBox>\n']],
    ['bindings', (i) => `<core:HTML content="{/a${i}}"/><Link href="{m>b${i}/c}" text="{path: 'd', formatter: '.e'}"/>\n`],
    ['expression bindings', (i) => `<Text visible="{= \${/a${i}} === 'b' &amp;&amp; !\${c} ? 'd' : 'e'}"/>\n`],
    ['one long expression', (i) => `<Text text="{= ${'${a} + '.repeat(20)}'${i}'}"/>\n`],
    ['events', (i) => `<Button press=".go(\${/a${i}}, $event)" tap="go"/>\n`],
    ['attributes', (i) => `<Text ${Array.from({ length: 20 }, (_, at) => `a${at}="b${i}"`).join(' ')}/>\n`],
    ['texts', (i) => `text ${i} &amp; &lt;b&gt; &#65;\n`],
    ['comments', (i) => `<!-- a${i} TODO -->\n`],
    ['CDATA', (i) => `<core:HTML><core:content><![CDATA[<b>${i}</b>]]></core:content></core:HTML>\n`],
    ['fragments', (i) => `<core:Fragment fragmentName="shop.view.F${i}" type="XML"/>\n`],
    ['custom data', (i) => `<customData><core:CustomData key="k${i}" value="{/v}"/></customData>\n`],
    ['lists', (i) => `<List items="{/l${i}}"><StandardListItem title="{t}" icon="{i}"/></List>\n`],
  ],
}
const HTML: Kind = {
  format: 'HTML',
  path: 'webapp/index.html',
  head: '<!doctype html><html><head><meta charset="utf-8"></head><body>\n',
  foot: '</body></html>\n',
  beside: PAGE_FILES,
  rows: [
    ['elements', (i) => `<p id="a${i}">b</p>\n`, [() => '<div>\n', '</div>\n']],
    ['elements that nobody closes', () => '<div><p><b>\n'],
    ['ends that nobody opened', () => '</div></p>\n'],
    ['inline scripts', (i) => `<script>var a${i} = location.hash; document.write(a${i})</script>\n`],
    ['scripts', (i) => `<script src="https://cdn${i}.example/a.js"></script>\n`],
    ['event attributes', (i) => `<a href="javascript:eval(location.hash)" onclick="go(${i})">b</a>\n`],
    ['forms', (i) => `<form action="http://a${i}.example"><input name="b" type="password" value="c"></form>\n`],
    ['attributes', (i) => `<p ${Array.from({ length: 20 }, (_, at) => `a${at}=b${i}`).join(' ')}>\n`],
    ['comments', (i) => `<!-- a${i} -- > -->\n`],
    ['styles', (i) => `<style>a${i} { background: url(https://a.example/${i}) }</style>\n`],
    ['metas', (i) => `<meta http-equiv="Content-Security-Policy" content="script-src 'unsafe-inline' https://a${i}.example">\n`],
    ['brackets', () => '< <a < &a; <!'],
  ],
}
const TEMPLATE: Kind = {
  format: 'EJS',
  path: 'srv/views/pumped.ejs',
  head: '<!doctype html><html><head><meta charset="utf-8"></head><body>\n',
  foot: '</body></html>\n',
  beside: [
    ...SERVER_FILES,
    [
      'srv/rows.js',
      'module.exports = (app, db) => app.post("/rows", (req, res) => db.run("INSERT", [req.body.name], () => res.end()))\n',
    ],
  ],
  rows: [
    ['outputs', (i) => `<p><%= row.name %><%- rows[${i}].name %></p>\n`],
    ['event attributes', (i) => `<a onclick="go('<%= row.name %>', <%= row${i}.name %>)">b</a>\n`],
    ['inline scripts', (i) => `<script>var a${i} = "<%= row.name %>" + <%- JSON.stringify(row.name) %></script>\n`],
    [
      'blocks',
      (i) => `<% rows.forEach((row${i}) => { %><b><%= row${i}.name %></b><% }) %>\n`,
      [() => '<% if (a) { %>\n', '<% } %>\n'],
    ],
    ['tags that nobody closes', () => '<%= row.name <%- \n'],
  ],
}
const TEMPLATE_SCRIPT: Kind = {
  ...TEMPLATE,
  format: 'script in EJS',
  head: '<!doctype html><html><body><script>\n',
  foot: '</script></body></html>\n',
  rows: [
    ['outputs', (i) => `var a${i} = <%- row.name %>; var b${i} = '<%= row.name %>'; // "\n`],
    ['comments', (i) => `/* <%= row${i}.name %> */ var c = \`<%= row.name %>\` // <%- d %>\n`],
  ],
}
const MUSTACHE: Kind = {
  ...TEMPLATE,
  format: 'Handlebars',
  path: 'srv/views/pumped.hbs',
  rows: [
    ['outputs', (i) => `<p onclick="go('{{name}}')">{{{row${i}.name}}}</p>\n`],
    ['blocks', (i) => `{{#each rows${i}}}<b>{{name}}</b>{{/each}}\n`, [() => '{{#if a}}\n', '{{/if}}\n']],
  ],
}
const CDS: Kind = {
  format: 'CDS',
  path: 'srv/pumped.cds',
  head: "using { cuid } from '@sap/cds/common';\nservice Pumped {\n",
  foot: '}\n',
  beside: SERVER_FILES,
  rows: [
    ['entities', (i) => `entity E${i} : cuid { name : String; }\n`],
    ['entities that extend each other', (i) => `entity X${i + 1} : ${i === 0 ? 'cuid' : `X${i}`} { f${i} : String; }\n`],
    ['associations', (i) => `entity A${i} { key ID : Integer; next : Association to A${i + 1}; }\n`],
    [
      'compositions',
      (i) => `entity K${i} { key ID : Integer; parts : Composition of many { key pos : Integer; text : String; } }\n`,
    ],
    ['projections', (i) => `entity P${i + 1} as projection on P${i} { *, ID as a${i} };\n`],
    ['queries', (i) => `entity Q${i} as select from Q${i + 1} { ID, (select a from B) as b } where a = ${i} and not exists c;\n`],
    [
      'restrictions',
      (i) => `@restrict: [{ grant: ['READ', 'WRITE'], to: 'r${i}', where: (a = $user.b) }] entity R${i} { key ID : Integer; }\n`,
    ],
    ['roles', (i) => `@requires: 'role${i}' action a${i}(p : Integer) returns String;\n`],
    ['annotations', (i) => `annotate E with { name @title: 'a${i}' @a.b: { c: [1, 2, { d: #e }] } };\n`],
    ['types', (i) => `type T${i + 1} : { a : T${i}; b : array of String(10); };\n`, [(i) => `type S${i} : { a : { `, ' } };\n']],
    ['elements', (i) => `entity L${i} { e${i} : String enum { a = 'b'; }; @Core.MediaType: 'c' d : LargeBinary; };\n`],
    ['structures', (i) => `entity N${i} { a : { b : { c : { d : String } } } };\n`],
    ['expressions', (i) => `entity V${i} as select from E { ${'a + '.repeat(20)}${i} as b };\n`],
    ['comments', (i) => `// a${i}\n/* b */ /** c */\n`],
    ['annotations in comments', (i) => `// @requires: 'R${i}'\nservice P${i} { }\n`],
    ['extensions', (i) => `extend E with { x${i} : String; };\n`],
    ['strings', (i) => `@a: 'b''${i}' @c: \`d\` entity Z${i} { };\n`],
    ['events', (i) => `event e${i} : { a : String };\n`],
    ['credentials', (i) => `@my.password: 'Zx9${i}qLm' entity W${i} { pass : String default 'kT4-${i}w'; };\n`],
  ],
}
const SQLSCRIPT: Kind = {
  format: 'SQLScript',
  path: 'db/src/p.hdbprocedure',
  head: 'PROCEDURE "p" ( IN x NVARCHAR(20), OUT result TABLE ( a INTEGER ) ) LANGUAGE SQLSCRIPT SQL SECURITY DEFINER AS\nBEGIN\nDECLARE v0 NVARCHAR(500) = x;\n',
  foot: 'EXECUTE IMMEDIATE :v0;\nEND;\n',
  beside: [],
  rows: [
    ['assignments', (i) => `v0 = v0 || 'a${i}' || :x;\n`],
    ['a chain of variables', (i) => `DECLARE v${i + 1} NVARCHAR(500) = v${i};\n`],
    ['statements that are run', (i) => `EXECUTE IMMEDIATE 'SELECT ${i} FROM ' || :x;\n`],
    ['branches', (i) => `IF x = 'a${i}' THEN v0 = x; ELSE v0 = 'b'; END IF;\n`, [(i) => `IF x = ${i} THEN\n`, 'END IF;\n']],
    ['refusals', (i) => `IF x != 'a${i}' THEN SIGNAL SQL_ERROR_CODE 10001; END IF;\n`],
    ['queries', (i) => `t${i} = SELECT a, (SELECT b FROM "C") FROM "T" WHERE a = ${i} AND b IN (1, 2);\n`],
    ['calls', (i) => `CALL "q${i}"(:x, v0);\n`],
    ['loops', (i) => `FOR i${i} IN 1..10 DO v0 = :x; END FOR;\n`, [(i) => `WHILE x < ${i} DO\n`, 'END WHILE;\n']],
    ['comments', (i) => `-- a${i}\n/* b */\n`],
    ['strings', (i) => `v0 = 'it''s ${i}';\n`],
    ['brackets', (i) => `v0 = ${'('.repeat(20)}${i}${')'.repeat(20)};\n`],
    ['handlers', (i) => `DECLARE EXIT HANDLER FOR SQLEXCEPTION SELECT ${i} FROM DUMMY;\n`],
  ],
}
const JAVA: Kind = {
  format: 'Java',
  path: 'srv/src/main/java/shop/Handler.java',
  head: 'package shop;\nimport com.sap.cds.services.handler.annotations.*;\n@Component @ServiceName("Shop") public class Handler implements EventHandler {\n',
  foot: '@On(event = "READ") public void last(CdsReadEventContext c) { jdbc.query("SELECT " + c.get("a")); } }\n',
  beside: [
    [
      'pom.xml',
      '<project><dependencies><dependency><groupId>com.sap.cds</groupId><artifactId>cds-starter-spring-boot</artifactId><version>3.0.0</version></dependency></dependencies></project>',
    ],
  ],
  rows: [
    [
      'methods',
      (i) =>
        `@On(event = "a${i}", entity = "b") public void m${i}(EventContext c) { String q = "SELECT " + c.get("d"); jdbc.query(q); }\n`,
    ],
    ['statements', (i) => `void s${i}() { if (a == ${i}) { b(); } else { for (int i = 0; i < 9; i++) { c(i); } } }\n`],
    ['fields', (i) => `@Autowired private static final String F${i} = "a" + "b";\n`],
    ['comments', (i) => `// a${i}\n/** b */\n`],
    ['strings', (i) => `String s${i} = "a\\"${i}" + 'c';\n`],
    ['classes', (i) => `class C${i} { int a; }\n`, [(i) => `class N${i} {\n`, '}\n']],
    [
      'security',
      (i) =>
        `SecurityFilterChain f${i}(HttpSecurity h) { return h.csrf(c -> c.disable()).authorizeHttpRequests(a -> a.requestMatchers("/a${i}").permitAll()).build(); }\n`,
    ],
  ],
}

function constructsOf({ format, rows, ...rest }: Kind): Construct[] {
  return rows.map(([name, unit, nest]) => ({ name: `${format}: ${name}`, unit, ...rest, ...(nest !== undefined && { nest }) }))
}

/** Views, pages, models of CAP, procedures, Java. */
export const DOCUMENTS: readonly Construct[] = [VIEW, HTML, TEMPLATE, TEMPLATE_SCRIPT, MUSTACHE, CDS, SQLSCRIPT, JAVA].flatMap(
  constructsOf,
)
