import { foldCharacters, UNSPACED } from "./normalize";

/** Words of units, by unit; a sign for currencies and shares. */
const UNIT_WORDS: Readonly<Record<string, string>> = {
	second:
		"second seconds sec secs sekunde sekunden seconde secondes segundo segundos secondo secondi секунда секунды секунд saniye ثانية ثوان ثواني",
	minute:
		"minute minutes min mins minuten minuto minutos minuti minuut минута минуты минут dakika دقيقة دقائق 分钟 分鐘 分間 분",
	hour: "hour hours hr hrs stunde stunden std heure heures hora horas ora ore uur uren час часа часов saat ساعة ساعات 小时 小時 時間 시간",
	day: "day days tag tage tagen tages jour jours journee journees dia dias giorno giorni dag dagen день дня дней сутки суток gun يوم ايام 天 个工作日 個工作日 工作日 営業日 日間 일",
	week: "week weeks woche wochen semaine semaines semana semanas settimana settimane weken неделя недели недель hafta اسبوع اسابيع 周 週 星期 週間 주",
	month:
		"month months monat monate monaten monats mois mes meses mese mesi maand maanden месяц месяца месяцев ay شهر اشهر شهور 个月 個月 ヶ月 か月 カ月 개월",
	quarter:
		"quarter quarters quartal quartale quartalen trimestre trimestres trimestri квартал квартала кварталов ceyrek",
	year: "year years yr yrs jahr jahre jahren jahres annee annees ans ano anos anno anni jaar год года лет yil سنة سنوات عام اعوام",
	percent: "% percent prozent pct процент процента процентов yuzde",
	usd: "$ usd dollar dollars dolar dolares dollari доллар доллара долларов دولار 美元",
	eur: "€ eur euro euros euroa евро يورو 欧元 ユーロ",
	gbp: "£ gbp pound pounds pfund livre livres 英镑",
	chf: "chf franken francs franc",
	yen: "¥ jpy yen 円 日元",
	yuan: "元 cny rmb yuan 人民币",
	rouble: "₽ rub руб рубль рубля рублей",
	lira: "₺ try lira",
	kilobyte: "kb kib",
	megabyte: "mb mib",
	gigabyte: "gb gib",
	terabyte: "tb tib",
	millimetre: "mm",
	centimetre: "cm",
	metre: "metre metres meter meters metern metro metros metri",
	kilometre: "km kilometre kilometres kilometer kilometers kilometern kilometros kilometri",
	mile: "mile miles meile meilen",
	gram: "gram grams gramm gramme grammes gramos",
	kilogram: "kg kilogram kilograms kilogramm kilogrammes kilo kilos",
	tonne: "tonne tonnes ton tons tonnen toneladas",
};

const UNITS: ReadonlyMap<string, string> = new Map(
	Object.entries(UNIT_WORDS).flatMap(([unit, words]) =>
		words.split(" ").map((word) => [foldCharacters(word), unit] as const),
	),
);

const UNSPACED_UNITS = [...UNITS].filter(([word]) => UNSPACED.test(word));

/** The unit that a word is, or that the characters of a text without blanks begin with. @param word - folded, in small letters. */
export const toUnit = (word: string): string | undefined =>
	UNITS.get(word) ??
	(UNSPACED.test(word) ? UNSPACED_UNITS.find(([unit]) => word.startsWith(unit))?.[1] : undefined);

/** Words for how often: `monthly`, `jährlich`, `par an`. */
const RATES: readonly (readonly [string, RegExp])[] = (
	[
		["hour", "hourly|stundlich\\w*|horaire"],
		[
			"day",
			"daily|taglich\\w*|quotidien\\w*|journalier\\w*|diari[oa]s?|giornalier\\w*|ежедневно|每[天日]|毎日",
		],
		["week", "weekly|wochentlich\\w*|hebdomadaire\\w*|semanal\\w*|settimanal\\w*|еженедельно|每[周週]|毎週"],
		["month", "monthly|monatlich\\w*|mensuel\\w*|mensual\\w*|mensil\\w*|ежемесячно|每个?月|毎月|aylik"],
		["quarter", "quarterly|quartalsweise|vierteljahrlich\\w*|trimestriel\\w*|trimestral\\w*"],
		[
			"year",
			"yearly|annual(?:ly)?|annum|jahrlich\\w*|annuel\\w*|anual\\w*|annual[ei]|ежегодно|每年|毎年|yillik|par an",
		],
	] as const
).map(
	([unit, words]) => [unit, new RegExp(`(?<![\\p{L}\\p{M}])(?:${words})(?![\\p{L}\\p{M}])`, "u")] as const,
);

const PER =
	/(?<!\p{L})(?:per|each|every|an?|once an?|pro|je|jede[nmrs]?|im|par|chaque|al|por|cada|ogni|в|каждый)\s(?:(?:calendar|fiscal|working|civil)\s)?(\p{L}+)/gu;

/** Periods that something is counted by. @param text - folded, in small letters. */
export function readRates(text: string): ReadonlySet<string> {
	const rates = RATES.flatMap(([unit, pattern]) => (pattern.test(text) ? [unit] : []));
	const counted = [...text.matchAll(PER)].flatMap(([, word = ""]) => toUnit(word) ?? []);
	return new Set([...rates, ...counted.filter((unit) => PERIODS.has(unit))]);
}

const PERIODS: ReadonlySet<string> = new Set(RATES.map(([unit]) => unit));
