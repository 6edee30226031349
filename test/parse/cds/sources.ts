/** Small sources that cover the grammar; each is read by the compiler as well. Names from elsewhere come by `using`, as the compiler wants it. */
export const SOURCES: Readonly<Record<string, string>> = {
  'namespace and usings': `
    namespace my.shop;
    using { sap.common.Currencies, my.db as db, a.b.C } from '@sap/cds/common';
    using ext.Api from './external';
    using ext.Other as Another;
    using from './more';
    entity Books : db.Base { currency : Association to Currencies; c : C; }
    annotate Api with @requires: 'x';
    annotate Another.Thing with @y;
    annotate my.shop.Books with @z;
  `,
  'contexts and services nest': `
    namespace n;
    context C { entity A {}; entity B as projection on A; context D { type T : String; entity E as projection on C.A; } }
    service S { entity sub.X { key a : Integer; } entity Q as projection on sub.X; service Inner { entity R as projection on Q; } }
    annotate C.D.E with @x; annotate S.sub.X with @y; context Empty; service Bare;
  `,
  'names are keywords': `
    entity entity { key type : String; service : String; action : String; actions : String; annotation : String; enum : Integer;
      virtual : Boolean; localized : Boolean; element : String; default : Integer; many : String; array : String; projection : String;
      order : Integer; group : Integer; limit : Integer; union : String; actions2 : String; end : Date; start : Date; is : String; like : String; }
    entity V as select from entity { order, group, limit, end, type as aspect } where order = 1 and group = 2 and end > start;
    service service { entity event as projection on entity; }
    type many : String; type Association : String; type X : Association; entity W { a : Association; b : many; many : many many; }
  `,
  'quoted names': `
    entity ![my entity] { key ![a b] : Integer; ![c]]d] : String; ![select] : String; }
    entity V as select from ![my entity] as ![as] { ![as].![a b], ![select] as ![from] };
    @![x y].z: 1 service ![S] { }
  `,
  'annotations before and behind names': `
    @a @b: 1 @(c, d: 2, e: { f: 3 }) entity E @g @(h: 4) { @i key j @k : Integer @l @m: 5; n @(o: 6) : String @(p, q: 7) default 'r' @s; }
    @a define service S @(path: '/x', requires: 'Admin') { }
    type T @a : String @(b: 1);
    @a aspect A @b { }
    @x event Ev @y { }
  `,
  'values of annotations': `
    @a: 1 @b: -2.5e3 @c: 'it''s' @d: true @e: false @f: null @g: #symbol @h: path.to.it @i: [] @j: [1, 'two', #three, [4], { five: 5 }]
    @k: (a > b) @l: (x.y = $user.z or exists z[q = 1]) @m: \`tick \\n done\` @n: x'00ff' @o: date'2026-01-01' @p: time'10:00:00' @q: +3 @r: ![quoted path].x
    @s: foo#bar @t: path.@anno.x
    entity E { a : Integer; b : Integer; }
  `,
  'text blocks': `
    @a: \`\`\`
      first
        second \\\`tick\\\` \\u{41}

      third
      \`\`\`
    @b: \`\`\`json
    {
      "x": 1
    }
    \`\`\`
    @c: \`one
      two\`
    @d: \`\\\${x}\`
    entity E { }
  `,
  'records are flattened': `
    @A: { B: 1, C: { D: 2, E.F: 3 }, G#q: 4 } @H#r: { I: 5 } @J: { $value: 6, k: 7 } @L: { @m: 8, ![@n.o]: 9 } @P.@Q.r: 10 @S#t.u: 11
    @V: { W } @(X: { Y: [ { $value: 1, z: { zz: 2 } } ] })
    entity E { }
  `,
  ellipsis: `
    using { E } from './e';
    annotate E with @UI.LineItem: [ { Value: x }, ..., { Value: y } ];
    annotate E with @UI.LineItem: [ 1, ... up to 3, 4, ... up to { Value: a }, 5, ... ];
  `,
  'access rules': `
    using { db } from './db';
    @requires: ['Admin', 'authenticated-user']
    service Admin @(restrict: [{ grant: ['READ', 'WRITE'], to: 'Manager', where: (org = $user.org and status is not null) }, { grant: '*', to: ['Boss'], where: 'a = $user' }]) {
      @readonly entity Books @(restrict: [{ grant: 'READ', to: 'any' }]) as projection on db.Books;
      @requires: 'x' action purge();
    }
    annotate Admin.Books with @(requires: 'y');
    annotate Admin with @(protocol: 'none');
  `,
  elements: `
    entity E {
      key ID : UUID; key code : String(10) not null; virtual v : Integer; virtual w; text : localized String;
      n : Integer null; d : Decimal(10, 2) default 1.5 not null; e : Decimal(precision: 5, scale: 1); s : String default 'x' || 'y';
      st : hana.ST_POINT(4326); t : type of ID; u : type of E:code; x : E:st;
    };
  `,
  'structured and arrayed': `
    type Amount : { value : Decimal; currency { code : String(3); sign @x : String; } };
    entity E { a : Amount; b : many String; c : array of { d : Integer; e : many Amount @y; }; f : { g : { h : Integer @z } } };
    type Many : many { a : Integer @b; }; type Array : array of String;
  `,
  associations: `
    entity E {
      key ID : UUID; a : Association to E; b : Association to one E; c : Association to many E on c.ID = ID; d : Association [0..1] to E { ID };
      e : Association[*] to E on e.a.ID = $self.ID and e.ID is not null; f : Association to E { ID, a.ID as other }; g : Composition of many E on g.a = $self;
      h : Composition of one E; i : Composition of many { key pos : Integer; @title: 'T' text : String; sub : Composition of many { key x : Integer } };
      j : Composition [1..*] of { key y : Integer }; k : Association to E not null; l : many E;
    }
  `,
  enums: `
    type Color : String enum { red; green = 'g' @a; @b blue @c = 'b'; };
    type Num : Integer @x enum { one = 1; two = 2; minus = -1 };
    entity E { c : Color default #red; d : String(1) enum { a; b } default 'a'; e : String enum { x } not null; f : Int16 @y enum { z = 1 } = 1; }
  `,
  calculated: `
    entity E { a : Integer; b : Integer; c = a + b; d : Integer = a * 2 - (b / 3); e : Integer = a stored; f : String = case when a > 1 then 'x' when b in (1, 2) then 'y' else 'z' end;
      g : Integer = case a when 1 then 2 end @x; h = (a > b ? a : b); i = cast(a as String); k : String = a || ' ' || b stored; l = -a; m = coalesce(a, null, 'x'); n = a is null; o : Boolean = not (a = b); }
  `,
  'includes and aspects': `
    using { managed, cuid } from './common';
    aspect Base : cuid { a : Integer; } aspect Named : Base, managed { name : String; } actions { action rename(to : String); }
    entity E : Base, Named { b : Integer }; type T : Base { c : Integer }; type U : Base, Named { }; aspect Empty { }; event Ev : Base { d : Integer }; abstract entity Old { };
  `,
  'actions of entities': `
    entity E { key ID : UUID } actions {
      action a(); @x action b @y (p : Integer, @z q @w : String not null) returns E; function c(in : many $self) returns many { x : Integer; y : String @v };
      action d(p : Integer default 1, q : E:ID) returns String not null; action e() returns array of E; function f() returns type of E:ID
    };
  `,
  'unbound actions, functions and events': `
    service S {
      entity E { key ID : UUID };
      action a(@x p : Integer @(y: 1)); function b() returns String; @z function c(p : many E) returns many E; action d() returns { e : { f : Integer } };
      event Ev : { g : String; h : many String }; event Ev2 { i : E:ID }; event Ev3 : E; event Ev4 : projection on E { ID };
    }
    action global(); function g2() returns Integer;
  `,
  projections: `
    using { db } from './db';
    entity P as projection on db.Books; entity Q as projection on db.Books { *, author.name as author, title @x, key ID, price : Decimal(5, 2) } excluding { stock, cost };
    entity R as projection on db.Books as b { b.ID, b.author.{ name, born as birth }, b.genre { *, parent as up { name } }, b.publisher.{ * } } where b.stock > 10 and b.author.name like 'A%';
    entity S as projection on db.Books:author.address { street }; entity T as projection on db.Books[stock > 1 and price < 2]:author[1: alive = true] { * };
    entity U as projection on db.Books { *, author as writer : redirected to P, genre : redirected to Q on genre.ID = genre_ID, @a b @c : String @d, count : Integer @e: 1 };
    entity V(p : Integer) as projection on db.Param(p: :p, q: 2) { x }; entity W as projection on db.Books { 1 as one : Integer, 'x' as x, null as nothing : String, virtual null as v : String, virtual w : Integer, virtual null as d : Integer default 2, virtual n : Integer not null default -3 };
    type X : projection on db.Books { ID }; entity Y as projection on db.Books order by title asc, price desc nulls last limit 10 offset 20;
  `,
  selects: `
    using { db } from './db';
    entity A as select from db.Books; entity B as select * from db.Books; entity C as SELECT FROM db.Books { ID, title as name } WHERE stock > 0 GROUP BY ID, title HAVING count(*) > 1 ORDER BY title LIMIT 5;
    entity D as select from db.Books distinct { title }; entity E as select distinct title, price as p from db.Books where exists author[name = 'x'];
    entity F as select from db.Books as b left join db.Authors as a on a.ID = b.author.ID { b.ID, a.name };
    entity G as select from db.Books as b left outer many to one join db.Authors as a on a.ID = b.ID inner join (db.X as x cross join db.Y) on x.a = b.ID, db.Z { b.ID };
    entity H as select from db.Books mixin { m : Association to db.Authors on m.ID = $projection.author_ID; } into { ID, m, m.name as n };
    entity I as select from (select from db.Books { ID }) as sub { sub.ID }; entity J as (select from db.Books { ID }) union all (select from db.Authors { ID }) order by ID;
    entity K as select from db.Books { ID } union select from db.Authors { ID } intersect select from db.X { ID } except select from db.Y { ID };
    entity L as select from db.Books { ID } where ID in (select ID from db.Top) and not exists (select from db.Authors { ID } where ID = 1) or stock between 1 and 5;
    view M as select from db.Books { key ID, title }; view N with parameters p : Integer, q : String as select from db.Books { ID } where ID = :p and title = :q;
    define view O(p : Integer default 1) as select from db.Books[ID = :p] { ID };
    entity P(p : Integer) as select from db.Books { ID } actions { action x() };
  `,
  'functions and windows': `
    using { db } from './db';
    entity A as select from db.Books { count(*) as c : Integer, count(distinct ID) as d : Integer, sum(price * 2) as s : Decimal, max(a, b) as m, current_date as today,
      cast(price as String) as t, cast(x as Decimal(10, 2)) as t2, case when a = 1 then 'x' else b end as k, row_number() over (partition by genre.ID order by price desc) as rn, substring(title, 1, 3) as sub,
      (a = b ? 1 : 2) as tern, a || b as both, -price as neg, (a + b) * c as calc, $user.id as me, $now as now : Timestamp, $self.x as y, year(modifiedAt) as y2 : Integer, rank(p => 1) as r, string_agg(title, ',' order by title) as agg,
      not a as na, exists author as ex : Boolean, a is null as isn, a in ('x', 'y') as isin, ID as ![select] };
  `,
  'conditions of every kind': `
    using { db } from './db';
    entity A as projection on db.B where a = 1 and b <> 2 or c != 3 and not d >= 4 and (e <= 5 or f < 6) and g > 7 and h == i and j is null and k is not null and l like 'x%' escape '!' and m not like 'y' and n in (1, 2, 3) and o not in ('a') and p between 1 and 2 and q not between 3 and 4 and r = #sym and s = $user.country and t = $now and exists items[price > 3 and exists sub] and u.v[w = 1].x = 2 and y = date'2026-01-01' and z = null;
  `,
  annotate: `
    using { E, F } from './x';
    annotate E with @a; annotate E with @a @b: 1 @(c: 2); annotate E @d; annotate E { x @y; }
    annotate E with { a @b; @c d; e @f: 1 @g { h @i; j { k @l } }; m @(n: 1, o: 2); };
    annotate E with @x { a @b } actions { @p act @q; func (@r s @t, u @v); ret returns @w { x @y } };
    annotate E:a.b with @c; annotate E:d with { e @f }; annotate F.act with @g (p @h) returns @i; annotate E with { }; @pre annotate E with @post;
  `,
  extend: `
    using { E, B, C, S, P } from './x';
    extend E with { a : Integer; @b key c : String default 'x'; extend d with { e : Integer; extend f with { g : String } }; extend el with @ann; };
    extend E with @h { i : Integer } actions { action j(); @k function l() returns String };
    extend E with B, C; extend E with B; extend entity E with { m : Integer }; extend aspect B with { n : Integer }; extend type B with { o : String };
    extend projection P with { q, r as s @t }; extend P with columns { u, v as w }; extend E with elements { x : Integer }; extend E with actions { action y() };
    extend E:a.b with { z : Integer }; extend B:color with enum { red; blue = 'b' @x }; extend E with (length: 12); @pre extend E with @post; extend E { aa : Integer }
    extend service S with { entity T { key a : Integer }; action b(); type U : String }; extend context C { entity V { } }; extend C with definitions { entity W { } };
  `,
  'annotation definitions': `
    annotation Anno : String; annotation Struct { a : Integer }; annotation Many : many { b : String enum { c } }; @x annotation Dotted.name : Boolean default true;
  `,
  comments: `
    // entity Not { }
    /** doc of E */
    entity E { /* a : Integer; */ b : Integer; // c : Integer;
      /** doc of d */ d : String; /* * / ** */ }
    /* service S { } ***/
    @a: '/* no comment */' @b: '// neither' service T { }
  `,
  'missing and spare semicolons': `
    entity A { a : Integer } entity B { b : { c : Integer } d : Integer; };
    service S { entity C { }; type T : String; }; aspect D { e : Integer; }
  `,
  'a projection ends where a definition begins': `
    entity db.A { key ID : UUID; x : String; }
    service S {
      entity A as projection on db.A entity B as projection on db.A where x = 'a' type T : String;
      entity C as projection on db.A @requires: 'x' entity D { key ID : UUID; }
      entity E as projection on db.A action f();
    }
  `,
  'a literal as key of a projection': `
    entity A { key ID : UUID; name : String; }
    entity V as projection on A { key 'const' as kind : String, key 1 as version : Integer, key -1 as sign : Integer, name };
    entity ByDate(day : Date, area : String) as select from A { key : day as day, key :area as area : String, :area as shown, name };
  `,
  'annotations of an event behind another one': `
    service S {
      event A : { x : String } @topic: 'a' event B : { y : String };
      event C { x : String }
      @topic: 'b' event D { y : String } entity E { key ID : UUID; }
    }
  `,
  'select items without braces': `
    using { db } from './db';
    entity A as select ID, title as name, author.name as author from db.Books where ID > 1; entity B as select from db.Books as b { b.a };
  `,
  'types of references': `
    using { db } from './db';
    type A : db.Books:title; type B : type of db.Books:author.name; entity E { a : db.Books:ID; b : type of a; c : A; }
    action f(a : db.Books:ID, b : type of db.Books:title) returns db.Books:ID;
  `,
  'default and dates': `
    entity E { a : Date default date'2026-01-01'; b : Timestamp default $now; c : String default $user; d : Integer default -1; e : Boolean default false; f : Integer default (1 + 2); g : String default null; h : Integer default 1 not null @x; }
  `,
  'localized data and texts': `
    @fiori.draft.enabled @cds.persistence: { skip, exists: false } @cds.persistence.table entity E { key ID : UUID; title : localized String(100) @mandatory; descr : localized LargeString; }
  `,
  'Fiori annotations': `
    using { S } from './s';
    annotate S.Books with @(
      Common.SemanticKey: [ID], Common.Label: '{i18n>Book}',
      UI: { Identification: [{ Value: title }], SelectionFields: [ ID, author_ID, price ], LineItem: [ { Value: ID, ![@UI.Importance]: #High }, { $Type: 'UI.DataFieldForAction', Action: 'S.x', Label: 'y' } ], HeaderInfo: { TypeName: '{i18n>b}', Title: { Value: ID } } },
      UI.Facets #main: [{ $Type: 'UI.ReferenceFacet', Target: '@UI.FieldGroup#General' }],
      UI.FieldGroup #General: { Data: [ { Value: a.b.c }, ] },
    ) { ID @UI.Hidden; author @( ValueList: { entity: 'Authors', type: #fixed }, Common: { Text: author.name, TextArrangement: #TextOnly } ); price @Measures.ISOCurrency: currency_code @Common.Text: { $value: x, ![@UI.TextArrangement]: #TextFirst }; };
  `,
  'annotations in lists of values end with commas': `
    @a: [1, 2, ] @b: { c: 1, } @(d: 1, e: 2,) entity E { }
  `,
  'nested queries in expressions': `
    using { db } from './db';
    entity A as select from db.Books { ID, (select from db.Authors { max(age) as m }) as oldest : Integer, (select count(*) as n from db.X) as cnt : Integer };
  `,
  'carriage returns and marks': "\ufeff// first\r\nnamespace a;\r\n@x: 'y'\r\nentity E {\r\n  key ID : UUID;\r\n}\r\n",
}
