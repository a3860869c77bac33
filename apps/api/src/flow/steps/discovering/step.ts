import { showTime } from '../../../platform/show.js'
import { defineStep } from '../define-step.js'

/** The search in ms after which the person sees that it takes long. */
const SLOW = 6_000

/** The frame polls while the service searches, so the step takes no input. */
export const discovering = defineStep({
  name: 'discovering',
  flow: 'connect',
  show({ connect, accounts }, scope) {
    const started = connect?.created_at ?? scope.now
    const asking = connect?.status === 'completed' ? [...new Set(accounts.map(found => found.institution))] : ['bureau']
    return { asking, started_at: showTime(started), slow: scope.now - started > SLOW }
  },
})
