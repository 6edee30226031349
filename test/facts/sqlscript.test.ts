import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createBudget } from '../../core/budget.ts'
import { collectSqlFacts, type SqlScriptFacts } from '../../core/facts/sqlscript.ts'
import { parseSqlScript } from '../../core/parse/sqlscript/index.ts'
import { runs } from '../soak.ts'
import { cpuTime } from '../cpu-time.ts'

function factsOf(text: string, steps = 10_000_000): SqlScriptFacts {
  return collectSqlFacts(parseSqlScript(text), createBudget(steps))
}

/** Parameters that reach the text of each dynamic statement; `~` whole, `!` escaped in vain, `=` a constant. */
function inputsOf(body: string, header = 'IN p NVARCHAR(10), q VARCHAR(5), OUT r NVARCHAR(5), n INTEGER'): string[] {
  const [routine] = factsOf(`PROCEDURE "x" (${header}) LANGUAGE SQLSCRIPT AS BEGIN ${body} END;`).routines
  return (routine?.dynamic ?? []).map(({ inputs, isComposed, isConstant }) => {
    const names = inputs.map(({ parameter, isEscapedInVain }) => parameter + (isEscapedInVain === true ? '!' : ''))
    return `${isConstant ? '=' : isComposed ? '' : '~'}${names.sort().join(',')}`
  })
}

describe('parseSqlScript', () => {
  it('reads headers', () => {
    const { routines } = parseSqlScript(
      'PROCEDURE "a"."b::c" ( INOUT "p" NVARCHAR(3), x DECIMAL(10,2) DEFAULT 1, OUT t TABLE (a INT, b INT), y "t::T") SQL SECURITY definer AS BEGIN END;',
    )
    expect(routines[0]?.name).toBe('b::c')
    expect(routines[0]?.security?.mode).toBe('definer')
    expect(routines[0]?.parameters).toEqual([
      { name: 'p', mode: 'inout', type: 'NVARCHAR' },
      { name: 'X', mode: 'in', type: 'DECIMAL' },
      { name: 'T', mode: 'out', type: 'TABLE' },
      { name: 'Y', mode: 'in', type: '' },
    ])
  })

  it('cuts statements with the branches and loops around them', () => {
    const { routines } = parseSqlScript(
      'PROCEDURE x AS BEGIN a = 1; IF b = 1 THEN c = CASE WHEN d THEN 1 ELSE 2 END; ELSEIF e THEN f = 1; END IF; WHILE g DO LOOP h = 1; END LOOP; END WHILE; i = 1; END',
    )
    const written = routines[0]?.statements.map(
      ({ tokens, branches }) => `${branches.join('.')}: ${tokens.map(({ text }) => text).join(' ')}`,
    )
    expect(written).toEqual([
      ': a = 1',
      ': IF b = 1',
      '0: c = CASE WHEN d THEN 1 ELSE 2 END',
      '0: ELSEIF e',
      '1: f = 1',
      ': END IF',
      ': WHILE g',
      '2.3: h = 1',
      '2: END LOOP',
      ': END WHILE',
      ': i = 1',
      ': END',
    ])
  })
})

describe('collectSqlFacts', () => {
  it.each([
    ["EXEC 'a' || :p;", ['P']],
    ["EXEC 'a' || p || :n || :r;", ['P']],
    ['EXEC :p;', ['~P']],
    ["EXEC 'a' || 'b';", ['=']],
    ["EXEC 'a = ?' INTO r USING :p;", ['=']],
    ["EXEC 'a' || TO_INTEGER(:p);", ['']],
    ["EXEC 'a' || CAST(:p AS INTEGER) || CAST(:q AS NVARCHAR(3));", ['Q']],
    ["EXEC 'a' || (LOWER(TRIM(:p)));", ['P']],
    ['EXEC \'a\' || "esc"(:p) || my_escape(:q);', ['']],
    ["EXEC 'a' || REPLACE(:p, '''', '''''') || REPLACE(:q, 'x', 'y');", ['Q']],
    ["DECLARE a, b NVARCHAR(10) := 'x' || :p; EXEC b;", ['P']],
    ["DECLARE a DECIMAL(10,2) = 1; DECLARE s NVARCHAR(10) DEFAULT :q; EXEC 'a' || s;", ['Q']],
    ["s = 'x' || :p; s = 'constant'; EXEC s;", ['=']],
    ["s = 'x' || :p; IF :n = 1 THEN s = 'constant'; END IF; EXEC s;", ['P']],
    ["s = 'x'; s = :s || :p; s = :s || :q; EXEC s;", ['P,Q']],
    ["p = ESCAPE_SINGLE_QUOTES(:p); EXEC 'a = ''' || :p || '''';", ['']],
    ["EXEC 'a = ''' || ESCAPE_SINGLE_QUOTES(:p) || ''' AND b = ' || ESCAPE_SINGLE_QUOTES(:q);", ['Q!']],
    ["EXEC 'SELECT \"' || ESCAPE_DOUBLE_QUOTES(:p) || '\"' ;", ['']],
    ["SELECT 'a' || :p, 1 INTO s, t FROM DUMMY; EXEC :s;", ['P']],
    ["IF :p = 'A' OR :p = 'B' THEN EXEC 'x' || :p; END IF;", ['']],
    ["IF :p <> '' THEN EXEC 'x' || :p; END IF;", ['P']],
    ["IF :p <> 'SECRET' THEN EXEC 'x' || :p; END IF;", ['P']],
    ["IF :p LIKE_REGEXPR '^[A-Z]+$' THEN EXEC 'x' || :p; END IF;", ['']],
    ['IF "IS_SQL_INJECTION_SAFE"(:p) = 1 THEN EXEC \'x\' || :p; END IF;', ['']],
    ["s = CASE :p WHEN 'A' THEN 'x' ELSE :q END; EXEC s;", ['~Q']],
    ["t = APPLY_FILTER(:t, :p); u = APPLY_FILTER(X, 'a' || :q);", ['~P', 'Q']],
    ["EXEC 'a' || x.p;", ['']],
    ["-- EXEC 'a' || :p;\n/* EXEC :p; */ x = 'EXEC ' || :p;", []],
  ])('%s', (body, expected) => {
    expect(inputsOf(body)).toEqual(expected)
  })

  it('tells types that hold text from those of the user', () => {
    const [routine] = factsOf('PROCEDURE x (a NCLOB, b "t::T", c DATE) AS BEGIN EXEC \'x\' || :a || :b || :c; END').routines
    expect(routine?.dynamic[0]?.inputs.map(({ parameter, isText }) => [parameter, isText])).toEqual([
      ['A', true],
      ['B', false],
    ])
  })

  it('never fails, whatever a file holds', () => {
    const word = fc.constantFrom(
      ...'PROCEDURE FUNCTION x "q" ( ) , ; : := = || \' \'\' " EXEC EXECUTE IMMEDIATE APPLY_FILTER IF THEN ELSE END CASE WHEN LOOP DO FOR AS BEGIN SELECT INTO FROM USING DECLARE DEFAULT ESCAPE_SINGLE_QUOTES IS_SQL_INJECTION_SAFE NOT IN CAST . 1 -- /* */ SQL SECURITY DEFINER'.split(
        ' ',
      ),
      '\u0000',
    )
    fc.assert(
      fc.property(fc.array(word, { maxLength: 60 }), (words) => {
        const text = `PROCEDURE p (a NVARCHAR(1)) AS BEGIN ${words.join(' ')}`
        for (const { dynamic } of factsOf(text).routines)
          for (const { start, end } of dynamic) expect(start).toBeLessThanOrEqual(end)
      }),
      { numRuns: runs(10_000) },
    )
  })

  it('is linear, or runs out of steps', () => {
    const bodies = [
      'a = '.repeat(100_000),
      `EXEC ${'CONCAT('.repeat(20_000)}`,
      `EXEC ${"'x' || :p || ".repeat(30_000)}`,
      "'".repeat(99_999),
      `EXEC 'x' || ${'ESCAPE_SINGLE_QUOTES('.repeat(20_000)}`,
      '/*'.repeat(100_000),
      'PROCEDURE x ( '.repeat(20_000),
      'CASE '.repeat(100_000),
      `APPLY_FILTER(`.repeat(20_000),
    ]
    const started = cpuTime()
    for (const body of bodies) {
      try {
        factsOf(`PROCEDURE x (p NVARCHAR(1)) AS BEGIN ${body}`)
      } catch (error) {
        expect(error).toHaveProperty('name', 'StopSignal')
      }
    }
    expect(cpuTime() - started).toBeLessThan(20_000)
  })
})
