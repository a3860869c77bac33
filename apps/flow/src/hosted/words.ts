/** Text used only on the hosted page. All other text is in the flow's catalogs. */
import type { Language } from '../words/language.js'

const en = {
  /** The title, which fits every purpose: connecting accounts, verifying an identity, or updating a card. */
  title: (brand: string) => `Continue with ${brand}`,
  lead: (brand: string) =>
    `${brand} sent you to this secure page. You choose what to share. This takes about two minutes.`,
  /** The start of the person's own page, which shares nothing new. */
  ownTitle: (brand: string) => `What you share with ${brand}`,
  ownLead: (brand: string) =>
    `On this secure page, you see what you share with ${brand}, and you can stop it. You need a code that we text you.`,
  ownCaution: 'If you didn’t expect this link, close this page. Nothing changes.',
  returns: (host: string) => `Afterward, you’ll go back to ${host}.`,
  begin: 'Begin',
  caution: 'If you didn’t expect this link, close this page. Nothing has been shared.',
  spentTitle: 'This link can’t be used anymore',
  spent: (brand: string) =>
    `A link works once and expires after 24 hours. Go back to ${brand} and ask for a new one. Your progress is saved.`,
  partTitle: 'This link isn’t complete',
  part: 'Part of the web address is missing. Open the link again from the message you got, or ask for a new one.',
  ended: (brand: string) =>
    `We closed it to keep your details safe. Your progress is saved. Go back to ${brand} to continue.`,
  back: (brand: string) => `Go back to ${brand}`,
  leaving: (brand: string) => `Taking you back to ${brand}`,
}

type HostedWords = { [K in keyof typeof en]: (typeof en)[K] extends string ? string : (value: string) => string }

const es: HostedWords = {
  title: brand => `Continúa con ${brand}`,
  lead: brand => `${brand} te envió a esta página segura. Tú eliges qué compartir. Toma unos dos minutos.`,
  ownTitle: brand => `Lo que compartes con ${brand}`,
  ownLead: brand =>
    `En esta página segura ves lo que compartes con ${brand} y puedes dejar de hacerlo. Necesitas un código que te enviamos por mensaje.`,
  ownCaution: 'Si no esperabas este enlace, cierra esta página. No cambia nada.',
  returns: host => `Al terminar vuelves a ${host}.`,
  begin: 'Empezar',
  caution: 'Si no esperabas este enlace, cierra esta página. No se ha compartido nada.',
  spentTitle: 'Este enlace ya no se puede usar',
  spent: brand =>
    `Un enlace sirve una sola vez y durante 24 horas. Vuelve a ${brand} y pide uno nuevo. Lo que hiciste está guardado.`,
  partTitle: 'A este enlace le falta una parte',
  part: 'Falta una parte de la dirección. Ábrelo de nuevo desde el mensaje que recibiste o pide uno nuevo.',
  ended: brand => `La cerramos para proteger tus datos. Tu progreso está guardado: vuelve a ${brand} para continuar.`,
  back: brand => `Volver a ${brand}`,
  leaving: brand => `Te llevamos de vuelta a ${brand}`,
}

const ar: HostedWords = {
  title: brand => `تابع مع ${brand}`,
  lead: brand => `أرسلك ${brand} إلى هذه الصفحة الآمنة. أنت تختار ما تشاركه. يستغرق ذلك نحو دقيقتين.`,
  ownTitle: brand => `ما تشاركه مع ${brand}`,
  ownLead: brand =>
    `في هذه الصفحة الآمنة ترى ما تشاركه مع ${brand} ويمكنك إيقافه. ستحتاج إلى رمز نرسله إليك في رسالة نصية.`,
  ownCaution: 'إن لم تكن تتوقع هذا الرابط فأغلق هذه الصفحة. لن يتغير شيء.',
  returns: host => `بعد الانتهاء تعود إلى \u2068${host}\u2069.`,
  begin: 'ابدأ',
  caution: 'إن لم تكن تتوقع هذا الرابط فأغلق هذه الصفحة. لم يُشارَك أي شيء.',
  spentTitle: 'لم يعد استخدام هذا الرابط ممكنًا',
  spent: brand => `يعمل الرابط مرة واحدة ولمدة 24 ساعة. ارجع إلى ${brand} واطلب رابطًا جديدًا. ما أنجزته محفوظ.`,
  partTitle: 'هذا الرابط غير مكتمل',
  part: 'جزء من العنوان مفقود. افتحه من جديد من الرسالة التي وصلتك، أو اطلب رابطًا جديدًا.',
  ended: brand => `أغلقناها لحماية بياناتك. تقدّمك محفوظ: ارجع إلى ${brand} للمتابعة.`,
  back: brand => `العودة إلى ${brand}`,
  leaving: brand => `نعيدك الآن إلى ${brand}`,
}

export const hostedWords: Record<string, HostedWords> = { en, es, ar }

export const wordsOf = ({ locale }: Language): HostedWords => hostedWords[new Intl.Locale(locale).language] ?? en
