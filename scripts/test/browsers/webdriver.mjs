/** The few W3C WebDriver commands that the tests need, over plain HTTP. */
const START_WITHIN = 15_000

/** WebDriver's codes for non-character keys. */
const keys = { Tab: '\uE004', Enter: '\uE007', Escape: '\uE00C' }
const buttons = { left: 0, middle: 1, right: 2 }

/** Opens a session with a driver once the driver responds. @param origin the driver's address */
export async function webdriver(origin, capabilities) {
  const ask = async (method, path, body) => {
    const response = await fetch(origin + path, { method, ...(body ? { body: JSON.stringify(body) } : {}) })
    const { value } = await response.json()
    if (!response.ok) throw new Error(`${method} ${path}: ${value?.error}: ${value?.message}`)
    return value
  }
  const late = Date.now() + START_WITHIN
  while (!(await ask('GET', '/status').catch(() => null))) {
    if (Date.now() > late) throw new Error(`No WebDriver is responding at ${origin}.`)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  const { sessionId } = await ask('POST', '/session', { capabilities: { alwaysMatch: capabilities } })
  const session = `/session/${sessionId}`
  const post = (path, body = {}) => ask('POST', session + path, body)
  const act = (type, id, actions, more = {}) => post('/actions', { actions: [{ type, id, actions, ...more }] })
  const point = actions => act('pointer', 'mouse', actions, { parameters: { pointerType: 'mouse' } })
  const move = (x, y) => ({ type: 'pointerMove', duration: 0, origin: 'viewport', x, y })

  return {
    open: url => post('/url', { url }),
    url: () => ask('GET', `${session}/url`),
    /** Runs a function in the page or in the current frame. An element that it returns can be passed to later calls. */
    run: (script, ...args) => post('/execute/sync', { script: `return (${script}).apply(null, arguments)`, args }),
    /** @param frame an element, or null for the page */
    enter: frame => post('/frame', { id: frame }),
    windows: () => ask('GET', `${session}/window/handles`),
    /** @param handle one of `windows` */
    enterWindow: handle => post('/window', { handle }),
    closeWindow: () => ask('DELETE', `${session}/window`),
    reload: () => post('/refresh'),
    /** @param size the size of the window, including its borders and toolbars */
    resize: size => post('/window/rect', size),
    press: key =>
      act(
        'key',
        'keyboard',
        ['keyDown', 'keyUp'].map(type => ({ type, value: keys[key] ?? key })),
      ),
    move: (x, y) => point([move(x, y)]),
    clickAt: (x, y, button = 'left') =>
      point([move(x, y), ...['pointerDown', 'pointerUp'].map(type => ({ type, button: buttons[button] }))]),
    close: () => ask('DELETE', session),
  }
}
