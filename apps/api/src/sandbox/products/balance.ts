import type { SandboxProductWith } from './answer.js'

export const balance: SandboxProductWith<'balance'> = {
  supports: { balance: () => true },
  answers: world => ({
    async balance(call) {
      const debt = await world.debt(call)
      if (!debt || debt.silent) return { status: 'failed', code: 20001 }
      return { status: 'completed', amount: debt.balance }
    },
  }),
}
