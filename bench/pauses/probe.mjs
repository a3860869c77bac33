/**
 * Sends a small request again and again, in a process of its own, and reports the longest time that one of them took.
 * Messages: `start` resets the longest time, and `stop` responds with it, in ms.
 */
import { Agent, request } from 'node:http'

const [port, path] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
let longest = 0
let stopping = false

/** Sends one request. @returns the time until its response is complete, in ms */
const measure = () =>
  new Promise(resolve => {
    const began = performance.now()
    const end = () => resolve(performance.now() - began)
    const sent = request({ host: '127.0.0.1', port, path, agent }, response => response.resume().on('end', end))
    sent.on('error', end)
    sent.end()
  })

process.on('message', message => {
  if (message === 'stop') stopping = true
  else {
    longest = 0
    process.send('started')
  }
})
process.on('disconnect', () => process.exit())

for (;;) {
  longest = Math.max(longest, await measure())
  if (stopping) {
    // A request that was already under way when the attack ended includes the end of the pause.
    stopping = false
    process.send(longest)
  }
  await new Promise(resolve => setTimeout(resolve, 1))
}
