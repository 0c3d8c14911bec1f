import { MASK, type Redactor } from "./redactor";

/** A line of a log in place of one that could not be read. */
const REPLACEMENT_LINE = `{"level":50,"msg":"a line was left out of the log: it could not be searched for secrets"}\n`;

/**
 * A line of JSON without secrets, and still JSON: tenants choose their secrets, and one that looks like a part of the
 * line must not change what the rest of it says. Names of fields stay for the same reason.
 *
 * @param secretFields - names of fields whose values go whatever they are, at any depth.
 */
export function redactLine(line: string, redactor: Redactor, secretFields: ReadonlySet<string>): string {
	try {
		return redactJson(line, redactor, secretFields);
	} catch {
		return REPLACEMENT_LINE;
	}
}

function redactJson(line: string, redactor: Redactor, secretFields: ReadonlySet<string>): string {
	let redacted = "";
	let done = 0;
	for (;;) {
		const start = line.indexOf('"', done);
		if (start === -1) return redacted + redactNumbers(line.slice(done), redactor);
		redacted += redactNumbers(line.slice(done, start), redactor);
		const bytesEnd = findBytesEnd(line, start);
		if (bytesEnd > start) {
			redacted += redactBytes(line.slice(start, bytesEnd), redactor);
			done = bytesEnd;
			continue;
		}
		done = findStringEnd(line, start);
		const text = line.slice(start, done);
		const isName = line[done] === ":";
		redacted += isName && FIELD_NAME.test(text) ? text : redactText(text, redactor);
		if (!isName) continue;
		const trustedValue = findTrustedValue(line, text.slice(1, -1), done + 1);
		if (trustedValue !== undefined) {
			redacted += `:${trustedValue}`;
			done += 1 + trustedValue.length;
		}
		if (!secretFields.has(text.slice(1, -1))) continue;
		redacted += `:"${MASK}"`;
		done = findValueEnd(line, done + 1);
	}
}

/**
 * Values that the service itself writes into each line. They are not redacted: a tenant whose secret looks like one of
 * them would make the log useless for everyone.
 */
const TRUSTED_VALUES: Readonly<Record<string, RegExp>> = {
	time: /"\d{4}-\d\d-\d\dT[\d:.]{8,12}Z"/y,
	method: /"(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)"/y,
	path: /"(?:\/(?:v1|[a-z][a-z-]{0,20}))+"/y,
	caller: /"c[lk]_[0-9a-z]{26}"/y,
	request_id: /"req_[0-9a-z]{26}"/y,
};

function findTrustedValue(line: string, name: string, start: number): string | undefined {
	const pattern = Object.hasOwn(TRUSTED_VALUES, name) ? TRUSTED_VALUES[name] : undefined;
	if (pattern === undefined) return undefined;
	pattern.lastIndex = start;
	return pattern.exec(line)?.[0];
}

const FIELD_NAME = /^"[A-Za-z_]{1,40}"$/;

function redactText(text: string, redactor: Redactor): string {
	const value = JSON.parse(text) as string;
	const redacted = redactor.redact(value);
	return redacted === value ? text : JSON.stringify(redacted);
}

/** Finds the end of the string that starts here, with its quotation marks. */
function findStringEnd(line: string, start: number): number {
	let end = start + 1;
	while (end < line.length && line[end] !== '"') end += line[end] === "\\" ? 2 : 1;
	return end + 1;
}

/** Finds the end of the value that starts here. */
function findValueEnd(line: string, start: number): number {
	let depth = 0;
	for (let end = start; end < line.length; end++) {
		const character = line[end] ?? "";
		if (depth === 0 && ",}]".includes(character)) return end;
		if (character === '"') end = findStringEnd(line, end) - 1;
		if ("{[".includes(character)) depth++;
		if ("}]".includes(character)) depth--;
	}
	throw new Error("The line has no end.");
}

const NUMBER = String.raw`-?\d[\d.eE+-]*`;
const NUMBERS = new RegExp(`${NUMBER}(?:,${NUMBER}){0,99999}`, "g");

/** Redacts the text between strings. There are only numbers in it: bytes, or a secret of digits. */
const redactNumbers = (text: string, redactor: Redactor): string =>
	text.replace(NUMBERS, (numbers) => (redactor.redact(numbers) === numbers ? numbers : `"${MASK}"`));

const INDEXED_BYTE = /"\d{1,9}":\d{1,3}(,|(?=\}))/y;

/** Finds the end of the bytes of a `Uint8Array`, `"0":115,"1":107`; before the start if there are none. */
function findBytesEnd(line: string, start: number): number {
	if (!line.startsWith('"0":', start)) return -1;
	INDEXED_BYTE.lastIndex = start;
	let end = -1;
	while (INDEXED_BYTE.test(line)) end = INDEXED_BYTE.lastIndex;
	return end;
}

const redactBytes = (bytes: string, redactor: Redactor): string =>
	redactor.redact(bytes) === bytes ? bytes : `"0":"${MASK}"${bytes.endsWith(",") ? "," : ""}`;
