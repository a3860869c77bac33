/** The element's own text, shown before the frame is ready. */
import type { ElementMode } from '@causeway/contract/session'

export interface Words extends Record<ElementMode, string> {
  lang: string
  dir: 'ltr' | 'rtl'
  loading: string
  failed: string
  /** The advice shown after a failure, by cause. */
  connection: string
  page: string
  retry: string
  close: string
}

const catalogue: Record<string, Omit<Words, 'lang' | 'dir'>> = {
  en: {
    connect: 'Connect your accounts',
    balance_transfer: 'Choose the balances to pay',
    loading: 'Loading',
    failed: 'This didn’t load',
    connection: 'Check your connection and try again.',
    page: 'Something went wrong. Try again in a moment.',
    retry: 'Try again',
    close: 'Close',
  },
  es: {
    connect: 'Conecta tus cuentas',
    balance_transfer: 'Elige los saldos que quieres pagar',
    loading: 'Cargando',
    failed: 'No se pudo cargar',
    connection: 'Revisa tu conexión e inténtalo de nuevo.',
    page: 'Algo falló. Inténtalo de nuevo en un momento.',
    retry: 'Intentar de nuevo',
    close: 'Cerrar',
  },
  ar: {
    connect: 'اربط حساباتك',
    balance_transfer: 'اختر الأرصدة المراد سدادها',
    loading: 'جارٍ التحميل',
    failed: 'تعذّر التحميل',
    connection: 'تحقّق من اتصالك وحاول مرة أخرى.',
    page: 'حدث خطأ. حاول مرة أخرى بعد قليل.',
    retry: 'حاول مرة أخرى',
    close: 'إغلاق',
  },
}

/**
 * Returns the text for the first of these locales that has a translation, or English if none of them has one. A locale is
 * a BCP 47 tag or a tag of another system, such as `es_MX.UTF-8`. A browser may name no locale.
 */
export function wordsFor(locales: readonly (string | null)[]): Words {
  const spoken = locales.map(locale => locale?.toLowerCase().split(/[^a-z]/)[0])
  const lang = spoken.find(each => Object.hasOwn(catalogue, each ?? '')) ?? 'en'
  return { ...catalogue[lang]!, lang, dir: lang === 'ar' ? 'rtl' : 'ltr' }
}
