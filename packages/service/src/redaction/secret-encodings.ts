import { isJsonObject } from "@stemma/core/internal";

/**
 * The secrets in a text that is one. AWS keys are several parts, and each is as secret alone; the access key id is not.
 */
export function splitSecret(text: string): readonly string[] {
	const trimmed = text.trim();
	if (trimmed.startsWith("{")) return splitJson(trimmed);
	const parts = trimmed.split(":").map((part) => part.trim());
	const [access = "", secret = "", , token = ""] = parts;
	if (parts.length < 2 || parts.length > 4) return [trimmed];
	// Where the first part is no access key id, the colons may mean anything.
	return /^A[A-Z\d]{15,127}$/.test(access) ? [secret, token] : [trimmed, secret, token];
}

function splitJson(text: string): readonly string[] {
	try {
		const whole: unknown = JSON.parse(text);
		const found = listSecretFields(whole);
		return found.length > 0 ? found : [text];
	} catch {
		return [text];
	}
}

/** Values of the fields that are secret, however they are spelt and wrapped. */
function listSecretFields(value: unknown): readonly string[] {
	if (!isJsonObject(value)) return [];
	return Object.entries(value).flatMap(([name, field]) => {
		if (typeof field !== "string") return listSecretFields(field);
		return SECRET_FIELD.test(name) ? [field.trim()] : [];
	});
}

const SECRET_FIELD = /(secret_?access_?key|session_?token)$/i;

/** Lists the ways in which a secret may be written, besides the encodings that are decoded before the search. */
export function encodedVariants(secret: string): readonly string[] {
	const bytes = Buffer.from(secret);
	const hex = bytes.toString("hex");
	// Each of its bytes a character: what is left of percent signs, or of numbers.
	const plainVariants = [secret, bytes.toString("latin1")];
	return [
		...new Set([
			...plainVariants,
			...plainVariants.map((text) => text.replaceAll(" ", "+")),
			hex,
			hex.toUpperCase(),
			...[0, 1, 2].flatMap((offset) => [
				toBase64Core(bytes, offset, "base64"),
				toBase64Core(bytes, offset, "base64url"),
			]),
		]),
	];
}

/**
 * Encodes bytes in base64 and keeps the part that is the same whatever precedes and follows them. At either end, a
 * character that also holds bits of a neighbouring byte is left out: at most four bits of these bytes are lost there.
 */
function toBase64Core(bytes: Uint8Array, offset: number, alphabet: "base64" | "base64url"): string {
	const text = Buffer.concat([new Uint8Array(offset), bytes]).toString(alphabet);
	const end = Math.floor(((offset + bytes.length) * 8) / 6);
	return text.slice(Math.ceil((offset * 8) / 6), end);
}
