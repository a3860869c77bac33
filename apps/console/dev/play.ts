/**
 * Shows one page in one state, with data from fixtures: `?page=payment&state=came_back`. Without a query, lists every
 * page and state. Sets `data-drawn` on the document once everything is rendered.
 */
import { html, render } from 'lit'
import { addressBarAt, mount, settled } from './mount.js'
import { scenes } from './scenes.js'

async function draw(page: string, state: string): Promise<void> {
  const scene = scenes[page]?.[state]
  if (!scene) throw new Error(`There is no ${page} in the ${state} state.`)
  const { app } = mount(scene, addressBarAt(scene.at))
  document.body.replaceChildren(app)
  await settled(app)
  if (scene.again) {
    app.querySelector<HTMLElement & { refresh(): void }>('main > .body')?.refresh()
    await settled(app)
  }
  if (scene.slow) await new Promise(resolve => setTimeout(resolve, 250))
  for (const selector of scene.press ?? []) {
    app.ownerDocument.querySelector<HTMLElement>(selector)?.click()
    await settled(app)
  }
  document.documentElement.dataset['drawn'] = 'true'
}

function index(): void {
  document.body.replaceChildren()
  render(
    html`<main class="play">
      <h1>Every page in every state</h1>
      ${Object.entries(scenes).map(
        ([page, states]) =>
          html`<section>
            <h2>${page}</h2>
            <ul>
              ${Object.keys(states).map(state => html`<li><a href="?page=${page}&state=${state}">${state}</a></li>`)}
            </ul>
          </section>`,
      )}
    </main>`,
    document.body,
  )
  document.documentElement.dataset['drawn'] = 'true'
}

// Used by tests, which load the modules once and then render every scene.
Object.assign(window, {
  draw,
  scenes: Object.entries(scenes).flatMap(([page, states]) => Object.keys(states).map(state => [page, state])),
})

const query = new URLSearchParams(location.search)
const page = query.get('page')
if (page) void draw(page, query.get('state') ?? Object.keys(scenes[page] ?? {})[0] ?? '')
else index()
