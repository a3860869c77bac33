import { readTradeline } from '../opened-debts.js'
import type { SandboxProductWith } from './answer.js'

export const manualConnect: SandboxProductWith<'readTradelines'> = {
  answers: () => ({
    async readTradelines({ tradelines }) {
      return { status: 'completed', liabilities: tradelines.map(readTradeline) }
    },
  }),
}
