import { signal } from '@preact/signals'
import { readDropped } from './folder.ts'
import { go, route } from './router.ts'
import { scanChosen } from './scan.ts'

/** Whether files are held over the page. */
export const dragged = signal(false)

const holdsFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') === true

async function take(transfer: DataTransfer): Promise<void> {
  const chosen = await readDropped(transfer)
  if (chosen === undefined) return
  if (route.peek().screen !== 'scan') go('scan')
  await scanChosen(chosen)
}

// anywhere on the page: beside the place for it a browser would open the file and leave
addEventListener('dragover', (event) => {
  if (!holdsFiles(event)) return
  event.preventDefault()
  dragged.value = true
})
addEventListener('dragleave', ({ relatedTarget }) => {
  if (relatedTarget === null) dragged.value = false
})
addEventListener('drop', (event) => {
  dragged.value = false
  if (!holdsFiles(event) || event.dataTransfer === null) return
  event.preventDefault()
  void take(event.dataTransfer)
})
