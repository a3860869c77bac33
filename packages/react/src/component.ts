'use client'

/**
 * One component for one element. React 18 gives custom elements attributes alone, and React 19 sets properties; here both
 * are set by hand, the same way in both, so that a token never meets the markup.
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

/** A parent's effects find the element set up; on a server, where React 18 warns of layout effects, nothing runs. */
const useElementEffect = globalThis.document ? useLayoutEffect : useEffect

/** Keeps an element's listeners and properties in step with the props. */
function useFlow<E extends FlowElement>(inner: RefObject<E | null>, props: FlowProps<E>): void {
  const latest = useRef(props)
  const set = useRef<{ [K in Property]?: unknown }>({})
  const defaults = useRef<{ [K in Property]?: unknown }>({})
  // A new function at each render is not a new way to get a token: the element would ask again for one that it lacks.
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
      // Written out, an object made anew with the same content is the same. A function stays itself.
      const same = typeof value === 'object' ? JSON.stringify(value) : value
      if (set.current[name] === same) continue
      set.current[name] = same
      if (!(name in defaults.current)) defaults.current[name] = element[name]
      element[name] = value === undefined ? defaults.current[name] : value
    }
  })
}

/** The rest for the markup. Custom elements know `class` and not `className` in React 18. */
function attributesOf<E extends FlowElement>({ className, ...props }: FlowProps<E>): Record<string, unknown> {
  const rest: Record<string, unknown> = props
  for (const name of [...properties, ...Object.keys(handlers)]) delete rest[name]
  if (className !== undefined) rest['class'] = className
  return rest
}

/**
 * One component's render.
 *
 * @param tag the element, registered by the kit
 */
export function useElement<E extends FlowElement>(
  tag: string,
  props: FlowProps<E>,
  ref: ForwardedRef<E>,
): ReactElement {
  const inner = useRef<E>(null)
  useImperativeHandle(ref, () => inner.current as E, [])
  useFlow(inner, props)
  // The element reflects its defaults before React looks at what a server sent.
  return createElement(tag, { ...attributesOf(props), suppressHydrationWarning: true, ref: inner })
}
