/**
 * The scenes from `packages/react`, and two more that place an element in a dialog from another library. The tests
 * bundle this module once per React version.
 */
import { Dialog as MuiDialog } from '@mui/material'
import * as Radix from '@radix-ui/react-dialog'
import { type ReactNode, useState } from 'react'
import { scenes } from '../../packages/react/src/testing/scenes.js'

export * from '../../packages/react/src/testing/scenes.js'

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

scenes.radix = InRadix
scenes.mui = InMui
