/** Keyboard shortcuts. Single-key shortcuts do nothing in form fields, and the user can turn them off. */

interface Actions {
  search: () => void
  help: () => void
  go: (key: string) => void
  /** False if single-key shortcuts are turned off. */
  single: () => boolean
}

/** Returns the name of the shortcut that opens the search on this device. */
export const searchKey = (): string => (/Mac|iP(?:hone|ad|od)/.test(navigator.platform) ? '⌘K' : 'Ctrl K')

const isInField = (event: KeyboardEvent): boolean =>
  event
    .composedPath()
    .some(each => each instanceof HTMLElement && each.matches('input, textarea, select, [contenteditable], dialog'))

/** Moves the focus to the next or previous row of the page's list. */
function moveRow(root: ParentNode, by: 1 | -1): void {
  const rows = [...root.querySelectorAll<HTMLElement>('main .row-link')]
  const here = rows.indexOf(document.activeElement as HTMLElement)
  const next = here < 0 ? (by === 1 ? 0 : rows.length - 1) : here + by
  rows[next]?.focus()
}

/** Returns a `keydown` handler. */
export function createKeys(root: ParentNode, { search, help, go, single }: Actions): (event: KeyboardEvent) => void {
  let leader = false
  return event => {
    if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
      event.preventDefault()
      return search()
    }
    if (event.metaKey || event.ctrlKey || event.altKey || !single() || isInField(event)) return
    const { key } = event
    const afterLeader = leader
    leader = false
    if (afterLeader) return go(key)
    if (key === 'g') leader = true
    else if (key === '/') {
      event.preventDefault()
      search()
    } else if (key === '?') help()
    else if (key === 'j' || key === 'k') moveRow(root, key === 'j' ? 1 : -1)
    else if (['[', ']', 'f'].includes(key)) {
      const target = root.querySelector<HTMLElement>(`main [data-key="${key}"]`)
      if (!target) return
      event.preventDefault()
      target.click()
      if (key === 'f') target.focus()
    }
  }
}
