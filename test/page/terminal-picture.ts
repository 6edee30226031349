import { execFileSync } from 'node:child_process'
import { ROOT } from './browser.ts'

const COLORS = {
  light: { paper: '#ffffff', ink: '#1d2d3e', 2: '#5b6b7b', 31: '#aa0808', 33: '#8a5a00', 36: '#0b5f8a' },
  dark: { paper: '#12171c', ink: '#eaecee', 2: '#9aa7b4', 31: '#ff8888', 33: '#ffc069', 36: '#7fd0f0' },
} as const

/** What the command prints about the sample project, as it looks in a terminal: a page of its own. */
export function terminalPage(theme: 'light' | 'dark'): string {
  const env = { PATH: process.env['PATH'] ?? '', FORCE_COLOR: '1', PARAPET_ADVISORIES: 'bundled' }
  const text = execFileSync(process.execPath, ['dist/adapters/cli.js', 'scan', 'test/projects/shop'], {
    cwd: ROOT,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const { paper, ink } = COLORS[theme]
  const style = `margin:0;padding:20px 24px;background:${paper};color:${ink};font:13px/1.5 "DejaVu Sans Mono",monospace;white-space:pre-wrap`
  return `<!doctype html><body style="margin:0"><pre style='${style}'>$ npx parapet scan shop\n\n${paint(text, COLORS[theme])}</pre></body>`
}

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Select Graphic Rendition (ECMA-48, 8.3.117): bold, faint and the three colours that the command uses. */
function paint(text: string, colors: Readonly<Record<string, string>>): string {
  const [first = '', ...parts] = text.split('\u001b[')
  const painted = parts.map((part) => {
    const end = part.indexOf('m')
    const codes = part.slice(0, end).split(';')
    const color = codes.map((code) => colors[code]).find((known) => known !== undefined)
    const weight = codes.includes('1') ? 'font-weight:700;' : ''
    return `<span style="${weight}${color === undefined ? '' : `color:${color}`}">${escape(part.slice(end + 1))}</span>`
  })
  return escape(first) + painted.join('')
}
