/** Numbers that are no part of a unit or a name: `m3`, `v2`. */
const NUMBER = /(^|[^\p{Script=Latin}\d])(\d+(?:[.,'\u00a0\u202f ]\d{3}(?!\d))*(?:[.,]\d+)*)/gu;
const THOUSANDS = /^\d{1,3}(?:[.,'\u00a0\u202f ]\d{3})+$/;
const AFTERNOON = /^\s?p\.?\s?m\b/i;
/** Han numerals that count something: the same characters are parts of many words. */
const COUNTED_HAN =
	/([〇零一二两兩三四五六七八九十百千]+)(?=[个個天日月年时時点點分秒元圆圓円人次周週名位件章条條款号號岁歳才倍页頁小种種台本米公万萬亿億折层層楼樓家辆輛只隻张張项項级級度成克升吨])/g;
const HAN_DIGITS = "〇一二三四五六七八九";
const HAN_UNITS: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1000 };

/** Words for 0 and 2 to 12, and round ones; the word for 1 is an article in most languages. */
const NUMBER_WORDS: ReadonlyMap<string, string> = new Map(
	Object.entries({
		0: "zero null nul cero ноль sifir",
		2: "two twice zwei zweimal deux dos due dois duas twee два две двух iki اثنان اثنين",
		3: "three thrice drei dreimal trois tres tre drie три трех uc ثلاثة ثلاث",
		4: "four vier quatre cuatro quattro quatro четыре четырех dort اربعة اربع أربعة أربع",
		5: "five funf cinq cinco cinque vijf пять пяти bes خمسة خمس",
		6: "six sechs seis sei zes шесть шести alti ستة ست",
		7: "seven sieben sept siete sette sete zeven семь семи yedi سبعة سبع",
		8: "eight acht huit ocho otto oito восемь восьми sekiz ثمانية ثماني",
		9: "nine neun neuf nueve nove negen девять девяти dokuz تسعة تسع",
		10: "ten zehn dix diez dieci dez tien десять десяти عشرة عشر",
		11: "eleven elf onze once undici одиннадцать",
		12: "twelve zwolf douze doce dodici doze twaalf двенадцать",
		13: "thirteen dreizehn treize trece tredici тринадцать",
		14: "fourteen vierzehn quatorze catorce четырнадцать",
		15: "fifteen funfzehn quinze quince quindici пятнадцать",
		16: "sixteen sechzehn seize dieciseis sedici шестнадцать",
		17: "seventeen siebzehn diecisiete diciassette семнадцать",
		18: "eighteen achtzehn dieciocho diciotto восемнадцать",
		19: "nineteen neunzehn diecinueve diciannove девятнадцать",
		20: "twenty zwanzig vingt veinte venti vinte twintig двадцать yirmi عشرون عشرين",
		30: "thirty dreissig dreißig trente treinta trenta trinta dertig тридцать otuz ثلاثون ثلاثين",
		40: "forty vierzig quarante cuarenta сорок kirk",
		50: "fifty funfzig cinquante cincuenta пятьдесят elli",
		60: "sixty sechzig soixante sesenta шестьдесят altmis",
		70: "seventy siebzig setenta settanta семьдесят yetmis",
		80: "eighty achtzig ochenta oitenta ottanta восемьдесят seksen",
		90: "ninety neunzig noventa девяносто doksan",
		100: "hundred hundert cent cien сто yuz مائة مئة",
	}).flatMap(([value, words]) => words.split(" ").map((word) => [word, value])),
);

/** The number that a word is, as digits; undefined for any other word. */
export const toNumberOfWord = (word: string): string | undefined => NUMBER_WORDS.get(word);

/** Words behind a number that multiply it, by the power of ten. */
const SCALES: readonly (readonly [number, RegExp])[] = [
	[3, /^(?:k(?![\p{L}\d])|\s(?:thousand|tausend|mille|mil|тыс\.?|тысяч\p{L}?)(?!\p{L}))/iu],
	[12, /^\s(?:trillions?|billionen)(?!\p{L})/iu],
	[6, /^\s?(?:millions?|millionen|mio|mln|millones|milioni|milhoes|миллион\p{L}*|млн)(?!\p{L})/iu],
	[9, /^\s?(?:billions?|bn|milliarden?|mrd|milliards?|miliardi|миллиард\p{L}*|млрд)(?!\p{L})/iu],
];

const MAX_SCALE_CHARACTERS = 12;

/** Value of a written number, multiplied by the word or letter after it: `1.5 million`, `2k`. */
export function toScaledValue(written: string, rest: string): string {
	const value = toValue(written);
	const [power] = SCALES.find(([, pattern]) => pattern.test(rest)) ?? [];
	return power === undefined ? value : String(Math.round(Number(value) * 10 ** power));
}

/** Numbers of a text that may be written in several ways: `1,000`, `1.000` and `1 000` are one number. */
export interface Numbers {
	/** Each number of the text, by its value. */
	readonly values: readonly string[];
	/** Other readings of them: parts of dates and versions, hours of the afternoon. */
	readonly others: readonly string[];
}

/** @param text - with folded characters. */
export function readNumbers(text: string): Numbers {
	const values: string[] = [];
	const others: string[] = [];
	for (const { 0: all, 2: written = "", index } of text.matchAll(NUMBER)) {
		const parts = written.split(/[^\d]+/).map(trimZeros);
		// Of a time: `9:00`, `9 h 00`.
		if (written === "00") continue;
		const isThousands = THOUSANDS.test(written);
		const isDate = !isThousands && parts.length > 2;
		const scaled = toScaledValue(
			written,
			text.slice(index + all.length, index + all.length + MAX_SCALE_CHARACTERS),
		);
		values.push(...(isDate ? parts : [scaled]));
		if (!isThousands) others.push(...parts);
		const isAfternoon = AFTERNOON.test(text.slice(index + all.length, index + all.length + 5));
		if (isAfternoon && Number(written) < 12) others.push(String(Number(written) + 12));
	}
	for (const [, written = ""] of text.matchAll(COUNTED_HAN)) values.push(...toHanValue(written));
	return { values, others };
}

const trimZeros = (digits: string): string => digits.replace(/^0+(?=\d)/, "");

/** A written number as its value: without separators of thousands, with a point. */
function toValue(written: string): string {
	if (THOUSANDS.test(written)) return trimZeros(written.replace(/\D/g, ""));
	const [whole = "", fraction = ""] = written.split(/[.,]/);
	const decimals = fraction.replace(/0+$/, "");
	return decimals === "" ? trimZeros(whole) : `${trimZeros(whole)}.${decimals}`;
}

/** 十五 is 15, 三百 is 300; 一 alone is an article. */
function toHanValue(written: string): string[] {
	let total = 0;
	let digit = 0;
	for (const character of written.replace(/[两兩]/g, "二").replace("零", "〇")) {
		const unit = HAN_UNITS[character];
		if (unit !== undefined) total += (digit || 1) * unit;
		digit = unit === undefined ? HAN_DIGITS.indexOf(character) : 0;
	}
	return total + digit === 1 ? [] : [String(total + digit)];
}
