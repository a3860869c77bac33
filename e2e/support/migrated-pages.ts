/**
 * Pages without a bundler that use the interfaces of Opal and of Elements. Each has one button, which opens the flow with
 * the given token, and shows the names of the callbacks that were called.
 */
import { readFile } from 'node:fs/promises'
import { bundleFor } from '../../frameworks/react/bundle.mjs'
import type { Service } from './processes.js'
import { type Host, servePage } from './serve-page.js'

const head = `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Yours</title>`

/** A page of Elements, with only the script's address changed. */
export const serveElementsPage = (service: Service, token: string): Promise<Host> =>
  servePage(`${head}
<script src="${service.frameOrigin}/elements/v1/stable/init.js" crossorigin="anonymous"></script>
<button type="button">Link your accounts</button><output></output>
<script type="module">
  const show = ({ op }) => document.querySelector('output').append(op, ' ')
  // A busy machine can take more than two seconds to load the frame, which then continues.
  const onError = error => error.sub_type === 'FRAME_UNREACHABLE' || show(error)
  const method = new Method({ env: 'dev', onOpen: show, onSuccess: show, onError, onExit: show })
  document.querySelector('button').onclick = () => method.open(${JSON.stringify(token)})
</script>`)

const build = new URL('../../packages/opal-react/dist/page.js', import.meta.url)

/**
 * A page of Opal for React, with only the address in its import map changed. It also shows which flows have been
 * completed, and whether the session has.
 */
export async function serveOpalPage(service: Service, token: string): Promise<Host> {
  const imports = { react: '/react.js', 'react-dom/client': '/react.js', '@methodfi/opal-react': '/opal-react.js' }
  const html = `${head}
<meta name="causeway-frame-origin" content="${service.frameOrigin}">
<script type="importmap">${JSON.stringify({ imports })}</script>
<div id="app"></div><output></output><p></p>
<script type="module">
  import { createElement } from 'react'
  import { createRoot } from 'react-dom/client'
  import { OpalProvider, useOpal } from '@methodfi/opal-react'

  const show = name => () => document.querySelector('output').append(name, ' ')
  const onEvent = ({ type, mode, object, action }) => {
    const isEnd = object === 'session' || (object === 'flow' && mode + '.flow.completed' === type)
    if (action === 'completed' && isEnd) document.querySelector('p').append(type, ' ')
  }
  // A busy machine can take more than two seconds to load the frame, which then continues.
  const onError = error => error.sub_type === 'FRAME_UNREACHABLE' || show('error')()
  function LinkAccounts() {
    const { open } = useOpal({ onOpen: show('open'), onEvent, onError, onExit: show('exit') })
    const onClick = () => open({ token: ${JSON.stringify(token)} })
    return createElement('button', { onClick }, 'Link your accounts')
  }
  createRoot(document.querySelector('#app')).render(createElement(OpalProvider, null, createElement(LinkAccounts)))
</script>`
  const scripts = { '/react.js': await bundleFor(19, 'react-module'), '/opal-react.js': await readFile(build, 'utf8') }
  return servePage(html, {}, scripts)
}
