/**
 * Finds an element by visible properties. The function runs in the page in any browser, so it must not use anything
 * declared outside it.
 * @param query `role` with `name` (and `checked` for a checkbox), a field's `label` (and its `value`), `text`, or
 * `css`. Each text is either a string, which must match the whole text, or the `{ source }` of a regular expression
 * @returns the first visible match, including matches inside open shadow roots, or null if there is none
 */
export function find({ role, name, checked, label, value, text, css }) {
  const roles = {
    button: 'button, summary, [role=button]',
    checkbox: 'input[type=checkbox]',
    dialog: 'dialog',
    heading: 'h1, h2',
    link: 'a[href]',
    listitem: 'li',
    option: '[role=option]',
    radio: 'input[type=radio]',
  }
  const everything = root =>
    [...root.querySelectorAll('*')].flatMap(each => (each.shadowRoot ? [each, ...everything(each.shadowRoot)] : [each]))
  const squeezed = words => words.replace(/\s+/g, ' ').trim()
  const says = (words, asked) =>
    typeof asked === 'string' ? squeezed(words) === asked : new RegExp(asked.source).test(squeezed(words))
  const nameOf = element => {
    const by = element.getAttribute('aria-labelledby')
    if (by)
      return by
        .split(' ')
        .map(id => element.getRootNode().getElementById(id)?.textContent ?? '')
        .join(' ')
    const labels = [...(element.labels ?? [])].map(each => each.textContent).join(' ')
    return element.getAttribute('aria-label') ?? (labels || element.textContent)
  }
  const own = element => [...element.childNodes].map(node => (node.nodeType === 3 ? node.data : '')).join('')
  const fits = element => {
    if (css) return element.matches(css)
    if (checked !== undefined && element.checked !== checked) return false
    if (role) return element.matches(roles[role]) && (!name || says(nameOf(element), name))
    if (text) return says(own(element), text)
    const field = element.matches('input, select, textarea') && says(nameOf(element), label)
    return field && (value === undefined || element.value === value)
  }
  return (
    everything(document).find(
      element => fits(element) && element.checkVisibility({ visibilityProperty: true, opacityProperty: false }),
    ) ?? null
  )
}
