import { randomBytes } from "node:crypto";

/** A text that would be seen wherever it went. */
export interface Canary {
	/** What it is, such as `key of the workspace`: a failure names it by this alone. */
	readonly kind: string;
	readonly value: string;
}

/** Something that may hold a canary: an output, an answer, a file. */
export interface ScannedText {
	readonly name: string;
	readonly content: string | Buffer;
}

/** Characters that URLs, JSON and shells write in other ways. */
const ESCAPED_CHARACTERS = "/+%=";

/** What keys of vendors may look like: ASCII without blanks. */
export const createSecret = (prefix = ""): string =>
	`${prefix}${randomBytes(18).toString("hex")}${ESCAPED_CHARACTERS}${randomBytes(18).toString("hex")}`;

/** Shorter pieces would be found by chance. */
const MIN_VARIANT_LENGTH = 16;

/** All that a secret may look like, by the names of the forms. Its halves stand in whatever holds it whole. */
export function encodedVariants(secret: string): Readonly<Record<string, string>> {
	const bytes = Buffer.from(secret);
	const middle = Math.ceil(secret.length / 2);
	const [first, second] = [secret.slice(0, middle), secret.slice(middle)];
	const variants: Record<string, string> = {
		"first half": first,
		"second half": second,
		"first half, reversed": reverse(first),
		"second half, reversed": reverse(second),
		"in a URL": encodeURIComponent(secret),
		"in JSON": JSON.stringify(secret).slice(1, -1),
		"in JSON, twice": JSON.stringify(JSON.stringify(secret)).slice(3, -3),
		"in hexadecimal": bytes.toString("hex"),
		"in HEXADECIMAL": bytes.toString("hex").toUpperCase(),
	};
	for (const alphabet of ["base64", "base64url"] as const)
		for (const offset of [0, 1, 2])
			variants[`in ${alphabet}, ${offset} behind`] = toBase64Core(bytes, offset, alphabet);
	for (const [form, text] of Object.entries(variants))
		if (text.length < MIN_VARIANT_LENGTH)
			throw new Error(`A secret so short would be found by chance: ${form}.`);
	return variants;
}

const reverse = (text: string): string => [...text].reverse().join("");

/** What stays the same whatever stands before and after: without the characters that hold bits of neighbours. */
function toBase64Core(bytes: Buffer, offset: number, alphabet: "base64" | "base64url"): string {
	const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString(alphabet);
	return text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
}

/** What was found where, as sentences without the secrets: nothing, one hopes. */
export function findCanaries(texts: readonly ScannedText[], canaries: readonly Canary[]): readonly string[] {
	const wanted = canaries.flatMap(({ kind, value }) =>
		Object.entries(encodedVariants(value)).map(([form, text]) => ({
			kind,
			form,
			bytes: Buffer.from(text),
			value,
		})),
	);
	return texts.flatMap(({ name, content }) => {
		const bytes = Buffer.from(content);
		const found = wanted.filter((one) => bytes.includes(one.bytes));
		return found.map(
			({ kind, form, bytes: text, value }) =>
				`${kind} (${form}) in ${hide(name, value)}: ${show(bytes, text)}`,
		);
	});
}

const AROUND = 60;

/** The characters around. */
function show(content: Buffer, found: Buffer): string {
	const at = content.indexOf(found);
	const around = (from: number, to: number): string =>
		content
			.subarray(Math.max(0, from), to)
			.toString("latin1")
			.replace(/[^\x20-\x7e]+/g, " ");
	return `${around(at - AROUND, at)}<secret>${around(at + found.length, at + found.length + AROUND)}`;
}

const hide = (text: string, secret: string): string =>
	text.replaceAll(secret, "<secret>").replaceAll(encodeURIComponent(secret), "<secret>");
