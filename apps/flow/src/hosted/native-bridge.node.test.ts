import type { ToHost } from '@causeway/contract/frame'
import { describe, expect, test } from 'vitest'
import { createNativeBridge, forwardToApp } from './native-bridge.js'

function listening() {
  const heard: unknown[] = []
  const message = (sent: ToHost) => forwardToApp((type, fields) => heard.push({ ...fields, type }), sent)
  return { heard, message }
}

describe('an app that embeds the page', () => {
  test('receives messages under the names of the elements’ events', () => {
    const { heard, message } = listening()
    const success = { session_id: 'osess_1', entity_id: 'ent_1', accounts: [], result: null }
    message({ type: 'ready' })
    message({ type: 'event', event: { type: 'connect.step.started', timestamp: 't', data: { step: 'selection' } } })
    message({ type: 'allocations.change', total: 1, residual: 2 })
    message({ type: 'success', ...success })
    expect(heard).toEqual([
      { type: 'element-ready' },
      { type: 'element-event', name: 'connect.step.started', timestamp: 't', data: { step: 'selection' } },
      { type: 'allocations-change', total: 1, residual: 2 },
      { type: 'element-success', ...success },
    ])
  })

  test('does not receive messages that are only for a frame and its page', () => {
    const { heard, message } = listening()
    message({ type: 'resize', height: 300 })
    message({ type: 'auth.request', reason: 'expired' })
    expect(heard).toEqual([])
  })

  test('receives JSON on any available port, called as a method of the port', () => {
    const heard: string[] = []
    const port = {
      name: 'android',
      postMessage(text: string) {
        heard.push(`${this.name} ${text}`)
      },
    }
    createNativeBridge({ Causeway: port } as unknown as Window)('element-exit', { reason: 'user' })
    expect(heard).toEqual(['android {"reason":"user","type":"element-exit"}'])
  })

  test.each([
    ['there is none', {}],
    ['it is something else', { Causeway: 'text', webkit: { messageHandlers: null }, ReactNativeWebView: {} }],
    [
      'it throws',
      {
        Causeway: {
          postMessage: () => {
            throw new Error('gone')
          },
        },
      },
    ],
  ])('does not stop the page when %s', (_name, window) => {
    expect(() => createNativeBridge(window as unknown as Window)('element-open')).not.toThrow()
  })
})
