import { useEffect } from 'preact/hooks'

/** Names the tab after what it shows. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} - Parapet`
  }, [title])
}
