import { readTradeline } from '../openings.js'
import type { Answering } from './answer.js'

export const manualConnect: Answering<'readTradelines'> = {
  answers: () => ({
    async readTradelines({ tradelines }) {
      return { status: 'completed', liabilities: tradelines.map(readTradeline) }
    },
  }),
}
