import { expect } from '@open-wc/testing'
import { Method, type MethodEvent, type MethodOptions, type MethodPayload } from '../method.js'
import {
  commandFrame,
  FRAME,
  frameOf,
  messagesDelivered,
  newHandle,
  recordMessages,
  tokenOf,
  waitFor,
} from './double.js'

const elements = () => [...document.querySelectorAll('connect-element')]
const done = { session_id: 'osess_1', entity_id: 'ent_1', accounts: ['acc_1'], result: null }

/** Creates the object of a page, and records the calls of its callbacks in order. */
function page(options: MethodOptions = {}) {
  const calls: [name: string, payload: MethodPayload][] = []
  const events: MethodEvent['data'][] = []
  const method = new Method({
    frameOrigin: FRAME,
    onOpen: payload => calls.push(['onOpen', payload]),
    onSuccess: payload => calls.push(['onSuccess', payload]),
    onError: payload => calls.push(['onError', payload]),
    onExit: payload => calls.push(['onExit', payload]),
    onEvent: ({ data }) => events.push(data),
    ...options,
  })
  return { method, calls, events, names: () => calls.map(([name]) => name) }
}

async function open(options: MethodOptions = {}) {
  const all = page(options)
  const handle = newHandle('eager')
  const heard = recordMessages(handle)
  all.method.open(tokenOf(handle))
  await heard.next('port')
  const element = elements().at(-1)!
  return { ...all, element, heard, frame: frameOf(element) }
}

describe('Method', () => {
  afterEach(() => waitFor(() => elements().length === 0))

  it('reports the opening, the success and the exit with their payloads', async () => {
    const { calls, events, element, frame } = await open()
    commandFrame(frame, { say: [{ type: 'success', ...done }] })
    await messagesDelivered(element)
    commandFrame(frame, { say: [{ type: 'exit.request', reason: 'completed' }] })
    await waitFor(() => calls.length === 3)
    const element_type = 'connect'
    expect(calls).to.deep.equal([
      ['onOpen', { element_type, op: 'open' }],
      ['onSuccess', { element_type, op: 'success', entity_id: 'ent_1', accounts: ['acc_1'] }],
      ['onExit', { element_type, op: 'exit' }],
    ])
    expect(events.map(({ type }) => type)).to.deep.equal(['open', 'success', 'test.drained', 'exit'])
  })

  it('ignores a second open(), and opens again after the exit', async () => {
    const { method, names, heard } = await open()
    method.open(tokenOf(newHandle('eager')))
    expect(elements().length).to.equal(1)
    method.close()
    expect(names()).to.deep.equal(['onOpen', 'onExit'])
    expect(heard.count('loaded')).to.equal(1)
    method.open(tokenOf(newHandle('eager')))
    expect(names()).to.deep.equal(['onOpen', 'onExit', 'onOpen'])
    method.close()
  })

  it('closes after an error that ends the flow, and stays open after any other', async () => {
    const { names, calls, frame } = await open()
    const error = { type: 'error', error_type: 'INVALID_REQUEST', message: 'It expired.', request_id: null }
    commandFrame(frame, { say: [{ ...error, sub_type: 'EXPIRED_TOKEN', recoverable: true }] })
    await waitFor(() => names().includes('onError'))
    expect(elements()[0]!.opened).to.equal(true)
    commandFrame(frame, { say: [{ ...error, sub_type: 'FORBIDDEN', recoverable: false }] })
    await waitFor(() => names().includes('onExit'))
    expect(names()).to.deep.equal(['onOpen', 'onError', 'onError', 'onExit'])
    expect(calls[2]![1]).to.deep.equal({
      element_type: 'connect',
      op: 'error',
      type: 'INVALID_REQUEST',
      sub_type: 'FORBIDDEN',
      message: 'It expired.',
      code: 400,
    })
  })

  for (const [title, options, token] of [
    ['there is no token', {}, undefined],
    ['the environment is unknown', { env: 'staging' as never }, tokenOf('eager00000000000')],
    ['there is no origin', { frameOrigin: undefined as never }, tokenOf('eager00000000000')],
  ] as const)
    it(`reports immediately that ${title}, and then the exit`, () => {
      const { method, names } = page(options)
      method.open(token as string)
      expect(names()).to.deep.equal(['onError', 'onExit'])
      expect(elements()).to.deep.equal([])
    })
})
