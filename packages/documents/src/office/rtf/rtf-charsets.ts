/** Encoding of each charset of fonts (`\fcharset`). Those left out are in the codepage of the file. */
const BY_CHARSET: Readonly<Record<number, string>> = {
	77: "macintosh",
	128: "shift_jis",
	129: "euc-kr",
	134: "gbk",
	136: "big5",
	161: "windows-1253",
	162: "windows-1254",
	163: "windows-1258",
	177: "windows-1255",
	178: "windows-1256",
	186: "windows-1257",
	204: "windows-1251",
	222: "windows-874",
	238: "windows-1250",
};

/** Encoding of each codepage (`\ansicpg`, `\cpg`). */
const BY_CODEPAGE: Readonly<Record<number, string>> = {
	866: "ibm866",
	874: "windows-874",
	932: "shift_jis",
	936: "gbk",
	949: "euc-kr",
	950: "big5",
	10000: "macintosh",
	65001: "utf-8",
};

export const DEFAULT_RTF_ENCODING = "windows-1252";

export const findCharsetEncoding = (charset = 0): string | undefined => BY_CHARSET[charset];

export const findCodepageEncoding = (codepage = 0): string | undefined =>
	codepage >= 1250 && codepage <= 1258 ? `windows-${codepage}` : BY_CODEPAGE[codepage];
