/** The US Spanish text of the shell and the first screen. */
import type { FirstWords } from './en.js'

export const es: FirstWords = {
  app: {
    title: brand => `Conecta tus cuentas con ${brand}`,
    titleOwn: brand => `Lo que compartes con ${brand}`,
    back: 'Atrás',
    close: 'Cerrar',
    progress: 'Progreso',
    loading: 'Abriendo tu sesión segura',
    working: 'Un momento…',
    retry: 'Intentar de nuevo',
    encrypted: 'Cifrado',
    privacy: 'Privacidad',
    newTab: '(se abre en otra pestaña)',
    reconnecting: 'Tu sesión se cerró para protegerte. La estamos abriendo de nuevo…',
  },
  fault: {
    offline: 'No tienes conexión. Lo intentaremos de nuevo cuando la recuperes.',
    unavailable: 'No nos llegó.',
    limited: 'Demasiadas solicitudes en poco tiempo. Espera un momento e inténtalo de nuevo.',
    limitedFor: seconds => `Demasiadas solicitudes en poco tiempo. Inténtalo de nuevo en ${seconds} segundos.`,
    startTitle: 'No pudimos abrir tu sesión',
    startOffline: 'Tu dispositivo no tiene conexión. Conéctate a internet e inténtalo de nuevo.',
    startUnavailable: 'Falló la conexión. No se perdió nada. Inténtalo de nuevo en un momento.',
    overTitle: 'Tu sesión terminó',
    closedTitle: 'Puedes cerrar esta ventana',
    closedBody: 'Tu progreso está guardado.',
    screen: 'Esta parte de la página no se cargó. Revisa tu conexión e inténtalo de nuevo.',
  },
  error: {
    generic: 'No se aceptó. Revísalo e inténtalo de nuevo.',
    changed: 'Algo cambió mientras no estabas. Revísalo y continúa.',
  },
  consent: {
    titleTransfer: 'Busquemos las deudas que tu préstamo va a pagar',
    titleConnect: '¿Quieres compartir tus cuentas?',
    titleIdentity: '¿Confirmamos quién eres?',
    titleCards: '¿Quieres conectar tus tarjetas?',
    titleAccount: '¿Verificamos tu cuenta?',
    titleTransactions: brand => `¿Compartes tus compras con tarjeta con ${brand}?`,
    leadIdentity: brand => `${brand} nos pide comprobar que eres tú. Toma alrededor de un minuto.`,
    leadAccount: brand => `${brand} te pide demostrar que una cuenta es tuya.`,
    lead: brand => `Con tu permiso, buscamos tus cuentas para ${brand}. Toma unos dos minutos.`,
    receives: name => `Lo que recibe ${name}`,
    share: (brand, hasBureau) =>
      `Las tarjetas y los préstamos a tu nombre, con números completos, saldos y tasas. ${brand} también puede pedir ${hasBureau ? 'información de tu informe de crédito, como tu puntaje, y ' : ''}datos sobre ti, como tu número de Seguro Social completo. Nunca ve tus contraseñas.`,
    whyTransfer: brand => `Para que tu préstamo de ${brand} pueda pagarlas. Tú eliges las cuentas y los montos.`,
    whyConnect: brand => `Para que ${brand} pueda mostrar tus deudas y mantenerlas al día.`,
    shareIdentity: brand =>
      `La confirmación de que eres tú y los datos sobre ti que pida ${brand}, como tu número de Seguro Social completo. Aquí no se comparte ninguna cuenta.`,
    shareAccount: brand =>
      `La confirmación de que la cuenta es tuya, su número completo y los datos sobre ti que pida ${brand}, como tu número de Seguro Social completo. Nunca ve tus contraseñas.`,
    shareTransactions: (brand, hasBureau) =>
      `Las tarjetas y los préstamos a tu nombre, con números completos, y tus compras futuras con las tarjetas que elijas. ${brand} también puede pedir ${hasBureau ? 'información de tu informe de crédito, como tu puntaje, y ' : ''}datos sobre ti, como tu número de Seguro Social completo. Nunca ve tus contraseñas.`,
    aBureau: 'un buró de crédito',
    bureau:
      'Datos que te identifican, para encontrar tu historial de crédito. Esta consulta leve no afecta tu puntaje de crédito y otros prestamistas no pueden verla.',
    service: brand =>
      `Lo que escribas, para ofrecer estas pantallas en nombre de ${brand}. Envía lo necesario para cada comprobación a servicios de identidad, a tus prestamistas y a las redes de tarjetas.`,
    whyIdentity: brand => `Para que nadie más pueda actuar en tu nombre en ${brand}.`,
    whyTransactions: brand => `Para que ${brand} pueda mostrar tus gastos y mantenerlos al día.`,
    whyTitle: 'Por qué lo necesitamos',
    nothingTitle: 'No se paga nada ahora',
    nothing: brand => `Los pagos salen solo después de que los confirmes y ${brand} desembolse el préstamo.`,
    documentsTitle: 'Lo que aceptas',
    documentVersion: version => `Versión ${version}`,
    documentPrint: 'Guardar o imprimir estos documentos',
    documentsIn:
      'Las traducciones son una ayuda. Lo que aceptas es el texto en inglés que está debajo, y ese texto prevalece.',
    translation: 'Traducción',
    original: 'Texto en inglés',
    documentLoading: 'Cargando el texto…',
    withdraw: brand => `Puedes dejar de compartir en cualquier momento a través de ${brand}.`,
    agree: count =>
      `Al tocar «Aceptar y continuar» aceptas ${count === 1 ? 'el documento' : `los ${count} documentos`}.`,
    agreeNew: count =>
      `Al tocar «Aceptar y continuar» aceptas ${count === 1 ? 'el nuevo documento' : `los ${count} nuevos documentos`}.`,
    confirm: count =>
      `Al tocar «Aceptar y continuar» confirmas que sigues aceptando ${count === 1 ? 'el documento' : `los ${count} documentos`}.`,
    carriedTitle: 'Lo que ya aceptaste',
    carried: date => `Aceptado el ${date}`,
    newTitle: 'Lo nuevo',
    read: 'Leer los documentos',
    action: 'Aceptar y continuar',
  },
  documents: {
    esign: 'Registros y firmas electrónicas',
    credit_report: 'Permiso para una consulta de crédito leve',
    account_data: 'Compartir los datos de tus cuentas',
    transactions: 'Compartir tus compras con tarjeta',
    future_accounts: 'Cuentas que abras más adelante',
    text_messages: 'Mensajes de texto',
    payments: 'Pagos que autorizas',
    privacy: 'Aviso de privacidad',
    other: 'Documento',
  },
}
