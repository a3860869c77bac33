/** Lists all screens next to the selected screen, which is shown in the chosen theme, language and width. */
import { catalogues } from '../src/words/language.js'
import { gallery } from './fixtures.js'

const phases = ['opening', 'failed', 'over', 'refused', 'closed']
const accents = ['', '#0a7d55', '#b3261e', '#6d28d9', '#facc15', '#111827']
const widths = ['320', '390', '480', '768']

const pages = [
  ...Object.entries(gallery).flatMap(([screen, states]) =>
    Object.keys(states).map(state => [`${screen} · ${state}`, `screen=${screen}&state=${state}`] as const),
  ),
  ...phases.map(phase => [`app · ${phase}`, `app=${phase}`] as const),
]

/** Renders a labeled select field. The URL stores the selected value so that a view can be shared as a link. */
function choice(name: string, values: readonly string[], change: () => void): HTMLLabelElement {
  const label = document.createElement('label')
  const select = document.createElement('select')
  select.name = name
  for (const value of values) select.add(new Option(value || 'as it is', value))
  select.value = new URLSearchParams(location.hash.slice(1)).get(name) ?? values[0]!
  select.onchange = change
  label.append(`${name} `, select)
  return label
}

/** Renders the playground. */
export function play(): void {
  document.title = 'Playground'
  document.body.classList.add('playground')
  const frame = document.createElement('iframe')
  frame.title = 'The screen'
  const bar = document.createElement('form')
  const list = document.createElement('nav')
  const show = () => {
    const chosen = new URLSearchParams(new FormData(bar) as never)
    const at = new URLSearchParams(location.hash.slice(1)).get('page') ?? pages[0]![1]
    for (const link of list.querySelectorAll('a')) link.toggleAttribute('aria-current', link.dataset['page'] === at)
    frame.width = chosen.get('width') ?? '390'
    for (const [name, value] of [...chosen]) if (!value) chosen.delete(name)
    frame.src = `?${at}&${chosen}`
    location.hash = `${new URLSearchParams({ page: at })}&${chosen}`
  }
  bar.append(
    choice('width', widths, show),
    choice('appearance', ['light', 'dark', 'system'], show),
    choice('display', ['modal', 'inline'], show),
    choice('locale', Object.keys(catalogues), show),
    choice('accent', accents, show),
    choice('fault', ['', 'offline', 'unavailable', 'limited'], show),
  )
  for (const [name, page] of pages) {
    const link = document.createElement('a')
    link.href = `#${new URLSearchParams({ page })}`
    link.dataset['page'] = page
    link.textContent = name
    link.onclick = () => {
      location.hash = `${new URLSearchParams({ page })}`
      show()
      return false
    }
    list.append(link)
  }
  document.body.append(list, bar, frame)
  show()
}
