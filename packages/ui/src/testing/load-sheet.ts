/** Adds a stylesheet to the test page, once, and waits until it has loaded. */
export async function loadSheet(href: string): Promise<void> {
  if (document.querySelector(`link[href="${href}"]`)) return
  const link = document.head.appendChild(document.createElement('link'))
  link.rel = 'stylesheet'
  await new Promise(resolve => {
    link.onload = resolve
    link.href = href
  })
}
