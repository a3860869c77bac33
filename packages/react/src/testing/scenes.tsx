/**
 * Pages of a customer's that stand around an element, with everything they are made of. A test's bundle, one for each
 * version of React.
 */
import { Dialog as MuiDialog } from '@mui/material'
import * as Radix from '@radix-ui/react-dialog'
import { type ReactNode, StrictMode, useState } from 'react'
import { flushSync } from 'react-dom'
import { createRoot, hydrateRoot, type Root } from 'react-dom/client'
import { ConnectElement, type ConnectElementRef, type FlowProps, OpalBalanceTransferElement } from '../index.js'

export { version } from 'react'

export type Props = FlowProps<ConnectElementRef> & { tag?: 'connect' | 'transfer' }
export type Scene = keyof typeof scenes

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

function InRadix({ children }: { children: ReactNode }) {
  return (
    <Radix.Root defaultOpen>
      <Radix.Portal>
        <Radix.Overlay />
        <Radix.Content id="around" aria-describedby={undefined}>
          <Radix.Title>Apply</Radix.Title>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

function InMui({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState(true)
  return (
    <MuiDialog
      open={open}
      onClose={() => setOpen(false)}
      transitionDuration={0}
      slotProps={{ paper: { id: 'around' } }}
    >
      {children}
    </MuiDialog>
  )
}

const scenes = {
  alone: ({ children }: { children: ReactNode }) => children,
  radix: InRadix,
  mui: InMui,
}

const tree = (scene: Scene, props: Props) => {
  const Around = scenes[scene]
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

/** Draws a scene for the first time. */
export function start(home: HTMLElement, scene: Scene, props: Props): Drawn {
  const drawn = drawing(createRoot(home), scene)
  drawn.draw(props)
  return drawn
}

/** Takes over what {@link tree} gave on a server. */
export function hydrate(home: HTMLElement, props: Props, onRecoverableError: (error: unknown) => void): Drawn {
  return drawing(flushSyncRoot(home, props, onRecoverableError), 'alone')
}

const flushSyncRoot = (home: HTMLElement, props: Props, onRecoverableError: (error: unknown) => void): Root =>
  flushSync(() => hydrateRoot(home, tree('alone', props), { onRecoverableError }))
