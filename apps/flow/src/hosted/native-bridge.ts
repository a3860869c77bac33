/**
 * Sends messages to a native app that shows this page in a webview. The messages are the events that a customer's page
 * receives from an element, encoded as JSON.
 */
import type { ToHost } from '@causeway/contract/frame'

interface Port {
  postMessage?: (text: string) => void
}
/** The ports that React Native, iOS and Android can add to the window. */
interface Native {
  ReactNativeWebView?: Port
  webkit?: { messageHandlers?: { causeway?: Port } }
  Causeway?: Port
}

export type PostToApp = (type: string, fields?: object) => void

export function createNativeBridge(window: Window): PostToApp {
  const { ReactNativeWebView, webkit, Causeway } = window as unknown as Native
  return (type, fields) => {
    const text = JSON.stringify({ ...fields, type })
    for (const port of [ReactNativeWebView, webkit?.messageHandlers?.causeway, Causeway]) {
      try {
        // Call `postMessage` as a method of the port, because Android's port rejects any other receiver.
        port?.postMessage?.(text)
      } catch {
        // The flow must not stop if a native app fails to receive a message.
      }
    }
  }
}

const names: { [T in ToHost['type']]?: string } = {
  ready: 'element-ready',
  success: 'element-success',
  error: 'element-error',
  'allocations.change': 'allocations-change',
  'allocations.confirmed': 'allocations-confirmed',
}

/** Forwards a message meant for the host, under the name of the corresponding element event. */
export function forwardToApp(say: PostToApp, message: ToHost): void {
  if (message.type === 'event') {
    const { type: name, timestamp, data } = message.event
    say('element-event', { name, timestamp, data })
    return
  }
  const name = names[message.type]
  if (name) say(name, message)
}
