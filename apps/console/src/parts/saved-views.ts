/** The columns that a list hides, and the views of a list that a user saved. Both are queries of the page's URL. */
import { html, nothing, type TemplateResult } from 'lit'
import { address, type Place } from '../router.js'
import { words } from '../words.js'
import { icon } from './icons.js'
import { type Column, closeOnEscape } from './table.js'

export interface SavedView {
  id: string
  /** The path of the list's page. */
  list: string
  name: string
  /** The query of the page's URL. */
  query: string
}

/** Returns the query of a page's URL that a view saves: the filters and the hidden columns, in a fixed order. */
export function queryToSave({ path, query }: Place): string {
  const { team: _team, cursor: _cursor, ...kept } = Object.fromEntries(query)
  const sorted = Object.fromEntries(Object.entries(kept).sort(([one], [other]) => (one < other ? -1 : 1)))
  return address(path, sorted).slice(path.length + 1)
}

const hiddenNames = ({ query }: Place): string[] => query.get('hide')?.split(',') ?? []

/** Returns the columns that the URL does not hide. */
export function shownColumns<T>(place: Place, columns: readonly Column<T>[]): readonly Column<T>[] {
  const hidden = hiddenNames(place)
  return columns.filter(({ name }) => name === undefined || !hidden.includes(name))
}

/** Shows a checkbox for each column that the user can hide. */
export function columnsMenu(
  place: Place,
  columns: readonly Column<never>[],
  go: (address: string, replace: boolean) => void,
): TemplateResult {
  const hidden = hiddenNames(place)
  const change = (event: Event) => {
    const boxes = [...(event.currentTarget as HTMLFormElement).querySelectorAll('input')]
    const names = boxes.filter(({ checked }) => !checked).map(({ name }) => name)
    go(address(place.path, { ...Object.fromEntries(place.query), hide: names.join(',') || null }), true)
  }
  return html`<details class="menu wide" @keydown=${closeOnEscape}>
    <summary class="chip add">${words.table.columns}</summary>
    <form class="sheet" @change=${change} @submit=${(event: Event) => event.preventDefault()}>
      <fieldset>
        <legend>${words.table.columns}</legend>
        ${columns.map(({ name, head }) =>
          name === undefined
            ? nothing
            : html`<label class="pick"
                ><input type="checkbox" name=${name} .checked=${!hidden.includes(name)} />${head}</label
              >`,
        )}
      </fieldset>
    </form>
  </details>`
}

/** Asks for the name of a new view. */
export function saveViewMenu(save: (name: string) => void): TemplateResult {
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.target as HTMLFormElement
    save(String(new FormData(form).get('name')))
    form.closest('details')!.open = false
  }
  return html`<details class="menu" @keydown=${closeOnEscape}>
    <summary class="chip add">${icon('plus')}${words.table.saveView}</summary>
    <form class="sheet" @submit=${submit}>
      <label class="field"
        >${words.table.viewName} <input class="input" name="name" required maxlength="40" autocomplete="off"
      /></label>
      <div class="actions"><button class="btn go">${words.table.save}</button></div>
    </form>
  </details>`
}

/** Renders the links to the saved views. */
export function savedTabs(place: Place, views: readonly SavedView[]): { tabs: unknown; isOn: boolean } {
  const query = queryToSave(place)
  const team = place.query.get('team')
  return {
    isOn: views.some(view => view.query === query),
    tabs: views.map(
      view =>
        html`<a
          href=${address(place.path, { ...Object.fromEntries(new URLSearchParams(view.query)), team })}
          aria-current=${view.query === query ? 'true' : nothing}
          >${view.name}</a
        >`,
    ),
  }
}
