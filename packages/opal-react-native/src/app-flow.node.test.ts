import { describe, expect, it, vi } from 'vitest'
import { createAppFlow } from './app-flow.js'
import { originOf, readMessage, reasonOfRedirect } from './messages.js'

const link = 'https://connect.lender.example/h/a#b'
const exit = JSON.stringify({ type: 'element-exit', reason: 'completed' })

function started() {
  const reports = { onOpen: vi.fn(), onReady: vi.fn(), onEvent: vi.fn(), onError: vi.fn(), onExit: vi.fn() }
  const onEnd = vi.fn()
  return { flow: createAppFlow(link, reports, onEnd), reports, onEnd }
}

describe('a flow in a webview', () => {
  // kills: app-messages-only-of-the-page
  it('ends only when its own page says so, and once', () => {
    const { flow, reports, onEnd } = started()
    flow.receive('https://evil.example/h/a', exit)
    flow.receive('https://connect.lender.example:444/h/a', exit)
    expect(reports.onExit).not.toHaveBeenCalled()
    flow.receive('https://CONNECT.lender.example/h/a', exit)
    flow.receive(link, exit)
    expect(flow.navigate('https://www.lender.example/back?status=success')).toBe('nowhere')
    expect(reports.onExit.mock.calls).toEqual([['completed']])
    expect(onEnd).toHaveBeenCalledTimes(1)
  })

  it('reports nothing after it is removed', () => {
    const { flow, reports, onEnd } = started()
    flow.remove()
    flow.receive(link, exit)
    flow.failed()
    expect(onEnd).toHaveBeenCalledTimes(1)
    for (const report of Object.values(reports)) expect(report).not.toHaveBeenCalled()
  })
})

it.each([
  ['https://a.example/b?c#d', 'https://a.example'],
  ['http://LOCALHOST:4100', 'http://localhost:4100'],
  ['https://a.example@evil.example/', null],
  ['https://a.example\\@evil.example/', null],
  ['javascript:alert(1)', null],
  ['about:blank', null],
])('the origin of %s is %s', (url, origin) => expect(originOf(url)).toBe(origin))

it.each([
  ['https://a.example/?status=exit', 'user'],
  ['https://a.example/?x=1&status=expired#y', 'expired'],
  ['https://a.example/?status=unknown', undefined],
  ['https://a.example/?mystatus=exit', undefined],
])('the reason in %s is %s', (url, reason) => expect(reasonOfRedirect(url)).toBe(reason))

it('reads an error with its fields', () => {
  const text = { type: 'element-error', error_type: 'API_ERROR', sub_type: 'A', message: 'B', recoverable: true }
  const error = { type: 'API_ERROR', sub_type: 'A', message: 'B', recoverable: true }
  expect(readMessage(JSON.stringify(text))).toEqual({ type: 'error', error })
})
