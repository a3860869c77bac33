let isChecked = false

/** Warns developers once if the page has no viewport tag. Phones would show the page and the flow too small. */
export function checkViewport(): void {
  if (!isChecked && !document.querySelector('meta[name=viewport]'))
    console.warn('The page has no viewport meta tag. Phones show it too small.')
  isChecked = true
}
