/** Stands in for React Native in a browser. */
import type { ReactNode } from 'react'

export const Platform = { OS: 'ios' }
/** The URLs that the app opened in the system's browser. */
export const openedUrls: string[] = []
export const Linking = {
  openURL(url: string): Promise<void> {
    openedUrls.push(url)
    return Promise.resolve()
  },
}

export const Modal = ({ children, onRequestClose }: { children: ReactNode; onRequestClose: () => void }) => (
  <section id="modal">
    <button type="button" id="back" onClick={onRequestClose}>
      Back
    </button>
    {children}
  </section>
)
