/**
 * Shows one screen in one state, from a fixture: `?screen=selection&state=infeasible&appearance=dark`. Other options:
 * `display=inline`, `accent=#0a7d55`, `busy=1`, `fault=offline`, `app=opening|over|refused|closed|failed`,
 * `locale=en-GB`. Without a query, the page shows the playground for browsing all screens. Sets `data-drawn` once the
 * screen has rendered.
 */
import type { Appearance, Display } from '@causeway/contract/frame'
import type { Step } from '@causeway/contract/session'
import { FlowApp } from '../src/app.js'
import type { Fault } from '../src/frame-client.js'
import { initial, type Phase } from '../src/machine.js'
import { applyTheme } from '../src/theme.js'
import { loadLanguage } from '../src/words/language.js'
import { gallery, NOW } from './fixtures.js'
import { play } from './playground.js'

const fault = (kind: string | null): Fault | null =>
  kind === null
    ? null
    : {
        kind: kind as Fault['kind'],
        error_type: 'API_ERROR',
        sub_type: 'INTERNAL_ERROR',
        message: '',
        request_id: null,
        wait: kind === 'limited' ? 30 : null,
      }

/** Replaces the current screen with the one specified by a query string. */
async function draw(query: URLSearchParams): Promise<void> {
  const step = query.get('screen') as Step | null
  const phase = query.get('app')
  const states = step ? gallery[step] : undefined
  const view = states ? (states[query.get('state') ?? ''] ?? Object.values(states)[0] ?? null) : null
  applyTheme(
    document.documentElement,
    {
      appearance: (query.get('appearance') ?? 'system') as Appearance,
      accent: query.get('accent') ?? view?.brand.primary_color ?? null,
      theme: {},
    },
    matchMedia('(prefers-color-scheme: dark)').matches,
  )
  const app = new FlowApp()
  app.language = await loadLanguage([query.get('locale')])
  app.display = (query.get('display') ?? 'modal') as Display
  app.now = () => NOW
  app.refused = phase === 'refused' ? 'no_parent' : null
  app.state = {
    ...initial,
    phase: phase === 'failed' ? 'opening' : ((phase ?? 'flow') as Phase),
    view,
    busy: query.has('busy'),
    call:
      view && view.step !== 'discovering'
        ? { kind: 'step', step: view.step, revision: view.revision, input: { action: 'back' } }
        : null,
    fault: phase === 'failed' ? fault('unavailable') : fault(query.get('fault')),
  }
  app.dispatch = message => console.info(JSON.stringify(message))
  document.querySelector(app.localName)?.remove()
  document.body.append(app)
  await app.updateComplete
  for (let i = 0; view && !app.querySelector(`screen-${view.step} h1`) && i < 200; i++)
    await new Promise(resolve => setTimeout(resolve, 10))
  if (view && !app.querySelector(`screen-${view.step} h1`)) throw new Error(`The ${view.step} screen did not render.`)
  document.documentElement.dataset['drawn'] = 'true'
}

// Lets tests show another screen without a reload: `await show('screen=code&state=error')`.
Object.assign(window, { show: (query: string) => draw(new URLSearchParams(query)) })

const query = new URLSearchParams(location.search)
if (query.has('screen') || query.has('app')) void draw(query)
else play()
