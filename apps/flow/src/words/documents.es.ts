/**
 * Spanish translations of the documents in `documents.en.ts`. A version that is no longer presented needs no
 * translation.
 */
import { phrasesOf, type Translations } from './documents.en.js'

const list = new Intl.ListFormat('es')

/** Data about an account. */
const ofAccount = {
  balance: 'su saldo',
  statement: 'su límite, tasa, fechas de pago, historial y estado',
  payoff: 'su monto de liquidación',
  number: 'su número completo de cuenta o de tarjeta y lo demás que haga falta para pagarla o para pagar con ella',
  card: 'su marca y su imagen',
  usage: 'cifras sobre cómo la usas',
  purchases: 'cada compra, una vez que empiecen los avisos',
  payments: 'los pagos que se le envíen',
}
/** Data in a credit file. */
const ofFile = {
  credit_score: 'tu puntaje de crédito',
  credit_profile: 'cifras sobre cómo usas el crédito',
  vehicles: 'tus vehículos',
}

export const es: Translations = {
  esign: {
    '2026-11-26': brand => [
      'Aceptas recibir los registros de esta sesión en formato electrónico: estos documentos, tus elecciones y la confirmación al final. Necesitas este dispositivo, un navegador actual y una conexión a internet.',
      `Puedes guardar o imprimir estos documentos antes de aceptarlos, y una copia de todo al final. Puedes pedirle a ${brand} una copia en papel o decirle que retiras esta aceptación. Retirarla no deshace lo que se hizo antes.`,
    ],
  },
  credit_report: {
    '2026-11-29': (brand, { service, bureau }, shares) => [
      `Das instrucciones a ${brand} y a ${service}, que ofrece estas pantallas en nombre de ${brand}, para pedir información de tu historial de crédito a ${bureau ? `${bureau}, un buró de crédito` : 'un buró de crédito'} (una agencia de informes del consumidor). ${bureau ?? 'El buró'} recibe datos que te identifican.`,
      `En esta sesión, ${service} pide una lista de las cuentas a tu nombre. Si ya pidió una lista para ${brand} en los últimos 30 días, usa esa. Más adelante, hasta que retires tu permiso, ${brand} puede volver a pedir la misma información de tu historial, una vez o con regularidad, por ejemplo cada mes. Las cuentas que abras más adelante se comparten solo después de que las elijas o aceptes compartirlas.`,
      `${brand} puede recibir del historial: ${list.format([
        'las cuentas que contiene y que compartas',
        ...phrasesOf(ofFile, shares),
        ...(shares.includes('identity') ? ['tus datos personales, incluido tu número de Seguro Social completo'] : []),
      ])}. Recibe esta información, no una copia del informe.`,
      'Cada solicitud es una consulta leve. No afecta tu puntaje de crédito y otros prestamistas no pueden verla.',
    ],
  },
  account_data: {
    '2026-11-30': (brand, recipients, shares) => {
      const [data, sources, purpose] = es['account_data']!['2026-11-29']!(brand, recipients, shares)
      const { service, aggregator, network } = recipients
      const other = network ? `${network}, una empresa independiente` : 'una empresa independiente'
      const others =
        network === undefined
          ? []
          : [
              `Para encontrar tus cuentas, consultarlas y pagarlas, ${service} envía datos que te identifican a ti y a la cuenta a ${other} con su propia política de privacidad. Retirar este permiso no borra lo que esa empresa ya tiene.`,
            ]
      if (aggregator === undefined) return [data!, sources!, ...others, purpose!]
      return [
        data!,
        `Si conectas un prestamista, inicias sesión en una página de ${aggregator ?? 'otra empresa'}. ${service} envía tu nombre a ${aggregator ?? 'esa empresa'} y recibe tus cuentas de ese prestamista, lo que este sabe sobre ellas y si están a tu nombre. Recibe los cambios hasta que desconectes al prestamista o retires tu permiso. Ni ${service} ni ${brand} reciben tu contraseña.`,
        sources!,
        ...others,
        purpose!,
      ]
    },
    '2026-11-29': (brand, { service }, shares) => [
      `De las cuentas encontradas a tu nombre que compartas aquí, y de las que verifiques aquí, ${brand} puede recibir: ${list.format(['el nombre del prestamista', 'el tipo de cuenta', ...(shares.includes('number') ? [] : ['sus últimos dígitos']), ...phrasesOf(ofAccount, shares)])}. Donde elijas cuentas, la pantalla dice si ${brand} también puede ver las demás. ${brand} puede volver a pedirlo hasta que retires tu permiso.`,
      `Para obtener esta información y comprobar lo que escribas, ${service}, que ofrece estas pantallas en nombre de ${brand}, envía datos que te identifican a ti y a la cuenta a tus prestamistas, a las redes de tarjetas y a sus proveedores de servicios.`,
      `${brand} puede usar esto para ofrecerte sus productos y darles servicio, y para nada más. Puedes retirar tu permiso en ${brand} en cualquier momento. Después no se comparte ninguna información nueva.`,
    ],
  },
  transactions: {
    '2026-11-26': brand => [
      `De las tarjetas que elijas, ${brand} recibe desde ahora cada compra, abono y reembolso: el comercio, la fecha, el monto y el estado. Lo que se compró antes no se comparte.`,
      `El permiso dura hasta que lo retires, en ${brand}, en cualquier momento.`,
    ],
  },
  future_accounts: {
    '2026-11-26': brand => [
      'Marcaste que también se compartan las cuentas que abras más adelante.',
      `Entonces las nuevas tarjetas y los nuevos préstamos a tu nombre se comparten con ${brand} a medida que aparecen, hasta que retires tu permiso allí.`,
    ],
  },
  text_messages: {
    '2026-11-29': brand => [
      `Si ${brand} nos dio tu número de teléfono, te enviamos un código por mensaje de texto en cuanto aceptas. Si no, y cada vez que pides otro código, enviamos un mensaje de texto. Pueden aplicarse tarifas de mensajes y datos. Responde HELP para recibir ayuda y STOP para dejar de recibirlos. El número no se usa para publicidad.`,
    ],
    '2026-11-01': () => [
      'Enviamos un mensaje de texto con un código cada vez que lo pides. Pueden aplicarse tarifas de mensajes y datos. Responde HELP para recibir ayuda y STOP para dejar de recibirlos. El número no se usa para publicidad.',
    ],
  },
  payments: {
    '2026-11-26': brand => [
      `Si confirmas los pagos al final, autorizas a ${brand} a enviar los montos indicados a las cuentas indicadas, una sola vez, cuando desembolse tu préstamo. Hasta entonces puedes volver y cambiar los montos. Para cancelarlos todos, díselo a ${brand} antes de que desembolse el préstamo.`,
      'Un pago suele llegar en uno a tres días hábiles. Los intereses o los cargos nuevos pueden dejar un saldo pequeño. Sigue haciendo tus pagos habituales hasta que el pago aparezca en tu cuenta.',
    ],
  },
  privacy: {
    '2026-11-30': (brand, recipients, shares) => {
      const [entered, checks, ...rest] = es['privacy']!['2026-11-29']!(brand, recipients, shares)
      const { service, aggregator, network } = recipients
      const others =
        network === undefined
          ? []
          : [
              `Para confirmar quién eres y encontrar tus cuentas, ${service} también envía lo que escribes a ${network ?? 'otra empresa'}.`,
            ]
      if (aggregator === undefined) return [entered!, checks!, ...others, ...rest]
      const company = aggregator ?? 'la empresa en cuya página conectas a tus prestamistas'
      return [
        entered!,
        checks!,
        `Para encontrar tus cuentas, ${service} también envía tu nombre a ${company}.`,
        ...others,
        ...rest,
      ]
    },
    '2026-11-29': (brand, { service, bureau }, shares) => [
      `Lo que escribes se cifra y llega a ${service}, que ofrece estas pantallas en nombre de ${brand} y lo usa para confirmar quién eres y para encontrar tus cuentas. No se vende.`,
      `Para comprobar lo que escribes, ${service} envía lo que hace falta para cada comprobación a servicios de mensajes de texto, servicios de identidad, ${bureau === undefined ? '' : `burós de crédito${bureau ? ` como ${bureau}` : ''}, `}tus prestamistas y las redes de tarjetas.`,
      shares.includes('identity')
        ? `${brand} puede recibir lo que pida sobre ti: tu nombre, direcciones, número de teléfono, fecha de nacimiento y número de Seguro Social completo, tal como los escribiste o como los tenga registrados ${bureau === undefined ? '' : 'un buró de crédito o '}un servicio de identidad.`
        : `${brand} puede recibir tu nombre, dirección, número de teléfono y fecha de nacimiento, tal como los escribiste.`,
      `Puedes pedirle a ${brand} una copia de todo ello o que lo borre.`,
    ],
  },
}
