/**
 * Arabic translations of the documents in `documents.en.ts`. A version that is no longer presented needs no
 * translation. Names and words that may read left to right are enclosed in direction isolates.
 */
import { type LegalText, phrasesOf, type Translations } from './documents.en.js'

const list = new Intl.ListFormat('ar')

/** Data about an account. */
const ofAccount = {
  balance: 'رصيده',
  statement: 'حدّه وفائدته ومواعيد سداده وسجله وحالته',
  payoff: 'مبلغ سداده بالكامل',
  number: 'رقم الحساب أو البطاقة الكامل وما يلزم أيضًا لسداده أو للدفع به',
  card: 'علامته وصورته',
  usage: 'أرقام عن كيفية استخدامك له',
  purchases: 'كل عملية شراء بعد بدء التحديثات',
  payments: 'الدفعات المرسلة إليه',
}
/** Data in a credit file. */
const ofFile = {
  credit_score: 'تقييمك الائتماني',
  credit_profile: 'أرقام عن كيفية استخدامك للائتمان',
  vehicles: 'مركباتك',
}

/** Isolates a name whose direction is unknown. */
const isolated = (name: string) => `\u2068${name}\u2069`

const texts: Translations = {
  esign: {
    '2026-11-26': brand => [
      'توافق على تلقي سجلات هذه الجلسة إلكترونيًا: هذه المستندات واختياراتك والتأكيد في النهاية. تحتاج إلى هذا الجهاز ومتصفح حديث واتصال بالإنترنت.',
      `يمكنك حفظ هذه المستندات أو طباعتها قبل أن توافق، ونسخة من كل شيء في النهاية. يمكنك أن تطلب من ${brand} نسخة ورقية، أو تبلغه بأنك تسحب هذه الموافقة. ولا يُلغي السحب ما تم قبله.`,
    ],
  },
  credit_report: {
    '2026-11-29': (brand, { service, bureau }, shares) => [
      `توجّه ${brand} وخدمة ${service}، التي تقدم هذه الشاشات نيابة عن ${brand}، إلى طلب معلومات من ملفك الائتماني لدى مكتب ائتمان${bureau ? ` هو ${bureau}` : ''} (وكالة تقارير المستهلكين). ويتلقى ${bureau ?? 'المكتب'} بيانات تحدد هويتك.`,
      `في هذه الجلسة تطلب خدمة ${service} قائمة بالحسابات التي باسمك. وإذا كانت قد طلبت قائمة من أجل ${brand} خلال آخر 30 يومًا، فإنها تستخدم تلك القائمة. ولاحقًا، وإلى أن تسحب إذنك، يمكن أن يطلب ${brand} المعلومات نفسها من ملفك مرة أخرى، مرة واحدة أو بانتظام، مثلًا كل شهر. ولا تتم مشاركة الحسابات التي تفتحها لاحقًا إلا بعد أن تختارها أو توافق على مشاركتها.`,
      `يمكن أن يتلقى ${brand} من الملف: ${list.format([
        'الحسابات الواردة فيه التي تشاركها',
        ...phrasesOf(ofFile, shares),
        ...(shares.includes('identity') ? ['بياناتك الشخصية، بما فيها رقم ضمانك الاجتماعي الكامل'] : []),
      ])}. ويتلقى هذه المعلومات، لا نسخة من التقرير.`,
      'كل طلب هو استعلام خفيف. لا يؤثر في تقييمك الائتماني، ولا يمكن لمُقرضين آخرين رؤيته.',
    ],
  },
  account_data: {
    '2026-11-30': (brand, recipients, shares) => {
      const [data, sources, purpose] = texts['account_data']!['2026-11-29']!(brand, recipients, shares)
      const { service, aggregator, network } = recipients
      const others =
        network === undefined
          ? []
          : [
              `للعثور على حساباتك وقراءتها والدفع إليها، ترسل خدمة ${service} بيانات تحدد هويتك وتحدد الحساب إلى ${network ? `${network}، وهي شركة مستقلة` : 'شركة مستقلة'} لها سياسة خصوصية خاصة بها. ولا يمحو سحب هذا الإذن ما لدى تلك الشركة بالفعل.`,
            ]
      if (aggregator === undefined) return [data!, sources!, ...others, purpose!]
      return [
        data!,
        `إذا ربطت جهة إقراض، فإنك تسجّل الدخول إليها في صفحة ${aggregator ?? 'شركة أخرى'}. ترسل خدمة ${service} اسمك إلى ${aggregator ?? 'تلك الشركة'}، وتتلقى حساباتك هناك وما يعرفه المُقرض عنها وما إذا كانت باسمك. وتتلقى ما يتغيّر منها إلى أن تلغي ربط الجهة أو تسحب إذنك. ولا تتلقى خدمة ${service} ولا ${brand} كلمة مرورك.`,
        sources!,
        ...others,
        purpose!,
      ]
    },
    '2026-11-29': (brand, { service }, shares) => [
      `بالنسبة إلى الحسابات التي عُثر عليها باسمك وتشاركها هنا، والحسابات التي تتحقق منها هنا، يمكن أن يتلقى ${brand}: ${list.format(['اسم المُقرض', 'نوع الحساب', ...(shares.includes('number') ? [] : ['أرقامه الأخيرة']), ...phrasesOf(ofAccount, shares)])}. وحيث تختار الحسابات، تذكر الشاشة ما إذا كان ${brand} يستطيع رؤية غيرها أيضًا. ويمكن أن يطلب ${brand} ذلك مرة أخرى إلى أن تسحب إذنك.`,
      `للحصول على هذه المعلومات وللتحقق مما تُدخله، ترسل خدمة ${service}، التي تقدم هذه الشاشات نيابة عن ${brand}، بيانات تحدد هويتك وتحدد الحساب إلى مُقرضيك وشبكات البطاقات ومقدمي خدماتهم.`,
      `يجوز أن يستخدم ${brand} ذلك ليعرض عليك منتجاته ويخدمها، لا لأي غرض آخر. يمكنك سحب إذنك لدى ${brand} في أي وقت. وبعد ذلك لا تتم مشاركة أي معلومات جديدة.`,
    ],
  },
  transactions: {
    '2026-11-26': brand => [
      `بالنسبة إلى البطاقات التي تختارها، يتلقى ${brand} من الآن فصاعدًا كل عملية شراء وكل رصيد دائن وكل استرداد: المتجر والتاريخ والمبلغ والحالة. ولا تتم مشاركة ما اشتُري قبل ذلك.`,
      `يستمر الإذن إلى أن تسحبه لدى ${brand} في أي وقت.`,
    ],
  },
  future_accounts: {
    '2026-11-26': brand => [
      'حددت أن تتم أيضًا مشاركة الحسابات التي تفتحها لاحقًا.',
      `عندئذ تتم مشاركة البطاقات والقروض الجديدة باسمك مع ${brand} عند ظهورها، إلى أن تسحب إذنك لديه.`,
    ],
  },
  text_messages: {
    '2026-11-29': brand => [
      `إذا زوّدنا ${brand} برقم هاتفك، فسنرسل إليك رمزًا في رسالة نصية فور موافقتك. وإلا، وكلما طلبت رمزًا آخر، نرسل رسالة نصية واحدة. قد تُطبق رسوم الرسائل والبيانات. أجب بكلمة \u2066HELP\u2069 للمساعدة وبكلمة \u2066STOP\u2069 لإيقاف الرسائل. لا يُستخدم الرقم للإعلانات.`,
    ],
    '2026-11-01': () => [
      'نرسل رسالة نصية واحدة تتضمن رمزًا في كل مرة تطلب فيها رمزًا. قد تُطبق رسوم الرسائل والبيانات. أجب بكلمة \u2066HELP\u2069 للمساعدة وبكلمة \u2066STOP\u2069 لإيقاف الرسائل. لا يُستخدم الرقم للإعلانات.',
    ],
  },
  payments: {
    '2026-11-26': brand => [
      `إذا أكدت الدفعات في النهاية، فإنك تأذن لـ ${brand} بإرسال المبالغ المعروضة إلى الحسابات المعروضة، مرة واحدة، عندما يصرف قرضك. وحتى ذلك الحين يمكنك العودة وتغيير المبالغ. ولإلغائها كلها، أبلغ ${brand} قبل أن يصرف القرض.`,
      'تصل الدفعة عادةً خلال يوم إلى ثلاثة أيام عمل. قد تترك الفائدة أو الرسوم الجديدة رصيدًا صغيرًا. استمر في سداد دفعاتك المعتادة إلى أن تظهر الدفعة في حسابك.',
    ],
  },
  privacy: {
    '2026-11-30': (brand, recipients, shares) => {
      const [entered, checks, ...rest] = texts['privacy']!['2026-11-29']!(brand, recipients, shares)
      const { service, aggregator, network } = recipients
      const others =
        network === undefined
          ? []
          : [`لتأكيد هويتك وللعثور على حساباتك، ترسل خدمة ${service} ما تُدخله أيضًا إلى ${network ?? 'شركة أخرى'}.`]
      if (aggregator === undefined) return [entered!, checks!, ...others, ...rest]
      const company = aggregator ?? 'الشركة التي تربط جهات الإقراض في صفحتها'
      return [
        entered!,
        checks!,
        `للعثور على حساباتك، ترسل خدمة ${service} اسمك أيضًا إلى ${company}.`,
        ...others,
        ...rest,
      ]
    },
    '2026-11-29': (brand, { service, bureau }, shares) => [
      `ما تُدخله يُشفَّر ويصل إلى خدمة ${service}، التي تقدم هذه الشاشات نيابة عن ${brand} وتستخدمه لتأكيد هويتك وللعثور على حساباتك. ولا يُباع.`,
      `للتحقق مما تُدخله، ترسل خدمة ${service} ما يلزم لكل تحقق إلى خدمات الرسائل النصية وخدمات التحقق من الهوية ${bureau === undefined ? '' : `ومكاتب الائتمان${bureau ? ` مثل ${bureau}` : ''} `}ومُقرضيك وشبكات البطاقات.`,
      shares.includes('identity')
        ? `يمكن أن يتلقى ${brand} ما يطلبه عنك: اسمك وعناوينك ورقم هاتفك وتاريخ ميلادك ورقم ضمانك الاجتماعي الكامل، كما أدخلتها أو كما هي مسجلة لدى ${bureau === undefined ? '' : 'مكتب ائتمان أو '}خدمة تحقق من الهوية.`
        : `يمكن أن يتلقى ${brand} اسمك وعنوانك ورقم هاتفك وتاريخ ميلادك كما أدخلتها.`,
      `يمكنك أن تطلب من ${brand} نسخة من ذلك أو محوه.`,
    ],
  },
}

export const ar: Translations = Object.fromEntries(
  Object.entries(texts).map(([id, versions]) => [
    id,
    Object.fromEntries(
      Object.entries(versions!).map(([version, text]): [string, LegalText] => [
        version,
        (brand, { service, bureau, aggregator, network }, shares) =>
          text(
            isolated(brand),
            {
              service: isolated(service),
              ...(bureau !== undefined && { bureau: bureau && isolated(bureau) }),
              ...(aggregator !== undefined && { aggregator: aggregator && isolated(aggregator) }),
              ...(network !== undefined && { network: network && isolated(network) }),
            },
            shares,
          ),
      ]),
    ),
  ]),
)
