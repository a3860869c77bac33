/**
 * Checks a history of transactions that append to lists and read them, in the manner of Elle. A list shows the order of
 * its writes, so a read shows which transactions came before and after its own. An order that contradicts itself is a
 * cycle, and the kinds of orders in the cycle name the anomaly (Adya's names):
 *   G0           two transactions wrote over each other
 *   G1a          a transaction read an append that was undone
 *   G1b          a transaction read the middle of another transaction
 *   G1c          two transactions each read the other's append
 *   G-single     a transaction read a state before and after another one (read skew)
 *   G2           two transactions each missed the other's append (write skew)
 *   lost update  two transactions read the same list and both appended to it
 *
 * A transaction is `{ id, process, ops, outcome }`. An operation is `{ kind: 'append', key, value }` or
 * `{ kind: 'read', key, values }`, in which `values` is null if the answer is unknown. Each value is appended once in a
 * whole history. An outcome is `committed`, `undone` or `unknown`.
 */

/** Returns the anomalies of a history as `{ kind, sentence, transactions }`, at most one per kind and cycle. */
export function findAnomalies(transactions) {
  const anomalies = []
  const report = (kind, sentence, involved) =>
    anomalies.push({ kind, sentence, transactions: involved.map(each => each.id) })
  const writers = indexWriters(transactions, report)
  const seen = transactions.filter(({ outcome }) => outcome === 'committed')
  const orders = orderValues(seen, report)
  for (const transaction of seen) checkReads(transaction, writers, report)
  findLostUpdates(seen, report)
  const edges = connect(transactions, seen, writers, orders)
  reportCycles(edges, report)
  return anomalies
}

const keyed = (key, value) => `${key} ${value}`
const readsOf = ({ ops }) => ops.filter(({ kind, values }) => kind === 'read' && values !== null)
const appendsOf = ({ ops }) => ops.filter(({ kind }) => kind === 'append')

/** Maps each value to the transaction that appended it. `isLast` is true for that transaction's last append to the list. */
function indexWriters(transactions, report) {
  const writers = new Map()
  for (const transaction of transactions) {
    const last = new Map(appendsOf(transaction).map(({ key, value }) => [key, value]))
    for (const { key, value } of appendsOf(transaction)) {
      const known = writers.get(keyed(key, value))
      if (known) report('malformed', `${value} is appended to ${key} twice`, [known.transaction, transaction])
      writers.set(keyed(key, value), { transaction, isLast: last.get(key) === value })
    }
  }
  return writers
}

/** Returns the longest list of each key. Every other list must be its beginning. */
function orderValues(transactions, report) {
  const longest = new Map()
  for (const transaction of transactions)
    for (const { key, values } of readsOf(transaction))
      if (values.length > (longest.get(key)?.values.length ?? -1)) longest.set(key, { values, transaction })
  for (const transaction of transactions)
    for (const { key, values } of readsOf(transaction)) {
      const { values: whole, transaction: other } = longest.get(key)
      if (new Set(values).size < values.length) report('duplicate', `${key} contains a value twice`, [transaction])
      if (values.some((value, at) => whole[at] !== value))
        report('incompatible order', `two reads of ${key} show its values in different orders`, [transaction, other])
    }
  return new Map([...longest].map(([key, { values }]) => [key, values]))
}

/** Reports reads of undone appends, of unknown values, and of the middle of a transaction. */
function checkReads(reader, writers, report) {
  const own = new Map()
  for (const op of reader.ops) {
    if (op.kind === 'append') {
      own.set(op.key, [...(own.get(op.key) ?? []), op.value])
      continue
    }
    if (op.values === null) continue
    const mine = own.get(op.key) ?? []
    const others = op.values.slice(0, op.values.length - mine.length)
    if (mine.some((value, at) => op.values[others.length + at] !== value))
      report('internal', `a transaction does not read its own appends to ${op.key}`, [reader])
    for (const value of op.values) {
      const writer = writers.get(keyed(op.key, value))
      if (!writer) report('malformed', `${op.key} contains ${value}, which no transaction appended`, [reader])
      else if (writer.transaction.outcome === 'undone')
        report('G1a', `${value} of ${op.key} was undone, but read`, [writer.transaction, reader])
    }
    const last = writers.get(keyed(op.key, others.at(-1)))
    if (last && last.transaction !== reader && !last.isLast)
      report('G1b', `a read of ${op.key} ends within a transaction`, [last.transaction, reader])
  }
}

/** Reports two committed transactions that read the same version of a list and then both appended to it. */
function findLostUpdates(transactions, report) {
  const readers = new Map()
  for (const transaction of transactions) {
    const seen = new Set()
    for (const op of transaction.ops) {
      if (op.kind === 'append' || op.values === null || seen.has(op.key)) {
        seen.add(op.key)
        continue
      }
      seen.add(op.key)
      if (!appendsOf(transaction).some(({ key }) => key === op.key)) continue
      const version = keyed(op.key, op.values.length)
      const other = readers.get(version)
      if (other)
        report('lost update', `two transactions read and changed the same version of ${op.key}`, [other, transaction])
      else readers.set(version, transaction)
    }
  }
}

/**
 * Returns the order of transactions as a map from each to its successors, with the kinds of each order: `ww` (its write
 * came first), `wr` (its write was read), `rw` (its read missed a write). Undone transactions have no place in the order.
 * One of unknown outcome has one if its appends were read.
 */
function connect(transactions, seen, writers, orders) {
  const edges = new Map(transactions.filter(({ outcome }) => outcome !== 'undone').map(each => [each, new Map()]))
  const add = (from, to, kind) => {
    if (!from || !to || from === to || !edges.has(from) || !edges.has(to)) return
    const kinds = edges.get(from).get(to) ?? new Set()
    edges.get(from).set(to, kinds.add(kind))
  }
  const writerOf = (key, value) => writers.get(keyed(key, value))?.transaction
  for (const [key, values] of orders)
    for (let at = 1; at < values.length; at++) add(writerOf(key, values[at - 1]), writerOf(key, values[at]), 'ww')
  for (const reader of seen)
    for (const { key, values } of readsOf(reader)) {
      const order = orders.get(key)
      if (values.length > 0) add(writerOf(key, values.at(-1)), reader, 'wr')
      if (values.length < order.length) add(reader, writerOf(key, order[values.length]), 'rw')
    }
  // An append that no read contains came after everything that was read.
  for (const writer of seen)
    for (const { key, value } of appendsOf(writer)) {
      const order = orders.get(key) ?? []
      if (order.includes(value)) continue
      if (order.length > 0) add(writerOf(key, order.at(-1)), writer, 'ww')
      for (const reader of seen)
        for (const { key: of, values } of readsOf(reader))
          if (of === key && values.length === order.length) add(reader, writer, 'rw')
    }
  return edges
}

/** Reports one cycle for each kind of anomaly in each group of transactions that precede one another. */
function reportCycles(edges, report) {
  for (const group of components(edges)) {
    const kindsOf = (from, to) => edges.get(from).get(to)
    const tell = (kind, cycle) => report(kind, showCycle(cycle, kindsOf), cycle)
    const inGroup = new Set(group.reverse())
    const find = (isFirst, isRest) => findCycle(edges, inGroup, kindsOf, isFirst, isRest)
    const g0 = find(has('ww'), has('ww'))
    if (g0) tell('G0', g0)
    const g1c = find(has('wr'), has('ww', 'wr'))
    if (g1c) tell('G1c', g1c)
    const single = find(has('rw'), has('ww', 'wr'))
    if (single) tell('G-single', single)
    const g2 = single || g1c || g0 ? null : find(has('rw'), has('ww', 'wr', 'rw'))
    if (g2) tell('G2', g2)
  }
}

const has =
  (...wanted) =>
  kinds =>
    wanted.some(kind => kinds.has(kind))

/** Returns a shortest cycle whose first order is of one kind and whose others are of another kind, or null. */
function findCycle(edges, group, kindsOf, isFirst, isRest) {
  for (const start of group)
    for (const [second, kinds] of edges.get(start)) {
      if (!group.has(second) || !isFirst(kinds)) continue
      const parents = new Map([[second, start]])
      for (const at of parents.keys())
        for (const next of edges.get(at).keys()) {
          if (!group.has(next) || !isRest(kindsOf(at, next))) continue
          if (next === start) {
            const cycle = []
            for (let each = at; each !== start; each = parents.get(each)) cycle.unshift(each)
            return [start, ...cycle]
          }
          if (!parents.has(next)) parents.set(next, at)
        }
    }
  return null
}

const showCycle = (cycle, kindsOf) =>
  cycle.map((each, at) => `${each.id} -${[...kindsOf(each, cycle[(at + 1) % cycle.length])].join('/')}->`).join(' ') +
  ` ${cycle[0].id}`

/** Returns the groups of more than one transaction in which each precedes each other one (Tarjan, without recursion). */
function components(edges) {
  const indexes = new Map()
  const lows = new Map()
  const stack = []
  const onStack = new Set()
  const found = []
  for (const root of edges.keys()) {
    if (indexes.has(root)) continue
    const work = [{ node: root, next: [...edges.get(root).keys()] }]
    const enter = node => {
      indexes.set(node, indexes.size)
      lows.set(node, indexes.get(node))
      stack.push(node)
      onStack.add(node)
    }
    enter(root)
    while (work.length > 0) {
      const { node, next } = work.at(-1)
      const to = next.pop()
      if (to === undefined) {
        work.pop()
        const parent = work.at(-1)?.node
        if (parent) lows.set(parent, Math.min(lows.get(parent), lows.get(node)))
        if (lows.get(node) !== indexes.get(node)) continue
        const group = []
        let member
        do {
          member = stack.pop()
          onStack.delete(member)
          group.push(member)
        } while (member !== node)
        if (group.length > 1) found.push(group)
      } else if (!indexes.has(to)) {
        enter(to)
        work.push({ node: to, next: [...edges.get(to).keys()] })
      } else if (onStack.has(to)) lows.set(node, Math.min(lows.get(node), indexes.get(to)))
    }
  }
  return found
}
