/**
 * Explores the exhaustive models of payments and of sessions, and prints the number of their states. If a state violates
 * an invariant, prints the shortest sequence of steps that leads to it.
 *   tsx --conditions=source scripts/test/model.ts
 */
import { explore, type Flat, type Model, showViolation } from '../../apps/api/src/testing/model/explore.js'
import { paymentModel } from '../../apps/api/src/testing/model/payment/model.js'
import { sessionModel } from '../../apps/api/src/testing/model/session/model.js'

function run<State extends Flat>(name: string, model: Model<State>): void {
  const began = performance.now()
  const { states, steps, ends, violation } = explore(model)
  const seconds = ((performance.now() - began) / 1_000).toFixed(1)
  console.log(`${name}: ${states} states, ${steps} steps, ${ends} ends, ${seconds} s`)
  if (!violation) return
  console.log(showViolation(violation))
  process.exitCode = 1
}

run('payments', paymentModel())
run('sessions', sessionModel())
