import { describe, expect, test } from 'vitest'
import { uriOf, type EditorClient } from './client.ts'
import { codes, useEditedFolder } from './edited-folder.ts'

const EVAL = 'ui5/eval'
const MARKUP = 'ui5/xss-dom-sink'

const manifest = (id: string): string => JSON.stringify({ 'sap.app': { id }, 'sap.ui5': {} })
const controller = (body: string): string =>
  `sap.ui.define(["sap/ui/core/mvc/Controller", "names/Names"], (Controller, Names) => Controller.extend("halls.Main", {\n  onInit() {\n    ${body}\n  }\n}))\n`
const FAULTY = controller('window.eval(location.hash.slice(1)); document.body.innerHTML = Names.read()')
const HARMLESS = controller('return Names')
const NAMES = 'sap.ui.define([], () => ({ read: () => location.search.slice(1) }))\n'

const { at, write, start } = useEditedFolder(({ write }) => {
  write('package.json', '{ "name": "museum" }\n')
  for (const id of ['halls', 'names', 'tours']) write(`app/${id}/webapp/manifest.json`, manifest(id))
  write('app/names/webapp/Names.js', NAMES)
})
const allOf = (it: EditorClient): unknown[] =>
  [...it.told.values()]
    .flatMap(({ uri, diagnostics }) => (diagnostics.length > 0 ? [{ uri, diagnostics }] : []))
    .sort((a, b) => (a.uri < b.uri ? -1 : 1))

/** Scripts of another app, more than anybody reads twice. */
function writeOthers(): string {
  const comment = `// ${'what it shows, '.repeat(60)}\n`
  const line = (index: number): string =>
    `${comment}function show${index}(text) { return document.getElementById(text.slice(${index})) }\n`
  const script = Array.from({ length: 100 }, (_, index) => line(index)).join('')
  for (let index = 0; index < 12; index++) write(`app/tours/webapp/large${index}.js`, script)
  return write('app/tours/webapp/Start.js', 'window.eval(location.hash.slice(1))\n')
}

describe('what is open is told before the rest of a large folder is read', { timeout: 120_000 }, () => {
  test('and in the end all findings are told, those that join apps too', async () => {
    const open = write('app/halls/webapp/Main.controller.js', FAULTY)
    const other = writeOthers()
    const it = await start()
    it.open(open, FAULTY)
    await it.until(() => codes(it, other).length > 0)
    const [first] = it.tellings
    expect(first).toMatchObject({ uri: uriOf(open), version: 1 })
    expect(first?.diagnostics.map(({ code }) => code)).toContain(EVAL)
    expect(first?.diagnostics.map(({ code }) => code)).not.toContain(MARKUP)
    expect(it.tellings.findIndex(({ uri }) => uri === uriOf(other))).toBeGreaterThan(0)
    await it.until(() => codes(it, open).includes(MARKUP))
    const told = allOf(it)
    await it.stop()
    // a folder in which nothing is open
    const fresh = await start()
    await fresh.until(() => codes(fresh, other).length > 0)
    expect(fresh.tellings[0]?.version).toBeUndefined()
    expect(told).toEqual(allOf(fresh))
  })

  test('and of a text without findings nothing is told until all is known of it', async () => {
    const open = write('app/halls/webapp/Main.controller.js', HARMLESS)
    const descriptor = at('app/halls/webapp/manifest.json')
    const other = writeOthers()
    const it = await start()
    it.open(open, HARMLESS)
    it.open(descriptor, manifest('halls'))
    await it.until(() => it.told.has(uriOf(open)) && it.told.has(uriOf(descriptor)))
    expect(codes(it, other)).not.toEqual([])
    expect(it.tellings.filter(({ uri }) => uri === uriOf(open))).toMatchObject([{ version: 1, diagnostics: [] }])
  })

  test('and what is typed meanwhile counts', async () => {
    const open = write('app/halls/webapp/Main.controller.js', HARMLESS)
    const other = writeOthers()
    const it = await start()
    // never saved
    it.open(open, FAULTY)
    await it.until(() => it.told.has(uriOf(open)))
    expect(it.told.has(uriOf(other))).toBe(false)
    it.edit(open, HARMLESS)
    it.edit(open, `\n\n${FAULTY}`)
    await it.until(() => it.told.get(uriOf(open))?.version === 3 && codes(it, other).length > 0)
    expect(it.diagnostics(open).find(({ code }) => code === EVAL)?.range.start.line).toBe(4)
    expect(codes(it, open)).toContain(MARKUP)
  })

  test('and who leaves meanwhile is not kept', async () => {
    const open = write('app/halls/webapp/Main.controller.js', FAULTY)
    const other = writeOthers()
    const it = await start()
    it.open(open, FAULTY)
    await it.until(() => it.told.has(uriOf(open)))
    expect(await it.stop()).toBe(0)
    expect(it.told.has(uriOf(other))).toBe(false)
    const early = await start()
    early.open(open, FAULTY)
    expect(await early.stop()).toBe(0)
    expect(early.faults).toEqual([])
  })
})
