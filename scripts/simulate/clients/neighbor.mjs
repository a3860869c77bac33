/** Another team, which uses the same keys as the first team and asks for the first team's resources. */
import { createDebtorInChaos, createSource, mustOf } from './setup.mjs'

/** The account number of the sandbox from which payments succeed. */
const NUMBER = '123456789'

export function createNeighbor(context) {
  const { random, apiOf, operate, books, secrets, funds, expect, isOver, counts } = context
  return async () => {
    const team = await operate('team', 'create', 'Neighbor')
    secrets.push(team.key.value)
    const api = apiOf('neighbor', team.key.value)
    const must = mustOf(api)
    const debtor = await createDebtorInChaos(api, context)
    if (!debtor) return
    const source = await createSource(api, random, funds?.number ?? NUMBER, funds?.routing)
    while (!isOver()) {
      await api.pause(random.whole(200, 4_000))
      const others = [...books.payments.values()]
      const answers = [...books.answers]
      if (others.length === 0) continue
      const other = random.pick(others)
      for (const [method, path] of [
        ['GET', `/payments/${other.id}`],
        ['DELETE', `/payments/${other.id}`],
        ['GET', `/accounts/${other.source}`],
      ]) {
        const reply = await api.ask(method, path)
        expect(reply.status === 404, `another team's ${method} ${path} was answered with ${reply.status}`)
      }
      const [key] = random.pick(answers)
      const body = { source, destination: random.pick(debtor.accounts), amount: 1_234, description: 'neighbor' }
      const reply = await api.ask('POST', '/payments', body, { key })
      const isOwn = reply.status !== 200 || reply.json.source === source
      expect(isOwn, `another team's key ${key} was answered with ${reply.status}: ${reply.text}`)
      const list = await must('GET', '/payments?page_limit=10')
      expect(
        list.data.every(payment => payment.source === source),
        `another team's list contains ${list.data.find(payment => payment.source !== source)?.id}`,
      )
      counts.neighborly += 1
    }
  }
}
