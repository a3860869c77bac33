/** Selects the same language in every group of tabs, both on this page and on pages opened later. */
const STORED = 'causeway-docs-tab'

const nameOf = input => document.querySelector(`label[for="${input.id}"]`)?.textContent

function selectAll(name) {
  // The theme switches a group's blocks when one of its tabs is clicked.
  for (const input of document.querySelectorAll('.vp-code-group input'))
    if (!input.checked && nameOf(input) === name) input.click()
}

/** Selects the language that the reader chose earlier. Call this function whenever a page is rendered. */
export function restoreTabs() {
  const name = localStorage.getItem(STORED)
  if (name) selectAll(name)
}

/** Stores the language that the reader chooses and selects it in the other groups. */
export function followTabs() {
  addEventListener('change', ({ target, isTrusted }) => {
    const group = target.closest('.vp-code-group')
    if (!group || !isTrusted || nameOf(target) === localStorage.getItem(STORED)) return
    localStorage.setItem(STORED, nameOf(target))
    const { top } = group.getBoundingClientRect()
    selectAll(nameOf(target))
    // Groups above the clicked one can change in height. Scroll to keep the clicked group in place.
    scrollBy(0, group.getBoundingClientRect().top - top)
  })
}
