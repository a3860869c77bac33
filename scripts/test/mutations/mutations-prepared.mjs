/** Mutations of preloading and of prepared sessions. For `mutations.mjs`. */
const src = path => `apps/api/src/flow/${path}`
const prepared = src('sessions/prepared-session.test.ts')
const machine = 'apps/flow/src/machine.ts'
const machineTest = 'apps/flow/src/machine.node.test.ts'

export const preparedMutations = [
  {
    promise: 'An early press is dropped if the app shows a different text',
    file: 'apps/flow/src/early/show.ts',
    find: 'if (!isSame) return',
    replace: '',
    test: 'apps/flow/src/early/show.node.test.ts',
  },
  {
    promise: "The first screen's markup escapes the customer's name",
    file: 'apps/flow/src/early/markup.ts',
    find: 'markup(draw(value), draw) : escaped(value)',
    replace: 'markup(draw(value), draw) : String(value)',
    test: 'apps/flow/src/early/first-screen.node.test.ts',
  },
  {
    promise: 'A prepared session has no event before it is opened',
    file: src('sessions/redeem.ts'),
    find: 'const news = prepared ? [] : await',
    replace: 'const news = await',
    test: prepared,
  },
  {
    promise: 'A prepared session that is not opened ends after 10 minutes',
    file: src('sessions/redeem.ts'),
    find: 'prepared ? PREPARED : IDLE',
    replace: 'IDLE',
    test: prepared,
  },
  {
    promise: 'A prepared session starts only once',
    file: src('sessions/prepared-session.ts'),
    find: 'return started ? null : record',
    replace: 'return record',
    test: prepared,
  },
  {
    promise: 'The service takes no action for a session that is only prepared',
    file: src('frame/app.ts'),
    find: 'given.prepared ? await peek(mine, visitor) : await look(mine, visitor, news)',
    replace: 'await look(mine, visitor, news)',
    test: prepared,
  },
  {
    promise: 'The preload page does not contain the app',
    file: src('frame/shell.ts'),
    find: "assets.shell.replace('<causeway-flow></causeway-flow>', '')",
    replace: 'assets.shell',
    test: src('frame/frame.test.ts'),
  },
  {
    promise: 'A hidden flow accepts no step',
    file: machine,
    find: '|| !state.view || state.hidden)',
    replace: '|| !state.view)',
    test: machineTest,
  },
  {
    promise: 'A hidden flow makes no call that would extend its session',
    file: machine,
    find: '|| !state.bearer || state.hidden)',
    replace: '|| !state.bearer)',
    test: machineTest,
  },
  {
    promise: 'Discarding a prepared session does not count as an exit',
    file: machine,
    find: 'bearer !== null && !hidden && !isEnd(view)',
    replace: 'bearer !== null && !isEnd(view)',
    test: machineTest,
  },
  {
    promise: 'A step submitted before the session starts waits for the session',
    file: machine,
    find: "state.bearer !== null && state.call?.kind !== 'open'",
    replace: 'state.bearer !== null',
    test: machineTest,
  },
  {
    promise: 'A statement that the session may shorten is not shown before the session starts',
    file: src('sessions/steps-ahead.ts'),
    find: 'if (session.phone_proved_at !== null) return null',
    replace: '',
    test: src('frame/frame.test.ts'),
    name: 'is absent if the person may have agreed to some documents',
  },
]
