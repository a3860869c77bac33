// biome-ignore-all lint/style/noExcessiveLinesPerFile: the tests for every state of the app share the same helpers.
import type { SessionView, Step } from '@causeway/contract/session'
import { expect, fixture, html } from '@open-wc/testing'
import { gallery, NOW } from '../dev/fixtures.js'
import './app.js'
import { waitFor } from '@causeway/ui/testing/wait-for'
import type { FlowApp } from './app.js'
import type { Fault } from './frame-client.js'
import { type Command, initial, type Message, reduce, type State } from './machine.js'
import type { AnyScreen } from './screens/load.js'
import { applyStyles } from './testing/mount.js'
import { catalogues, loadLanguage } from './words/language.js'

interface Held {
  app: FlowApp
  dispatched: Message[]
  set: (state: Partial<State>) => Promise<void>
  /** Waits until a step's screen is shown. */
  at: (step: Step) => Promise<void>
}

async function hold(state: Partial<State>): Promise<Held> {
  await applyStyles()
  const dispatched: Message[] = []
  const app = await fixture<FlowApp>(
    html`<causeway-flow
      .state=${{ ...initial, ...state }}
      .dispatch=${(message: Message) => dispatched.push(message)}
      .now=${() => NOW}
    ></causeway-flow>`,
  )
  return {
    app,
    dispatched,
    set: async next => {
      app.state = { ...app.state, ...next }
      await app.updateComplete
    },
    at: step => waitFor(() => app.querySelector(`screen-${step} h1`) !== null, step),
  }
}
const flow = (view: SessionView): Partial<State> => ({ phase: 'flow', view })

/** Runs the app on the state machine in an open session, and records its calls. */
async function live(view: SessionView) {
  const { app, at } = await hold({ ...flow(view), bearer: 'b' })
  const calls: Extract<Command, { do: 'call' }>['call'][] = []
  const dispatch = (message: Message): void => {
    const [next, commands] = reduce(app.state, message)
    app.state = next
    for (const command of commands) if (command.do === 'call') calls.push(command.call)
  }
  app.dispatch = dispatch
  await at(view.step)
  return {
    app,
    calls,
    dispatch,
    press: async (name: string) => {
      button(app, name)!.click()
      await app.updateComplete
      await app.querySelector<AnyScreen>(`screen-${view.step}`)!.updateComplete
    },
    fail: async (kind: Fault['kind']) => {
      dispatch({ type: 'failed', turn: app.state.turn, fault: fault(kind) })
      await waitFor(() => app.querySelector('.dock .alert') !== null)
    },
  }
}
const revised = (view: SessionView, over: Partial<SessionView> = {}) =>
  ({ ...view, revision: 2, ...over }) as SessionView
const fault = (kind: Fault['kind']): Fault => ({
  kind,
  error_type: '',
  sub_type: '',
  message: '',
  request_id: null,
  wait: null,
})
const button = (app: FlowApp, name: string) =>
  [...app.querySelectorAll<HTMLElement>('button')].find(
    each => (each.getAttribute('aria-label') ?? each.textContent?.trim()) === name,
  )

describe('the app', () => {
  it('shows a placeholder in the shape of a screen while it opens, and says what it is doing', async () => {
    const { app } = await hold({ busy: true })
    expect(app.querySelectorAll('.bone').length).to.be.greaterThan(3)
    expect(app.querySelector('[role="status"] h1')?.textContent).to.contain('Opening')
    await expect(app).to.be.accessible()
  })

  it('leaves the focus to the host page at first, and gives it to the next question', async () => {
    const { app, at, set } = await hold(flow(gallery.consent['plain']!))
    await at('consent')
    expect(app.contains(document.activeElement)).to.equal(false)
    await set(flow(revised(gallery.phone['plain']!)))
    await at('phone')
    await waitFor(() => document.activeElement?.localName === 'h1')
    expect(document.activeElement?.textContent).to.equal('Can we text you a code?')
  })

  it('keeps what was typed when the same step is returned with an error', async () => {
    const { app, at, set } = await hold(flow(gallery.phone['empty']!))
    await at('phone')
    const input = app.querySelector<HTMLInputElement>('#phone')!
    input.value = '5125550100'
    input.dispatchEvent(new InputEvent('input', { bubbles: true }))
    await set(flow(revised(gallery.phone['empty']!, { errors: [{ field: 'phone', code: 'refused', values: {} }] })))
    await waitFor(() => app.querySelector('[aria-invalid="true"]') !== null)
    expect(app.querySelector<HTMLInputElement>('#phone')?.value).to.equal('(512) 555-0100')
  })

  it('keeps the old screen until the new one has loaded', async () => {
    const { app, at, set } = await hold(flow(gallery.consent['plain']!))
    await at('consent')
    await set(flow(revised(gallery.blocked['disabled']!)))
    expect(app.querySelectorAll('h1')).to.have.length(1)
    await at('blocked')
    expect(app.querySelectorAll('h1')).to.have.length(1)
  })

  it("turns a screen's request into a submission", async () => {
    const { app, at, dispatched } = await hold(flow(gallery.phone['plain']!))
    await at('phone')
    button(app, 'Text me a code')?.click()
    expect(dispatched).to.deep.equal([{ type: 'submit', input: { action: 'send' } }])
  })

  it('goes back only where the service says that it can', async () => {
    const { app, at, dispatched, set } = await hold(flow(gallery.consent['plain']!))
    await at('consent')
    expect(button(app, 'Back') === undefined).to.equal(true)
    await set(flow(revised(gallery.selection['plain']!)))
    await at('selection')
    expect(button(app, 'Back') === undefined).to.equal(true)
    await set(flow(revised(gallery.allocation['plain']!, { revision: 3 })))
    await at('allocation')
    button(app, 'Back')?.click()
    expect(dispatched).to.deep.equal([{ type: 'submit', input: { action: 'back' } }])
  })

  it('goes back to the previous page within a screen without a call', async () => {
    const { app, at, dispatched } = await hold(flow(gallery.details['plain']!))
    await at('details')
    await app.later
    expect(button(app, 'Back') === undefined).to.equal(true)
    const enter = (id: string, text: string) => {
      const input = app.querySelector<HTMLInputElement>(id)!
      input.value = text
      input.dispatchEvent(new InputEvent('input', { bubbles: true }))
    }
    for (const [id, text] of Object.entries({ first_name: 'Ana', last_name: 'Ruiz', 'dob-month': '3' }))
      enter(`#${id}`, text)
    for (const [id, text] of Object.entries({ 'dob-day': '11', 'dob-year': '1980', ssn_4: '1234' }))
      enter(`#${id}`, text)
    app.querySelector<HTMLElement>('.cta')!.click()
    await waitFor(() => document.activeElement?.textContent === 'Where do you live?')
    button(app, 'Back')!.click()
    await waitFor(() => document.activeElement?.textContent === 'Tell us about you')
    expect(button(app, 'Back') === undefined).to.equal(true)
    expect(dispatched.filter(({ type }) => type === 'submit')).to.deep.equal([])
  })

  it('announces the middle and the end of the way once, and no other progress', async () => {
    const { app, at, set } = await hold(flow(gallery.consent['plain']!))
    const said: string[] = []
    new MutationObserver(() => said.push(app.querySelector('p.sr[role=status]')!.textContent!)).observe(
      app.querySelector('p.sr[role=status]')!,
      { childList: true, characterData: true, subtree: true },
    )
    const steps = ['phone', 'selection', 'allocation', 'selection', 'review', 'done'] as const
    for (const [turn, step] of steps.entries()) {
      const index = { phone: 2, selection: 7, allocation: 8, review: 12, done: 13 }[step]
      await set(flow({ ...gallery[step]['plain']!, revision: turn + 2, progress: { index, total: 13 } } as SessionView))
      await at(step)
    }
    await waitFor(() => said.includes('You’re almost done.'))
    expect(said.filter(text => text !== '')).to.deep.equal(['You’re halfway through.', 'You’re almost done.'])
  })

  it("has one row above an inline flow, without the customer's name", async () => {
    const { app, at } = await hold(flow(gallery.code['plain']!))
    await at('code')
    app.display = 'inline'
    await app.updateComplete
    const box = (selector: string) => app.querySelector(selector)!.getBoundingClientRect()
    expect(box('.brand').height).to.equal(0)
    const [row, line, back, close] = ['.top', '.progress', '.top-button', '.top-button:last-child'].map(box)
    expect(row!.height).to.be.lessThan(60)
    expect(line!.left).to.be.at.least(back!.right)
    expect(line!.right).to.be.at.most(close!.left)
    expect(line!.top).to.be.within(row!.top, row!.bottom)
    app.display = 'modal'
    await app.updateComplete
  })

  it('has a title that names the customer and the purpose', async () => {
    const { set } = await hold(flow(gallery.consent['plain']!))
    expect(document.title).to.match(/^Northwind Lending: .*debts/)
    await set(flow(gallery.consent['connect']!))
    expect(document.title).to.equal('Connect your accounts to Northwind Lending')
    await set(flow(gallery.consent['identity']!))
    expect(document.title).to.match(/^Northwind Lending: .*who you are/)
  })

  it("leaves room for the end after a mode's last step", async () => {
    const { app, at, set } = await hold(flow({ ...gallery.card['plain']!, progress: { index: 9, total: 9 } }))
    const reached = () => Number(app.querySelector('[role="progressbar"]')?.getAttribute('aria-valuenow'))
    await at('card')
    expect(reached()).to.be.within(80, 99)
    await set(flow(revised(gallery.done['cards']!)))
    await at('done')
    expect(reached()).to.equal(100)
  })

  it('has no progress line on pages without steps, and keeps its space', async () => {
    const { app, at, set } = await hold(flow(gallery.consent['plain']!))
    await at('consent')
    const height = () => app.querySelector('.top')!.getBoundingClientRect().height
    const before = height()
    await set(flow(revised(gallery.manage['plain']!)))
    await at('manage')
    for (const phase of ['flow', 'refused', 'over'] as const) {
      await set({ phase, ...(phase === 'flow' ? {} : { view: null }) })
      expect(getComputedStyle(app.querySelector('.progress')!).visibility).to.equal('hidden')
      expect(height()).to.equal(before)
    }
  })

  it('keeps the progress line in place when the flow is blocked', async () => {
    const { app, at, set } = await hold(flow(gallery.questions['plain']!))
    await at('questions')
    const reached = () => app.querySelector('[role="progressbar"]')?.getAttribute('aria-valuenow')
    const before = reached()
    await set(flow(revised(gallery.blocked['thin_file']!, { progress: { index: 0, total: 10 } })))
    await at('blocked')
    expect(reached()).to.equal(before)
  })

  it("reports closing as the person's choice, and as a completion at the end", async () => {
    const { app, at, dispatched, set } = await hold(flow(gallery.consent['plain']!))
    await at('consent')
    button(app, 'Close')?.click()
    await set(flow(revised(gallery.done['plain']!)))
    await at('done')
    button(app, 'Close')?.click()
    expect(dispatched).to.deep.equal([
      { type: 'exit', reason: 'user' },
      { type: 'exit', reason: 'completed' },
    ])
  })

  for (const [name, state, reason] of [
    ['over is its expiry', { phase: 'over', view: gallery.phone['plain']! }, 'expired'],
    ['refused is an error', { phase: 'refused' }, 'error'],
    ['stuck is an error', flow(gallery.blocked['no_accounts']!), 'error'],
    ['not theirs is the person’s wish', flow(gallery.blocked['not_me']!), 'user'],
    ['blocked for now is the person’s wish', flow(gallery.blocked['credit_freeze']!), 'user'],
    ['over after its end is still complete', { phase: 'over', view: gallery.done['plain']! }, 'completed'],
  ] as [string, Partial<State>, string][])
    it(`closing a flow that is ${name}`, async () => {
      const { app, dispatched } = await hold(state)
      await waitFor(() => button(app, 'Close') !== undefined)
      button(app, 'Close')?.click()
      expect(dispatched).to.deep.equal([{ type: 'exit', reason }])
    })

  it('asks before closing a screen with input, and stays if the person chooses to', async () => {
    const { app, at, dispatched } = await hold(flow(gallery.phone['empty']!))
    await at('phone')
    const input = app.querySelector<HTMLInputElement>('#phone')!
    input.value = '5125550100'
    input.dispatchEvent(new InputEvent('input', { bubbles: true }))
    const exits = () => dispatched.filter(({ type }) => type === 'exit')
    const answer = async (name: string) => {
      button(app, 'Close')!.click()
      button(app, 'Close')!.click()
      await waitFor(() => document.querySelector('dialog.ask'))
      const [dialog, second] = document.querySelectorAll<HTMLElement>('dialog.ask')
      expect(second).to.equal(undefined)
      await expect(dialog).to.be.accessible()
      const wanted = [...dialog!.querySelectorAll('button')].find(({ textContent }) => textContent === name)
      wanted!.click()
      await waitFor(() => !document.querySelector('dialog.ask'))
    }
    await answer('Stay here')
    expect(exits()).to.deep.equal([])
    expect(input.value).to.equal('(512) 555-0100')
    await answer('Leave')
    expect(exits()).to.deep.equal([{ type: 'exit', reason: 'user' }])
  })

  it('replaces a logo that does not load with the first letter of the name', async () => {
    const view = gallery.consent['plain']!
    const { app, at } = await hold(
      flow({ ...view, brand: { ...view.brand, logo: 'data:image/png;base64,AAAA' } } as SessionView),
    )
    await at('consent')
    await waitFor(() => app.querySelector('span.brand-mark')?.textContent === 'N')
  })

  for (const [name, state, words] of [
    ['over', { phase: 'over' }, 'Your session has ended'],
    ['refused', { phase: 'refused' }, 'This page can’t be opened here'],
    ['closed', { phase: 'closed' }, 'You can close this window'],
  ] as const)
    it(`says so when it is ${name}`, async () => {
      const { app } = await hold(state)
      await waitFor(() => app.querySelector('h1')?.textContent === words)
      await expect(app).to.be.accessible()
    })

  it('shows the end in the language that was chosen while its texts loaded', async () => {
    const { rest } = catalogues['en']!
    let load = () => {}
    catalogues['en']!.rest = () =>
      new Promise(resolve => {
        load = () => resolve(rest())
      })
    const { app } = await hold({ phase: 'over' })
    app.language = await loadLanguage(['es'])
    catalogues['en']!.rest = rest
    load()
    await waitFor(() => app.querySelector('h1')?.textContent === 'Tu sesión terminó')
    expect(button(app, 'Abrirla de nuevo') === undefined).to.equal(false)
  })

  it('can reopen an ended session even if the texts for it do not load', async () => {
    const { rest } = catalogues['en']!
    catalogues['en']!.rest = () => Promise.reject(new Error('offline'))
    const { app, dispatched } = await hold({ phase: 'over' })
    await waitFor(() => button(app, 'Try again') !== undefined)
    catalogues['en']!.rest = rest
    button(app, 'Try again')?.click()
    expect(dispatched).to.deep.equal([{ type: 'retry' }])
    await waitFor(() => app.querySelector('h1')?.textContent === 'Your session has ended')
  })

  it('keeps what was typed when an ended session is reopened', async () => {
    const { app, at, set, dispatched } = await hold(flow(gallery.phone['empty']!))
    await at('phone')
    const input = app.querySelector<HTMLInputElement>('#phone')!
    input.value = '5125550100'
    input.dispatchEvent(new InputEvent('input', { bubbles: true }))
    await set({ phase: 'over' })
    await waitFor(() => button(app, 'Open it again') !== undefined)
    button(app, 'Open it again')?.click()
    expect(dispatched).to.deep.equal([{ type: 'retry' }])
    await set({ phase: 'flow' })
    expect(app.querySelector<HTMLInputElement>('#phone')?.value).to.equal('(512) 555-0100')
  })

  it('announces that the session is reopening, but not if it is over or closed', async () => {
    const view = gallery.consent['plain']!
    for (const [phase, spoken] of [
      ['flow', true],
      ['over', false],
      ['closed', false],
    ] as const) {
      const { app, at, set } = await hold({ ...flow(view), bearer: 'b' })
      await at('consent')
      await set({ phase, bearer: null })
      expect([phase, app.textContent?.includes('Opening it again')]).to.deep.equal([phase, spoken])
    }
  })

  it('announces that it works on a step, and clears the announcement once the response arrives', async () => {
    const { app, at, set } = await hold(flow(gallery.consent['plain']!))
    const spoken = () => app.querySelector('p.sr[role=status]')?.textContent
    await at('consent')
    await set({ busy: true })
    await waitFor(() => spoken() === 'Working…')
    await set({ busy: false })
    await waitFor(() => spoken() === '')
  })

  it('moves focus to the state that replaces a focused screen', async () => {
    const { app, at, set } = await hold(flow(gallery.consent['plain']!))
    await at('consent')
    app.querySelector<HTMLElement>('.cta')!.focus()
    await set({ phase: 'over' })
    await waitFor(() => document.activeElement === app.querySelector('.state h1'))
    const untouched = await hold(flow(gallery.consent['plain']!))
    await untouched.at('consent')
    ;(document.activeElement as HTMLElement).blur()
    await untouched.set({ phase: 'over' })
    await waitFor(() => untouched.app.querySelector('.state h1') !== null)
    expect(document.activeElement?.localName).to.equal('body')
  })

  it('has no close button after it was closed', async () => {
    const { app, set } = await hold(flow(gallery.consent['plain']!))
    expect(button(app, 'Close') === undefined).to.equal(false)
    await set({ phase: 'closed' })
    expect(button(app, 'Close') === undefined).to.equal(true)
  })

  it('shows only one button that repeats a failed call', async () => {
    const step = { kind: 'step', step: 'phone', revision: 1, input: { action: 'send' } } as const
    const redeem = { kind: 'redeem', token: 't', exchange_id: 'x', prepared: false } as const
    const { app, at, set, dispatched } = await hold(flow(gallery.phone['plain']!))
    await at('phone')
    const shown = () =>
      [...app.querySelectorAll<HTMLElement>('.dock button')].filter(each => each.offsetParent !== null)
    const names = () => shown().map(each => each.textContent?.trim())
    for (const kind of ['offline', 'unavailable', 'limited'] as const) {
      for (const over of [
        { call: step, held: null },
        { call: redeem, held: step },
      ]) {
        await set({ fault: fault(kind), ...over })
        await waitFor(() => app.querySelector('.dock .alert') !== null)
        expect(names()).to.deep.equal(['Text me a code'])
      }
      await set({ fault: null, call: null, held: null })
      await waitFor(() => app.querySelector('.dock .alert') === null)
    }
    shown()[0]!.click()
    expect(dispatched.map(({ type }) => type)).to.deep.equal(['submit'])
  })

  it('offers a retry if no button of the screen repeats the failed call', async () => {
    const silent = { kind: 'step', step: 'code', revision: 1, input: { action: 'silent' } } as const
    for (const [view, call] of [
      [gallery.phone['plain']!, { kind: 'redeem', token: 't', exchange_id: 'x', prepared: false }],
      [gallery.discovering['plain']!, { kind: 'refresh' }],
      [gallery.code['silent']!, silent],
    ] as const) {
      const { app, at, set, dispatched } = await hold(flow(view))
      await at(view.step)
      await set({ fault: fault('offline'), call })
      await waitFor(() => app.querySelector('.dock .alert') !== null)
      const retry = button(app, 'Try again')!
      expect(retry.offsetParent).not.to.equal(null)
      retry.click()
      expect(dispatched.at(-1)).to.deep.equal({ type: 'retry' })
    }
  })

  for (const [name, view, open, send, back] of [
    ['a withdrawal', gallery.manage['plain']!, 'Stop sharing everything', 'Stop sharing everything', 'Keep sharing'],
    ['“This isn’t me”', gallery.phone['fixed']!, 'This isn’t me', 'Yes, stop here', 'No, it’s for me'],
    ['“This isn’t me” at the code', gallery.code['fixed']!, 'This isn’t me', 'Yes, stop here', 'No, it’s for me'],
    ['the number on file', gallery.phone['plain']!, null, 'Text me a code', 'Use another number'],
  ] as const)
    it(`does not resend ${name} after the person went back from it`, async () => {
      const { app, calls, dispatch, fail, press } = await live(view)
      if (open) await press(open)
      await press(send)
      expect(calls.map(({ kind }) => kind)).to.deep.equal(['step'])
      // A running call can't be canceled.
      await press(back)
      expect(button(app, back)).to.exist
      await fail('offline')
      await press(back)
      await waitFor(() => app.querySelector('.dock .alert') === null)
      expect(app.querySelector<AnyScreen>(`screen-${view.step}`)!.entered).to.equal(false)
      dispatch({ type: 'online' })
      expect(calls.map(({ kind }) => kind)).to.deep.equal(['step', 'refresh'])
    })

  it('does not send a withdrawal that the end of the session interrupted after the person went back', async () => {
    const view = gallery.manage['plain']!
    const { app, calls, dispatch, fail, press } = await live(view)
    await press('Stop sharing everything')
    await press('Stop sharing everything')
    dispatch({ type: 'failed', turn: app.state.turn, fault: fault('expired') })
    dispatch({ type: 'token', token: 't', exchange_id: 'x' })
    await fail('offline')
    await press('Keep sharing')
    dispatch({ type: 'online' })
    dispatch({ type: 'redeemed', turn: app.state.turn, answer: { bearer: 'b2', view } })
    expect(calls.map(({ kind }) => kind)).to.deep.equal(['step', 'redeem', 'redeem'])
  })

  it('lets the person retry a failed start', async () => {
    const { app, dispatched } = await hold({ fault: fault('offline') })
    button(app, 'Try again')?.click()
    expect(dispatched).to.deep.equal([{ type: 'retry' }])
  })
})
