/** The hook of Elements for React. */
import { Method, type MethodOptions } from '@causeway/elements/method'
import { useState } from 'react'
import { useLatest } from './latest.js'

/**
 * Returns the object that opens the flow, the same one on every render. It is never null, because there is no script to
 * wait for. An open flow stays open when the component is removed.
 * @param options may be a new object with new functions on every render: the latest ones are used
 */
export function useMethod(options: MethodOptions = {}): Method {
  const latest = useLatest(options)
  const [method] = useState(() => new Method(latestOptions(() => latest.current)))
  return method
}

/** Returns an object whose properties are those of the latest options. */
const latestOptions = (latest: () => MethodOptions): MethodOptions =>
  new Proxy<MethodOptions>({}, { get: (_, name) => latest()[name as keyof MethodOptions] })
