import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findChangedLines, parseDiff, touchesChange } from '../../adapters/terminal/changed-lines.ts'
import { UsageFault } from '../../adapters/terminal/usage.ts'
import { createFinding } from '../report/writers/reports.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parapet-git-'))
  const git = (...args: string[]): void => {
    const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false']
    execFileSync('git', [...identity, ...args], { cwd: folder, stdio: 'ignore' })
  }
  mkdirSync(join(folder, 'app'))
  git('init', '-q')
  writeFileSync(join(folder, 'app/a.js'), 'one\ntwo\nthree\nfour\n')
  writeFileSync(join(folder, 'app/ä "b".js'), 'one\n')
  writeFileSync(join(folder, 'gone.js'), 'one\n')
  git('add', '.')
  git('commit', '-q', '-m', 'first')
  writeFileSync(join(folder, 'app/a.js'), 'one\nTWO\n++ b/fooled.js\nthree\nfour\n')
  writeFileSync(join(folder, 'app/ä "b".js'), 'one\ntwo\n')
  writeFileSync(join(folder, 'app/new.js'), 'one\n')
  rmSync(join(folder, 'gone.js'))
})
afterAll(() => rmSync(folder, { recursive: true }))

test('lines that differ from a commit, by paths of the scanned folder', async () => {
  const changed = await findChangedLines(join(folder, 'app'), 'HEAD')
  expect(Object.fromEntries(changed)).toEqual({
    'a.js': [[2, 3]],
    'ä "b".js': [[2, 2]],
    'new.js': [[1, Number.MAX_SAFE_INTEGER]],
  })
})

test('before the first commit every file is new, and a folder outside of Git is told', async () => {
  const fresh = mkdtempSync(join(tmpdir(), 'parapet-git-'))
  try {
    await expect(findChangedLines(fresh, 'HEAD')).rejects.toThrow(UsageFault)
    execFileSync('git', ['init', '-q'], { cwd: fresh })
    for (const file of ['a.js', 'b.js']) writeFileSync(join(fresh, file), 'one\n')
    execFileSync('git', ['add', 'a.js'], { cwd: fresh })
    const whole = [[1, Number.MAX_SAFE_INTEGER]]
    expect(Object.fromEntries(await findChangedLines(fresh, 'HEAD'))).toEqual({ 'a.js': whole, 'b.js': whole })
  } finally {
    rmSync(fresh, { recursive: true })
  }
})

test.each(['nothing', '--output=/tmp/x', 'HEAD --output=x'])('%s is no commit', async (reference) => {
  await expect(findChangedLines(folder, reference)).rejects.toThrow(UsageFault)
})

test('only headers name files', () => {
  const diff =
    '+++ b/a.js\n@@ -1 +1,2 @@\n-x\n+++ b/fooled.js\n+y\n@@ -9,3 +10,0 @@\n-a\n-b\n-c\n+++ "b/t\\001b\\t\\"ä.js"\n@@ -0,0 +1 @@\n+x\n'
  expect(Object.fromEntries(parseDiff(diff))).toEqual({ 'a.js': [[1, 2]], 't\u0001b\t"ä.js': [[1, 1]] })
})

test('a finding touches a change by its place, its flow or where it repeats', () => {
  const changed = new Map([['a.js', [[5, 6]]]] as const)
  const at = (file: string, line?: number, endLine = line) => createFinding(1, { file, line, endLine, flow: undefined })
  expect([4, 5, 6, 7].map((line) => touchesChange(at('a.js', line), changed))).toEqual([false, true, true, false])
  expect(touchesChange(at('a.js', 2, 9), changed)).toBe(true)
  expect(touchesChange(at('a.js'), changed)).toBe(true)
  expect(touchesChange(at('b.js', 5), changed)).toBe(false)
  expect(touchesChange({ ...at('b.js', 5), flow: [{ file: 'a.js', line: 6, message: 'x' }] }, changed)).toBe(true)
  expect(touchesChange({ ...at('b.js', 5), occurrences: [{ file: 'a.js', line: 5 }] }, changed)).toBe(true)
})
