/** Serves the page at which a person arrives after linking institutions on the provider's page. */
import { LINKING_KEY } from '@causeway/contract/linking'
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
 * Goes back in this tab's history to the hosted page that it came from. In a window that the flow opened, closes it
 * instead.
 */
const script = `const key='${LINKING_KEY}'
let length
try{length=Number(sessionStorage.getItem(key));sessionStorage.removeItem(key)}catch{}
if(length>0&&length<history.length)history.go(length-history.length);else close()`

export const linkedPage = ({ shell }: Assets, accepted: string | undefined): Response =>
  textPage(shell, accepted, { words, status: 200, ancestors: "'none'", script })
