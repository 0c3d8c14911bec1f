import type { Secret } from "../encryption/secret";
import { decodeViews } from "./decode-views";
import { encodedVariants, splitSecret } from "./secret-encodings";
import { createSecretIndex, MIN_SECRET_CHARACTERS, type Range } from "./secret-index";

/** Takes secrets out of texts that others may read. */
export interface Redactor {
	/**
	 * Adds a secret to redact: as it is, escaped as in JSON and URLs, in base64, in hexadecimal, and as a list of
	 * bytes. Call it whenever a secret is used: the secrets that were added least recently are removed first.
	 *
	 * Secrets shorter than 8 characters are ignored: so short a text occurs in many others by chance, and redacting it
	 * would make the log useless.
	 */
	add(secret: Secret | string): void;
	/** The text with `****` in place of each secret that was added, and of each credential that Stemma makes. */
	redact(text: string): string;
}

export const MASK = "****";

const MAX_SECRETS = 10_000;
/** Maximum characters of all secrets together; their encodings take about twelve times as much. */
const MAX_CHARACTERS = 4_000_000;

/** Client secrets, access tokens, run tokens, tokens of documents, and client keys, whose id is none. */
const STEMMA_CREDENTIALS = /((?:cs|tok|rt|dt|sl|st|oat|ort|oac)_|ck_[0-9a-z]{26}_)[A-Za-z0-9_-]{43,}/g;

/** @param permanentSecrets - secrets that never go, such as those of the deployment: no tenant can push them out. */
export function createRedactor(permanentSecrets: Iterable<Secret | string> = []): Redactor {
	const index = createSecretIndex();
	/** The least recently added first. */
	const secrets = new Set<string>();
	let characters = 0;

	for (const secret of permanentSecrets)
		for (const part of splitSecretParts(secret)) for (const form of encodedVariants(part)) index.add(form);

	function addSecret(secret: string): void {
		if (secrets.delete(secret)) {
			secrets.add(secret);
			return;
		}
		secrets.add(secret);
		characters += secret.length;
		for (const form of encodedVariants(secret)) index.add(form);
	}

	function evictOldest(): void {
		for (const secret of secrets) {
			if (secrets.size <= MAX_SECRETS && characters <= MAX_CHARACTERS) return;
			secrets.delete(secret);
			characters -= secret.length;
			for (const form of encodedVariants(secret)) index.remove(form);
		}
	}

	return {
		add(secret) {
			for (const part of splitSecretParts(secret)) addSecret(part);
			evictOldest();
		},
		redact(text) {
			if (text.length < MIN_SECRET_CHARACTERS) return text;
			return mask(text, findSecrets(text)).replace(STEMMA_CREDENTIALS, `$1${MASK}`);
		},
	};

	function findSecrets(text: string): Range[] {
		if (index.isEmpty()) return [];
		return decodeViews(text).flatMap(({ text: decoded, positions }) =>
			index
				.find(decoded)
				.map(([start, end]): Range => [positions[start] ?? 0, positions[end] ?? text.length]),
		);
	}
}

function splitSecretParts(secret: Secret | string): string[] {
	const text = typeof secret === "string" ? secret : secret.reveal();
	return splitSecret(text).filter((part) => part.length >= MIN_SECRET_CHARACTERS);
}

function mask(text: string, ranges: readonly Range[]): string {
	let masked = "";
	let done = 0;
	for (const [start, end] of [...ranges].sort(([a], [b]) => a - b)) {
		// What overlaps, or adjoins, is one.
		if (start > done || masked === "") masked += text.slice(done, start) + MASK;
		done = Math.max(done, end);
	}
	return masked + text.slice(done);
}
