import type { Page } from 'playwright-core'

/** How the focus changes what is seen. */
export interface Change {
  /** Pixels that differ by at least 3 to 1, as a share of what a ring of two pixels around the visible part has; 1 and more is enough. */
  readonly share: number
  /** The largest difference that was seen. */
  readonly contrast: number
}

/** Around an element: room for a ring outside of it. */
const ROOM = 8
/** Corners are round, and edges are blended with what is beside them. */
const ENOUGH = 0.8

/** Compares the pixels of what has the focus with those without it (WCAG 2.2, 2.4.13). The focus is lost, the next key goes on from there. */
export async function measureChange(page: Page): Promise<Change> {
  const box = await page.evaluate((room) => {
    const { activeElement } = document
    const radio = activeElement instanceof HTMLInputElement && activeElement.type === 'radio'
    const shown = (radio ? activeElement.closest('label') : undefined) ?? activeElement
    if (shown === null) return { x: 0, y: 0, width: 1, height: 1, ring: 1 }
    // below what stays at the top
    if (shown.closest('.bar') === null) shown.scrollIntoView({ block: 'center' })
    const { left, top, right, bottom } = shown.getBoundingClientRect()
    const [x, y] = [Math.max(0, left - room), Math.max(0, top - room)]
    const [x2, y2] = [Math.min(innerWidth, right + room), Math.min(innerHeight, bottom + room)]
    const [wide, high] = [Math.min(innerWidth, right) - Math.max(0, left), Math.min(innerHeight, bottom) - Math.max(0, top)]
    const edges = [top >= 0 ? wide : 0, bottom <= innerHeight ? wide : 0, left >= 0 ? high : 0, right <= innerWidth ? high : 0]
    return { x, y, width: x2 - x, height: y2 - y, ring: 2 * edges.reduce((sum, edge) => sum + edge, 0) }
  }, ROOM)
  const { ring, ...clip } = box
  const shoot = async (): Promise<string> => (await page.screenshot({ clip, animations: 'disabled' })).toString('base64')
  const focused = await shoot()
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
  const plain = await shoot()
  const { pixels, contrast } = await page.evaluate(compare, [focused, plain] as const)
  return { share: pixels / (ring * ENOUGH), contrast }
}

/** In the page: how many pixels of two pictures differ by 3 to 1. */
async function compare(pictures: readonly [string, string]): Promise<{ pixels: number; contrast: number }> {
  const read = async (base64: string): Promise<Uint8ClampedArray> => {
    const picture = new Image()
    picture.src = `data:image/png;base64,${base64}`
    await picture.decode()
    const canvas = new OffscreenCanvas(picture.width, picture.height)
    const context = canvas.getContext('2d')
    context?.drawImage(picture, 0, 0)
    return context?.getImageData(0, 0, picture.width, picture.height).data ?? new Uint8ClampedArray()
  }
  const light = (data: Uint8ClampedArray, at: number): number => {
    const part = (value = 0): number => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4)
    return 0.2126 * part(data[at]) + 0.7152 * part(data[at + 1]) + 0.0722 * part(data[at + 2])
  }
  const [one, other] = await Promise.all(pictures.map(read))
  let [pixels, contrast] = [0, 1]
  if (one === undefined || other === undefined) return { pixels, contrast }
  for (let at = 0; at < one.length; at += 4) {
    const [first, second] = [light(one, at), light(other, at)]
    const ratio = (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05)
    if (ratio >= 3) pixels += 1
    contrast = Math.max(contrast, ratio)
  }
  return { pixels, contrast }
}
