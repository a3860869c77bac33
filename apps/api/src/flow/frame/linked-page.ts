/** Serves the page at which a person arrives after linking institutions on the provider's page. */
import { LINKING_KEY } from '@causeway/contract/session'
import type { Assets } from './assets.js'
import { textPage, type Words } from './error-page.js'

const words: Record<string, Words> = {
  en: {
    title: 'You can close this window',
    text: 'Go back to the window where you started. It already has the result.',
  },
  es: { title: 'Puedes cerrar esta ventana', text: 'Vuelve a la ventana donde empezaste. Ya tiene el resultado.' },
  ar: { title: 'يمكنك إغلاق هذه النافذة', text: 'ارجع إلى النافذة التي بدأت منها، فالنتيجة ظاهرة فيها.' },
}

/**
 * Returns to the hosted page that this tab came from. In a window that the flow opened, closes it instead. A hosted page
 * stores its handle in the tab before it leaves.
 */
const script = `let h
try{h=JSON.parse(sessionStorage.getItem('${LINKING_KEY}')).handle}catch{}
if(/^[0-9A-Za-z]{16}$/.test(h))location.replace('/h/'+h);else close()`

export const linkedPage = ({ shell }: Assets, accepted: string | undefined): Response =>
  textPage(shell, accepted, { words, status: 200, ancestors: "'none'", script })
