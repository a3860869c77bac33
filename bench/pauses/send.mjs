/** Sends one request exactly as it is written, over a connection of its own. */
import { connect } from 'node:net'

const SEND_TIMEOUT_MS = 20_000

/** The text of a request, without its body. Header lines are sent as they are listed. */
const head = ({ method = 'GET', path, lines = [] }) =>
  [`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1', 'Connection: close', ...lines, '', ''].join('\r\n')

/**
 * @returns the response's status and text; the status is 0 if the connection closed without a response, and -1 if no
 *   response came in time
 */
export function send(port, { body, ...rest }) {
  const isChunked = Array.isArray(body)
  const bytes = body === undefined || isChunked ? undefined : Buffer.from(body)
  const lines = [...(rest.lines ?? []), ...(bytes ? [`Content-Length: ${bytes.length}`] : [])]
  if (isChunked) lines.push('Transfer-Encoding: chunked')
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    const timer = setTimeout(() => end(-1), SEND_TIMEOUT_MS)
    let text = ''
    const end = status => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ status, text })
    }
    socket.setEncoding('latin1')
    socket.on('data', part => {
      text += part
    })
    socket.on('error', () => {})
    socket.on('close', () => end(Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0)))
    socket.write(head({ ...rest, lines }), 'latin1')
    if (isChunked) for (const chunk of body) socket.write(chunk)
    else if (bytes) socket.write(bytes)
  })
}
