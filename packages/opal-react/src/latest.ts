import { useEffect, useLayoutEffect, useRef } from 'react'

/** Uses a plain effect on a server, where React 18 warns about layout effects. React Native has a `window` too. */
const useCommitEffect = 'window' in globalThis ? useLayoutEffect : useEffect

/** Returns a reference to the value of the latest render. */
export function useLatest<T>(value: T): { current: T } {
  const latest = useRef(value)
  useCommitEffect(() => {
    latest.current = value
  })
  return latest
}
