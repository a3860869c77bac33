import { useEffect, useLayoutEffect, useRef } from 'react'

/** Uses a layout effect in the browser, and a plain one on the server, where React 18 warns about layout effects. */
const useCommitEffect = globalThis.document ? useLayoutEffect : useEffect

/** Returns a reference to the value of the latest render. */
export function useLatest<T>(value: T): { current: T } {
  const latest = useRef(value)
  useCommitEffect(() => {
    latest.current = value
  })
  return latest
}
