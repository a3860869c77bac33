/**
 * Customer pages that contain an element. `frameworks/react/scenes.tsx` adds dialogs from component libraries, and the
 * tests load that file.
 */
import { type ReactNode, StrictMode, useState } from 'react'
import { flushSync } from 'react-dom'
import { createRoot, hydrateRoot, type Root } from 'react-dom/client'
import { ConnectElement, type ConnectElementRef, type FlowProps, OpalBalanceTransferElement } from '../index.js'

export { version } from 'react'

export type Props = FlowProps<ConnectElementRef> & { tag?: 'connect' | 'transfer' }
export type Scene = 'alone' | 'radix' | 'mui'

function Flow({ tag, ...props }: Props) {
  const [element, keep] = useState<ConnectElementRef | null>(null)
  const Element = tag === 'transfer' ? OpalBalanceTransferElement : ConnectElement
  return (
    <>
      <button type="button" id="start" onClick={() => void element?.open()}>
        Start
      </button>
      <Element ref={keep} {...props} />
    </>
  )
}

/** The markup around an element, by scene. */
export const scenes: Partial<Record<Scene, (props: { children: ReactNode }) => ReactNode>> = {
  alone: ({ children }) => children,
}

const tree = (scene: Scene, props: Props) => {
  const Around = scenes[scene]
  if (!Around) throw new Error(`The scene ${scene} is not in this bundle.`)
  return (
    <StrictMode>
      <Around>
        <Flow {...props} />
      </Around>
    </StrictMode>
  )
}

export interface Drawn {
  draw: (props: Props) => void
  unmount: () => void
}

const drawing = (root: Root, scene: Scene): Drawn => ({
  draw: props => flushSync(() => root.render(tree(scene, props))),
  unmount: () => root.unmount(),
})

/** Renders a scene for the first time. */
export function start(home: HTMLElement, scene: Scene, props: Props): Drawn {
  const drawn = drawing(createRoot(home), scene)
  drawn.draw(props)
  return drawn
}

/** Hydrates server markup that matches {@link tree}. */
export function hydrate(home: HTMLElement, props: Props, onRecoverableError: (error: unknown) => void): Drawn {
  return drawing(flushSyncRoot(home, props, onRecoverableError), 'alone')
}

const flushSyncRoot = (home: HTMLElement, props: Props, onRecoverableError: (error: unknown) => void): Root =>
  flushSync(() => hydrateRoot(home, tree('alone', props), { onRecoverableError }))
