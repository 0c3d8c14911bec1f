import { NO_TEXT, type OddFile, type Oddities, toOddFiles, UNREADABLE } from "./odd-file";

const KOELN = "A parcel to K\\'f6ln costs 4 \\'80.";
const toRtf = (body: string, head = "\\ansi\\ansicpg1252"): string =>
	`{\\rtf1${head}{\\fonttbl{\\f0 Arial;}} ${body}}`;

const RTF: Oddities = {
	codepage: toRtf(KOELN),
	"unicode-characters": toRtf("A parcel to K\\u246?ln costs 4 \\u8364?."),
	"unicode-without-replacement": toRtf("\\uc0 A parcel to K\\u246 ln costs 4 \\u8364 ."),
	"two-replacements": toRtf("\\uc2 A parcel to K\\u246??ln costs 4 \\u8364??."),
	"negative-characters": [toRtf("\\u-10179?\\u-8704? smile"), { text: "\u{1f600} smile" }],
	cyrillic: [toRtf("\\'cf\\'ee\\'f1\\'fb\\'eb\\'ea\\'e0", "\\ansi\\ansicpg1251"), { text: "Посылка" }],
	"font-of-another-codepage": [
		`{\\rtf1\\ansi{\\fonttbl{\\f0\\fcharset204 A;}}\\f0 \\'cf\\'ee\\'f1}`,
		{ text: "Пос" },
	],
	japanese: [toRtf("\\'89\\'ef\\'8e\\'d0", "\\ansi\\ansicpg932"), { text: "会社" }],
	"old-macs": [toRtf("K\\'9aln", "\\mac"), { text: "Köln" }],
	"groups-in-groups": toRtf(`${"{\\b ".repeat(100)}${KOELN}${"}".repeat(100)}`),
	"group-without-end": toRtf(`{\\b {\\i ${KOELN}`).replace(/}+$/, ""),
	"groups-that-end-twice": `${toRtf(KOELN)}}}}`,
	"bytes-behind": `${toRtf(KOELN)}\0\0\0`,
	"unknown-words": toRtf(`\\unknown5\\other-3 ${KOELN}\\*\\x`),
	"unknown-destinations": toRtf(`{\\*\\unknown {nothing} at all}${KOELN}`),
	picture: toRtf(`{\\pict\\pngblip 89504e47}${KOELN}`),
	"binary-data": toRtf(`{\\pict\\bin5 }{}\\x}${KOELN}`),
	table: toRtf(`\\trowd\\cellx1000\\cellx2000\\intbl Parcel\\cell ${KOELN}\\cell\\row`),
	"table-without-end": toRtf(`\\trowd\\cellx1000\\intbl ${KOELN}\\cell`),
	"hidden-alone": [toRtf("{\\v hidden}"), NO_TEXT],
	footnote: toRtf(`Fees{\\footnote ${KOELN}}`),
	field: toRtf(`{\\field{\\*\\fldinst HYPERLINK "x"}{\\fldrslt ${KOELN}}}`),
	"lines-within-words": toRtf(KOELN.replace(" costs", "\r\n costs")),
	"special-characters": [toRtf("\\{a\\}\\~b\\_c\\\\d\\emdash e\\lquote f\\rquote"), { text: "{a}" }],
	"header-alone": [toRtf("{\\header Nothing}"), NO_TEXT],
	blank: [toRtf(""), NO_TEXT],
	"cut-off": ["{\\rtf1\\ansi{\\fonttbl{\\f0 Ari", NO_TEXT],
	"huge-number": toRtf(`\\fs99999999999999999999 ${KOELN}`),
	empty: ["", NO_TEXT],
	"no-rtf": [Buffer.from("\0\x01\x02nothing"), UNREADABLE],
};

/** Odd files of RTF. */
export const makeRtfFiles = (): readonly OddFile[] => toOddFiles("rtf", RTF);
