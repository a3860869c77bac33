/** Reads the events that customers can read, and checks that they tell one story. */

/** The fields whose values must follow one another. Other fields also change without an event. */
const FIELDS = ['status', 'fund_status']

/** Counts what each value of a field was changed to and from. */
function countChanges(events) {
  const counts = new Map()
  const add = (event, field, value, what) => {
    const key = `${event.resource_id} ${field} ${value}`
    const count = counts.get(key) ?? { ...event, field, value, reached: 0, left: 0 }
    counts.set(key, { ...count, [what]: count[what] + 1 })
  }
  for (const event of events)
    for (const field of FIELDS) {
      const { before, after } = event.diff
      if (after?.[field] !== undefined) add(event, field, after[field], 'reached')
      if (before?.[field] !== undefined) add(event, field, before[field], 'left')
    }
  return counts
}

/** Checks that a resource leaves a status only as often as it reached it. An effect that happened twice does not. */
function checkChanges(events, expect) {
  const created = new Set(
    events.filter(({ diff }) => diff.before === null && diff.after).map(event => event.resource_id),
  )
  for (const { resource_id, type, field, value, reached, left } of countChanges(events).values())
    expect(
      !created.has(resource_id) || left <= reached,
      `the events of ${resource_id} (${type}) leave the ${field} ${value} ${left} times, but reach it ${reached} times`,
    )
}

/** Reads all events of a team, and checks them. @param api the API as a client of the team calls it */
export async function checkHistory(api, expect) {
  const events = []
  for (let cursor = ''; cursor !== null; ) {
    const reply = await api.ask('GET', `/events?page_limit=100${cursor && `&page_cursor=${cursor}`}`)
    expect(reply.status === 200, `the events were answered with ${reply.status}: ${reply.text.slice(0, 300)}`)
    if (reply.status !== 200) return
    events.push(...reply.json.data)
    cursor = reply.headers.get('pagination-page-cursor-next')
  }
  checkChanges(events, expect)
}
