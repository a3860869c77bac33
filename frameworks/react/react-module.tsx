/** React as one module, for a page with an import map. The tests bundle it, because React itself is CommonJS. */
export {
  createContext,
  createElement,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
export { createRoot } from 'react-dom/client'
