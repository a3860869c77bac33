'use client'

/**
 * The elements as React components for React 18 and 19. A ref holds the element, and `ref.current.open()` resolves with
 * the outcome.
 */
import type * as kit from '@causeway/elements'
import { forwardRef } from 'react'
import { type FlowComponent, useElement } from './component.js'
import type { FlowProps } from './props.js'

export type { GetToken, Outcome, Theme } from '@causeway/elements'
export type { FlowComponent } from './component.js'
export type { FlowHandlers, FlowProperties, FlowProps } from './props.js'

/** The element that a component's ref holds. */
export type ConnectElementRef = kit.ConnectElement
export type OpalBalanceTransferElementRef = kit.OpalBalanceTransferElement

/** Lets a person find and link their accounts. */
export const ConnectElement: FlowComponent<kit.ConnectElement> = forwardRef((props, ref) =>
  useElement('connect-element', props as FlowProps<kit.ConnectElement>, ref),
)
ConnectElement.displayName = 'ConnectElement'

/** Lets a person choose which balances a loan pays off. */
export const OpalBalanceTransferElement: FlowComponent<kit.OpalBalanceTransferElement> = forwardRef((props, ref) =>
  useElement('opal-balance-transfer-element', props as FlowProps<kit.OpalBalanceTransferElement>, ref),
)
OpalBalanceTransferElement.displayName = 'OpalBalanceTransferElement'
