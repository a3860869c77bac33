/**
 * A minimal host page for the frame. The page lists every message that it receives. With
 * `?frame=<origin>&token=<token>`, the page embeds the frame of a running service instead of the fake service's frame.
 */
import { type Init, PROTOCOL, readHandle, readHello, readToHost, type ToFrame } from '@causeway/contract/frame'

const frame = document.querySelector('iframe')!
const out = document.querySelector('pre')!
const query = new URLSearchParams(location.search)
const origin = query.get('frame') ?? `http://localhost:${location.port}`
const n = Array.from(crypto.getRandomValues(new Uint8Array(16)), b => b.toString(16).padStart(2, '0')).join('')
const token = query.get('token') ?? `pk_elem_${'a'.repeat(16)}${'b'.repeat(33)}`

addEventListener('message', event => {
  const hello = readHello(event.data)
  if (event.source !== frame.contentWindow || event.origin !== origin || hello?.n !== n) return
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = ({ data }) => {
    const message = readToHost(data)
    out.textContent += `${JSON.stringify(message ?? { refused: data })}\n`
    const answer: ToFrame = { type: 'auth.token', token }
    if (message?.type === 'auth.request') port1.postMessage(answer)
  }
  const appearance = query.get('appearance') as Init['appearance']
  const init: Init = {
    causeway: 'init',
    v: PROTOCOL,
    n,
    mode: (query.get('mode') ?? 'balance_transfer') as Init['mode'],
    display: 'modal',
    locale: 'en-US',
    appearance,
    theme: {},
    hidden: false,
  }
  frame.contentWindow!.postMessage(init, origin, [port2])
})
frame.setAttribute(
  'sandbox',
  'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads',
)
frame.referrerPolicy = 'strict-origin'
frame.src = `${origin}/e/${readHandle(token)}#n=${n}`
