// Fixes the roles and names that axe reports as errors in the bundle's elements.

const repairs = [
  // A menu link can be current, but only an option or a tab can be selected.
  [
    'button[aria-selected]:not([role])',
    button => {
      if (button.getAttribute('aria-selected') === 'true') button.setAttribute('aria-current', 'true')
      else button.removeAttribute('aria-current')
      button.removeAttribute('aria-selected')
    },
  ],
  ['aside[role="navigation"]', aside => aside.removeAttribute('role')],
  [
    'button[role="search"]',
    button => {
      button.removeAttribute('role')
      button.setAttribute('aria-label', 'Search the reference')
    },
  ],
  [
    '.code-copy:not([aria-label]), [class*="copy-button"]:not([aria-label])',
    button => button.setAttribute('aria-label', 'Copy'),
  ],
  // A button must not contain another control.
  ['.parameter-item-trigger [tabindex="0"]', part => part.removeAttribute('tabindex')],
  ['.parameter-item-trigger a[href]', link => link.removeAttribute('href')],
  ['ul.endpoints:not([tabindex])', list => list.setAttribute('tabindex', '0')],
]

let waiting = false
new MutationObserver(() => {
  if (waiting) return
  waiting = true
  requestAnimationFrame(() => {
    waiting = false
    for (const [selector, repair] of repairs) document.querySelectorAll(selector).forEach(repair)
  })
}).observe(document.querySelector('#reference').parentElement, {
  childList: true,
  subtree: true,
  attributeFilter: ['aria-selected', 'role'],
})
