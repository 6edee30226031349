import { describe, expect, test } from 'vitest'
import { scanFiles } from '../scan-files.ts'
import { runs } from '../soak.ts'

/** Code that a rule on Java begins to read again and again, where what it reads has no end. */
const PIECES: Readonly<Record<string, string>> = {
  brackets: 'jdbcTemplate.query("select" + f(',
  parameters: 'run(@RequestParam String name, ',
  thrown: 'JdbcTemplate run(String name) throws ',
  chains: 'SecurityFilterChain all(HttpSecurity http) { anyRequest().',
  verifiers: 'setHostnameVerifier(checkServerTrusted(',
  mappers: '.activateDefaultTyping(',
  checks: '@On void a(XContext c) { String name = c.getName(); X.contains(name); jdbc.query("select" + name); JdbcTemplate',
}

async function secondsOf(piece: string, count: number): Promise<number> {
  const files = new Map([
    [
      'pom.xml',
      '<project><dependencies><dependency><groupId>com.sap.cds</groupId><artifactId>cds-starter-spring-boot</artifactId></dependency></dependencies></project>',
    ],
    ['srv/service.cds', 'service Shop {}'],
    ['srv/src/main/java/shop/Run.java', `class Run {\n${`${piece}\n`.repeat(count)}`],
  ])
  const { user } = process.cpuUsage()
  await scanFiles(files)
  return (process.cpuUsage().user - user) / 1e6
}

/** What is not linear is so at any length; in a soak it is twice as long. */
const LINES = runs(2000, 2)

describe('Java that never ends takes time for its length alone', () => {
  test.each(Object.entries(PIECES))('%s', async (_, piece) => {
    await secondsOf(piece, 100)
    const few = await secondsOf(piece, LINES)
    const many = await secondsOf(piece, 8 * LINES)
    expect(many).toBeLessThan(24 * Math.max(few, 0.05))
  })
})
