/** What the element itself says, before the frame can speak. */
import type { Mode } from '@causeway/contract/session'

export interface Words extends Record<Mode, string> {
  loading: string
  failed: string
  advice: string
  retry: string
  close: string
}

const catalogue: Record<string, Words> = {
  en: {
    connect: 'Connect your accounts',
    balance_transfer: 'Choose the balances to pay',
    loading: 'Loading',
    failed: 'This didn’t load',
    advice: 'Check your connection and try again.',
    retry: 'Try again',
    close: 'Close',
  },
  es: {
    connect: 'Conecta tus cuentas',
    balance_transfer: 'Elige los saldos que quieres pagar',
    loading: 'Cargando',
    failed: 'No se pudo cargar',
    advice: 'Revisa tu conexión e inténtalo de nuevo.',
    retry: 'Intentar de nuevo',
    close: 'Cerrar',
  },
}

/** The words for a BCP 47 locale, English where there are none. */
export function wordsFor(locale: string): Words {
  return catalogue[locale.slice(0, 2).toLowerCase()] ?? catalogue['en']!
}
