import { signal } from '@preact/signals'

const query = matchMedia('(max-width: 45rem)')

/** Whether the window is that of a telephone: a chart is drawn narrower then, so that its words keep their size. */
export const isNarrow = signal(query.matches)
query.addEventListener('change', () => (isNarrow.value = query.matches))
