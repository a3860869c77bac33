'use client'

/**
 * One React component for each element. React 18 sets only attributes on custom elements, while React 19 sets
 * properties. This module sets properties in both versions, so a token never appears in the markup.
 */
import '@causeway/elements/define'
import type { FlowElement, GetToken } from '@causeway/elements'
import {
  createElement,
  type ForwardedRef,
  type ForwardRefExoticComponent,
  type ReactElement,
  type RefAttributes,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from 'react'
import { type FlowProps, handlers, type Property, properties } from './props.js'

export type FlowComponent<E extends FlowElement> = ForwardRefExoticComponent<FlowProps<E> & RefAttributes<E>>

/**
 * Uses a layout effect in the browser so that the element is set up before the parent's effects run. Uses a plain
 * effect on the server, where React 18 warns about layout effects.
 */
const useElementEffect = globalThis.document ? useLayoutEffect : useEffect

/** Keeps an element's listeners and properties in sync with the props. */
function useFlow<E extends FlowElement>(inner: RefObject<E | null>, props: FlowProps<E>): void {
  const latest = useRef(props)
  const set = useRef<{ [K in Property]?: unknown }>({})
  const defaults = useRef<{ [K in Property]?: unknown }>({})
  // Stays the same across renders, because a new `getToken` makes the element request a missing token again.
  const ask = useRef<GetToken>(reason => latest.current.getToken!(reason))

  useElementEffect(() => {
    const element = inner.current!
    const gone = new AbortController()
    for (const [name, type] of Object.entries(handlers) as [keyof typeof handlers, string][])
      element.addEventListener(type, event => latest.current[name]?.(event as never), { signal: gone.signal })
    return () => gone.abort()
  }, [inner])

  useElementEffect(() => {
    const element = inner.current as { [K in Property]: unknown }
    latest.current = props
    for (const name of properties) {
      const value = name === 'getToken' && props.getToken ? ask.current : props[name]
      // Compares objects by their JSON, so a new object with the same content does not count as a change. Compares
      // functions by identity.
      const same = typeof value === 'object' ? JSON.stringify(value) : value
      if (set.current[name] === same) continue
      set.current[name] = same
      if (!(name in defaults.current)) defaults.current[name] = element[name]
      element[name] = value === undefined ? defaults.current[name] : value
    }
  })
}

/** Returns the remaining props as attributes. For custom elements, React 18 uses `class` rather than `className`. */
function attributesOf<E extends FlowElement>({ className, ...props }: FlowProps<E>): Record<string, unknown> {
  const rest: Record<string, unknown> = props
  for (const name of [...properties, ...Object.keys(handlers)]) delete rest[name]
  if (className !== undefined) rest['class'] = className
  return rest
}

/**
 * Renders an element.
 *
 * @param tag the tag that the kit registers for the element
 */
export function useElement<E extends FlowElement>(
  tag: string,
  props: FlowProps<E>,
  ref: ForwardedRef<E>,
): ReactElement {
  const inner = useRef<E>(null)
  useImperativeHandle(ref, () => inner.current as E, [])
  useFlow(inner, props)
  // Without `suppressHydrationWarning`, React would warn that its output differs from the server's markup, because the
  // element has already set its default attributes.
  return createElement(tag, { ...attributesOf(props), suppressHydrationWarning: true, ref: inner })
}
