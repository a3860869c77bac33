/** The element's own text, shown before the frame is ready. */
import type { ElementMode } from '@causeway/contract/session'

export interface Words extends Record<ElementMode, string> {
  lang: string
  dir: 'ltr' | 'rtl'
  loading: string
  failed: string
  advice: string
  retry: string
  close: string
}

const catalogue: Record<string, Words> = {
  en: {
    lang: 'en',
    dir: 'ltr',
    connect: 'Connect your accounts',
    balance_transfer: 'Choose the balances to pay',
    loading: 'Loading',
    failed: 'This didn’t load',
    advice: 'Check your connection and try again.',
    retry: 'Try again',
    close: 'Close',
  },
  es: {
    lang: 'es',
    dir: 'ltr',
    connect: 'Conecta tus cuentas',
    balance_transfer: 'Elige los saldos que quieres pagar',
    loading: 'Cargando',
    failed: 'No se pudo cargar',
    advice: 'Revisa tu conexión e inténtalo de nuevo.',
    retry: 'Intentar de nuevo',
    close: 'Cerrar',
  },
  ar: {
    lang: 'ar',
    dir: 'rtl',
    connect: 'اربط حساباتك',
    balance_transfer: 'اختر الأرصدة المراد سدادها',
    loading: 'جارٍ التحميل',
    failed: 'تعذّر التحميل',
    advice: 'تحقّق من اتصالك وحاول مرة أخرى.',
    retry: 'حاول مرة أخرى',
    close: 'إغلاق',
  },
}

/** Returns the text for the first of these BCP 47 locales that has a translation, or English if none does. */
export function wordsFor(locales: readonly (string | null)[]): Words {
  const spoken = locales
    .map(locale => locale?.split('-')[0]?.toLowerCase() ?? '')
    .find(each => Object.hasOwn(catalogue, each))
  return catalogue[spoken ?? 'en']!
}
