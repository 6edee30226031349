import type { JSX } from 'preact'
import type { Severity } from '../../../core/index.ts'

/** One shape for each severity: colour alone tells nothing to many. */
const SHAPES: Readonly<Record<Severity, string>> = {
  CRITICAL: 'M5 1h6l4 4v6l-4 4H5l-4-4V5z',
  HIGH: 'M8 1.500 15.500 14.500H.5z',
  MEDIUM: 'M8 .8 15.200 8 8 15.200.8 8z',
  LOW: 'M8 1.500a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13z',
  INFO: 'M2 2h12v12H2z',
}

export function SeverityIcon({ severity }: { severity: Severity }): JSX.Element {
  return (
    <svg class={`severity-icon ${severity.toLowerCase()}`} viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
      <path d={SHAPES[severity]} />
    </svg>
  )
}

const PATHS = {
  shield: 'M8 1 2 3v4.500C2 11.200 4.500 14 8 15c3.500-1 6-3.800 6-7.500V3z',
  upload:
    'M7.200 10.500V4.300L4.900 6.600 3.800 5.500 8 1.300l4.200 4.200-1.100 1.100-2.300-2.300v6.200zM2 9.500h1.500v3.700h9V9.500H14v5.200H2z',
  chevron: 'm5.500 2.500 5.500 5.500-5.500 5.500-1.100-1.100L8.800 8 4.400 3.600z',
  check: 'm6.300 12.300-4-4 1.100-1.100 2.900 2.900 6.300-6.300 1.100 1.100z',
  copy: 'M5 1h9v10h-3v4H2V5h3zm1.500 1.500V5H11v4.500h1.500v-7zM3.500 6.500v7h6v-7z',
  warning: 'M8 1.200 15.500 14.600H.5zM7.300 6v4.300h1.400V6zm0 5.400v1.500h1.400v-1.500z',
  error: 'M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1zM7.300 4v5h1.400V4zm0 6.400V12h1.400v-1.600z',
  info: 'M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1zM7.300 7v5h1.400V7zm0-3v1.600h1.400V4z',
  close:
    'm3.600 2.500 4.400 4.400 4.400-4.400 1.100 1.100L9.100 8l4.400 4.400-1.100 1.100L8 9.100l-4.400 4.400-1.100-1.100L6.900 8 2.500 3.600z',
  folder: 'M1.500 2.500h5l1.500 2h6.500v9h-13z',
} as const

export type IconName = keyof typeof PATHS

export function Icon({ name, size = 16 }: { name: IconName; size?: number }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 16 16" width={size} height={size} aria-hidden="true">
      <path d={PATHS[name]} fill-rule="evenodd" />
    </svg>
  )
}
