import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Report } from '../../../core/index.ts'
import { fetchBlob, toFault } from '../state/api.ts'
import { locale } from '../state/settings.ts'
import { say, type Word } from '../words/index.ts'
import { Menu } from './menu.tsx'

const FORMATS: readonly { readonly word: Word; readonly path: string; readonly extension: string }[] = [
  { word: 'exportHtml', path: '/html', extension: 'html' },
  { word: 'exportSarif', path: '/sarif', extension: 'sarif' },
  { word: 'exportSbom', path: '/sbom', extension: 'cdx.json' },
  { word: 'exportJson', path: '', extension: 'json' },
]

/** A name that every file system takes. */
const fileName = ({ projectName, scannedAt }: Report, extension: string): string =>
  `${projectName.replaceAll(/[^A-Za-z0-9._-]+/g, '-').slice(0, 80) || 'report'}-${scannedAt.slice(0, 10)}.${extension}`

function save(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/** What the server writes of the report; JSON comes from the page itself where the server has not kept it. */
export function ExportMenu({ report, kept }: { report: Report; kept: boolean }): JSX.Element {
  const [failed, setFailed] = useState('')
  const write = async (path: string, extension: string): Promise<void> => {
    setFailed('')
    try {
      const blob =
        path === ''
          ? new Blob([JSON.stringify(report, null, 2)], { type: 'application/json' })
          : await fetchBlob(`api/scan/${report.scanId}${path}?lang=${locale.value}`)
      save(blob, fileName(report, extension))
    } catch (error) {
      const fault = toFault(error)
      setFailed(fault.kind === 'offline' ? say('offlineTitle') : fault.problem.title)
    }
  }
  return (
    <>
      <Menu class="menu" labelClass="fd-button" label={`${say('exportMenu')} ▾`}>
        <ul>
          {FORMATS.map(({ word, path, extension }) => (
            <li key={word}>
              <button type="button" disabled={!kept && path !== ''} onClick={() => void write(path, extension)}>
                {say(word)}
              </button>
            </li>
          ))}
        </ul>
      </Menu>
      {failed !== '' && (
        <span role="alert" class="failed">
          {say('exportFailed', { reason: failed })}
        </span>
      )}
    </>
  )
}
