import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { strToU8, zipSync, type Zippable } from 'fflate'
import { DEFAULT_LIMITS } from '../../core/limits.ts'
import type { ScanOptions } from '../../core/types.ts'

/** A project of test/projects, as files. */
function readProject(name: string): Readonly<Record<string, string>> {
  const folder = new URL(`../projects/${name}/`, import.meta.url).pathname
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => statSync(join(folder, path)).isFile())
      .map((path) => [path.replaceAll('\\', '/'), readFileSync(join(folder, path), 'utf8')]),
  )
}

/** A small UI5 and CAP project with known findings: the one that the README scans. */
export const SHOP: Readonly<Record<string, string>> = readProject('shop')

/** A larger one, of UI5 app, CAP service, approuter, MTA and pipeline, as a careful team writes it: full of what only looks like a fault. */
export const ORDERS: Readonly<Record<string, string>> = readProject('orders')

/** Rules that must speak about SHOP. */
export const SHOP_RULES: readonly string[] = [
  'approuter/route-authentication-none',
  'cap/auth-kind-non-production',
  'cap/cql-injection',
  'ui5/frame-options-allow',
  'ui5/version-end-of-maintenance',
  'ui5/xss-html-control',
]

export function zipOf(files: Readonly<Record<string, string>>, prefix = ''): Uint8Array {
  const entries: Zippable = {}
  for (const [path, text] of Object.entries(files)) entries[prefix + path] = strToU8(text)
  return zipSync(entries)
}

export function scanOptions(changes: Partial<ScanOptions> = {}): ScanOptions {
  return {
    scanId: '01900000-0000-7000-8000-000000000000',
    scannedAt: '2026-11-20T12:00:00.000Z',
    projectName: 'shop',
    limits: DEFAULT_LIMITS,
    suppressions: true,
    ...changes,
  }
}

/** A project that takes a while: many scripts with something in each for the rules on code. */
export function slowProject(files: number): Uint8Array {
  const line =
    'sap.ui.define(["sap/m/Button"], function (Button) { return { run: function (a) { setTimeout(a.b, 10); return eval(a.code + 1) } } })\n'
  const entries: Zippable = {}
  for (let index = 0; index < files; index++) entries[`app/webapp/f${index}.js`] = strToU8(line.repeat(100))
  return zipSync(entries, { level: 1 })
}
