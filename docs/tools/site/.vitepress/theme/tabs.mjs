/** Selects the same language in every group of tabs, on this page and on the next ones. */
const STORED = 'causeway-docs-tab'

const nameOf = input => document.querySelector(`label[for="${input.id}"]`)?.textContent

function selectAll(name) {
  // The theme changes the blocks of a group when its tab is clicked.
  for (const input of document.querySelectorAll('.vp-code-group input'))
    if (!input.checked && nameOf(input) === name) input.click()
}

/** Selects the language that the reader chose before. Call it when a page is drawn. */
export function restoreTabs() {
  const name = localStorage.getItem(STORED)
  if (name) selectAll(name)
}

/** Stores the language that a reader chooses, and selects it in the other groups. */
export function followTabs() {
  addEventListener('change', ({ target, isTrusted }) => {
    const group = target.closest('.vp-code-group')
    if (!group || !isTrusted || nameOf(target) === localStorage.getItem(STORED)) return
    localStorage.setItem(STORED, nameOf(target))
    const { top } = group.getBoundingClientRect()
    selectAll(nameOf(target))
    // A group above can change its height. The one that was clicked stays in its place.
    scrollBy(0, group.getBoundingClientRect().top - top)
  })
}
