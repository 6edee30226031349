import { execFileSync } from 'node:child_process'
import { mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { CodeAction } from 'vscode-languageserver/node'
import { runs } from '../soak.ts'
import { uriOf } from './client.ts'
import { codes, useEditedFolder } from './edited-folder.ts'

const SERVICE = "service Halls @(requires: 'any') { action look(text : String); }\n"
const HANDLER = 'module.exports = (srv) => {\n  srv.on("look", (req) => eval(req.data.text))\n}\n'
const HARMLESS = 'module.exports = (srv) => {\n  srv.on("look", (req) => req.data.text ?? "x")\n}\n'
const MANIFEST = '{ "name": "halls", "dependencies": { "@sap/cds": "^9" } }\n'
const INJECTION = 'cap/code-injection'

const folder = useEditedFolder(({ write }) => {
  write('package.json', MANIFEST)
  write('srv/halls.cds', SERVICE)
})
const { root, at, write, start } = folder

describe('findings in an editor', { timeout: 120_000 }, () => {
  test('stand where they are, with their way, their rule, and what to do', async () => {
    const file = write('srv/halls.js', HANDLER)
    const it = await start()
    await it.until(() => codes(it, file).length > 0)
    const [found] = it.diagnostics(file)
    expect(found).toMatchObject({
      code: INJECTION,
      severity: 1,
      source: 'parapet',
      range: { start: { line: 1 } },
      codeDescription: { href: expect.stringMatching(/^https:/) },
      data: { id: expect.any(String) },
    })
    expect(found?.message).toMatch(/^CRITICAL: /)
    expect(found?.relatedInformation?.map(({ location }) => location.uri)).toContain(uriOf(file))

    const hover = await it.hover(file, 1, found?.range.start.character ?? 0)
    expect(hover).toContain(INJECTION)
    expect(hover).toMatch(/\*\*why:\*\* .+\n\n\*\*fix:\*\* /)
    expect(await it.hover(file, 0, 0)).toBe('')
    expect(await it.hover(file, 4_000_000, 4_000_000)).toBe('')

    it.open(file, HANDLER)
    const actions = await it.actions(file, found === undefined ? [] : [found])
    expect(actions.map(({ title }) => title)).toEqual([`Suppress ${INJECTION} here with a reason`, `Explain ${INJECTION}`])
    const [suppression, explanation] = actions
    expect(textOf(suppression)).toBe(`  // parapet-disable-next-line ${INJECTION} -- \n`)
    const told = await it.execute(explanation?.command?.command ?? '', explanation?.command?.arguments ?? [])
    expect(told).toContain(`# `)
    expect(told).toContain(INJECTION)
    // with a reason it is gone
    it.edit(file, HANDLER.replace('  srv', `  // parapet-disable-next-line ${INJECTION} -- a trusted caller\n  srv`))
    await it.until(() => codes(it, file).length === 0)
    expect(await it.stop()).toBe(0)
  })

  test('in French, where the editor is', async () => {
    const file = write('srv/halls.js', HANDLER)
    const it = await start({ locale: 'fr-CA' })
    await it.until(() => codes(it, file).length > 0)
    expect(await it.hover(file, 1, 34)).toContain('**correction :** ')
    it.configure({ locale: 'en' })
    await it.until(() => JSON.stringify(it.diagnostics(file)).includes('Code injection'))
    const model = at('srv/halls.cds')
    await it.until(() => codes(it, model).length > 0)
    it.configure({ severity: 'CRITICAL' })
    await it.until(() => codes(it, model).length === 0)
    expect(codes(it, file)).toEqual([INJECTION])
  })

  test('are of the text that is open: typed, undone, closed without saving', async () => {
    const file = write('srv/halls.js', HARMLESS)
    const unsaved = at('srv/more.js')
    const it = await start()
    it.open(file, HARMLESS)
    it.edit(file, HANDLER)
    await it.until(() => codes(it, file).includes(INJECTION))
    it.edit(file, HARMLESS)
    await it.until(() => codes(it, file).length === 0)
    it.edit(file, 'eval(req.data.text)', { start: { line: 1, character: 26 }, end: { line: 1, character: 46 } })
    await it.until(() => codes(it, file).includes(INJECTION))
    it.close(file)
    await it.until(() => codes(it, file).length === 0)
    // a file that lies on no disk yet
    it.open(unsaved, HANDLER)
    await it.until(() => codes(it, unsaved).includes(INJECTION))
    it.close(unsaved)
    await it.until(() => codes(it, unsaved).length === 0)
  })

  test('that join files come and go when either of them changes', async () => {
    const handler = write('srv/halls.js', HANDLER)
    const model = at('srv/halls.cds')
    write('webapp/manifest.json', JSON.stringify({ 'sap.app': { id: 'halls' }, 'sap.ui5': { rootView: 'halls.view.Main' } }))
    const view = write(
      'webapp/view/Main.view.xml',
      '<mvc:View xmlns:mvc="sap.ui.core.mvc" xmlns="sap.m" controllerName="halls.controller.Main"><Input id="name" change=".onName"/></mvc:View>\n',
    )
    const page =
      'sap.ui.define(["sap/ui/core/mvc/Controller"], (Controller) => Controller.extend("halls.controller.Main", {\n  onName(event) { document.body.innerHTML = new URLSearchParams(location.search).get("a") }\n}))\n'
    const controller = write('webapp/controller/Main.controller.js', page)
    const it = await start()
    await it.until(() => codes(it, handler).includes(INJECTION) && codes(it, controller).length > 0)
    it.open(model, SERVICE)
    it.edit(model, SERVICE.replace('action look(text : String);', 'action look(other : String);').replace("'any'", "'admin'"))
    await it.until(() => it.diagnostics(handler).every(({ severity }) => severity !== 1))
    it.edit(model, SERVICE)
    await it.until(() => it.diagnostics(handler).some(({ severity }) => severity === 1))
    it.open(view, '')
    it.open(controller, page)
    it.edit(controller, page.replace('new URLSearchParams(location.search).get("a")', '""'))
    await it.until(() => codes(it, controller).length === 0)
  })

  test('follow files that are renamed and removed, and a branch that is switched', async () => {
    const git = (...args: string[]): void =>
      void execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: root() })
    git('init', '-q', '-b', 'main')
    const file = write('srv/halls.js', HARMLESS)
    git('add', '.')
    git('commit', '-qm', 'one')
    git('checkout', '-qb', 'other')
    write('srv/halls.js', HANDLER)
    git('commit', '-qam', 'two')
    for (const watches of [false, true]) {
      const it = await start({ watches })
      await it.until(() => codes(it, file).includes(INJECTION))
      git('checkout', '-q', 'main')
      if (watches) it.changedOnDisk(file)
      await it.until(() => codes(it, file).length === 0)
      git('checkout', '-q', 'other')
      if (watches) it.changedOnDisk(file)
      await it.until(() => codes(it, file).includes(INJECTION))
      const moved = at('srv/moved.js')
      renameSync(file, moved)
      if (watches) it.changedOnDisk(file, moved)
      await it.until(() => codes(it, moved).includes(INJECTION) && codes(it, file).length === 0)
      renameSync(moved, file)
      await it.stop()
    }
  })

  test('a client that can nothing more gets plain text, in its language, and nothing goes wrong', async () => {
    const file = write('srv/halls.js', HANDLER)
    const it = await start({ bare: true, locale: 'fr' })
    await it.until(() => codes(it, file).includes(INJECTION))
    const [found] = it.diagnostics(file)
    expect(found?.message).toMatch(/^CRITIQUE : /)
    const hover = await it.hover(file, 1, found?.range.start.character ?? 0)
    expect(hover).toMatch(/^critique : .+\n\n/)
    expect(hover).not.toMatch(/\*\*|\\[()]/)
    expect(it.faults).toEqual([])
  })

  test('of three folders, one within another: each is told once, by the innermost', async () => {
    const outer = write('srv/halls.js', HANDLER)
    write('inner/package.json', MANIFEST)
    write('inner/srv/halls.cds', SERVICE)
    const inner = write('inner/srv/halls.js', HANDLER)
    const third = realpathSync(mkdtempSync(join(tmpdir(), 'parapet-editor-')))
    writeFileSync(join(third, 'package.json'), MANIFEST)
    writeFileSync(join(third, '.env'), 'A=1\n')
    const it = await start({ folders: [root(), at('inner'), third] })
    await it.until(() => codes(it, outer).includes(INJECTION) && codes(it, inner).includes(INJECTION))
    expect(codes(it, inner).filter((code) => code === INJECTION)).toHaveLength(1)
    it.folders([], [at('inner')])
    // the outer one answers for it now
    await it.until(() => codes(it, inner).includes(INJECTION))
    it.folders([], [root()])
    await it.until(() => codes(it, inner).length === 0 && codes(it, outer).length === 0)
    it.folders([root()], [])
    await it.until(() => codes(it, inner).includes(INJECTION))
    rmSync(third, { recursive: true })
  })

  test('of a file without comments are suppressed in the configuration', async () => {
    const file = write(
      'xs-app.json',
      '{\n  "routes": [{ "source": "^/a(.*)$", "destination": "b", "authenticationType": "none" }]\n}\n',
    )
    const it = await start()
    await it.until(() => codes(it, file).length > 0)
    const [found] = it.diagnostics(file)
    const [suppression] = await it.actions(file, found === undefined ? [] : [found])
    expect(suppression?.edit?.documentChanges?.[0]).toEqual({ kind: 'create', uri: uriOf(at('parapet.config.json')) })
    await it.execute('parapet.suppressWith', [uriOf(file), 0, found?.data.id, 'a public page'])
    const written = textOf({ title: '', edit: it.edits[0] ?? {} })
    expect(JSON.parse(written)).toEqual({ suppress: [{ id: found?.data.id, reason: 'a public page' }] })
    it.changedOnDisk(write('parapet.config.json', written))
    await it.until(() => it.diagnostics(file).every(({ data }) => data.id !== found?.data.id))
  })

  test('are the same after many quick edits, large files and impossible positions, and with a new server', async () => {
    const file = write('srv/halls.js', HARMLESS)
    write('db/data.json', JSON.stringify({ rows: Array.from({ length: 1000 }, (_, index) => ({ index })) }))
    let it = await start()
    it.open(file, HARMLESS)
    let text = HARMLESS
    const count = runs(500)
    for (let index = 0; index < count; index++) {
      const isLast = index === count - 1
      text = index % 2 === 0 && !isLast ? HARMLESS : `${'\n'.repeat(index % 7)}${HANDLER}`
      it.edit(file, text)
      if (index % 25 === 0) it.edit(file, '', { start: { line: 9_999, character: 9_999 }, end: { line: 99_999, character: 0 } })
      if (index % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 15))
    }
    const large = at('srv/large.js')
    it.open(large, `${'// a line that says nothing at all\n'.repeat(60_000)}${HANDLER}`)
    await it.until(() => it.told.has(uriOf(large)) && codes(it, file).includes(INJECTION))
    it.close(large)
    await it.until(() => it.told.get(uriOf(large))?.version === undefined)
    const last = it.diagnostics(file)
    it.process.kill('SIGKILL')
    write('srv/halls.js', text)
    folder.forget()
    it = await start()
    await it.until(() => codes(it, file).includes(INJECTION))
    expect(it.diagnostics(file)).toEqual(last)
  })
})

test('a project that nobody can scan is told, and costs no more than that', { timeout: 60_000 }, async () => {
  const it = await start({ folders: [at('absent'), root()] })
  const file = write('srv/halls.js', HANDLER)
  it.changedOnDisk(file)
  await it.until(() => codes(it, file).includes(INJECTION))
})

/** What an action would write. */
function textOf(action: Pick<CodeAction, 'title' | 'edit'> | undefined): string {
  const changes = action?.edit?.documentChanges ?? []
  return changes
    .flatMap((change) => ('edits' in change ? change.edits.map((edit) => ('newText' in edit ? edit.newText : '')) : []))
    .join('')
}
