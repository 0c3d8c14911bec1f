import type { ScannedText } from "./canaries";

export interface RecordedRequest {
	readonly json?: unknown;
	readonly form?: Readonly<Record<string, string>>;
	/** As it is. */
	readonly body?: string | FormData;
	readonly headers?: Readonly<Record<string, string>>;
	/** `null` for none. Default: the usual one. */
	readonly token?: string | null;
	/** Sends as a page of the service does: with the session of the last sign-in in place of a token. */
	readonly isPage?: true;
	/** Where the answer shows a secret, this once. */
	readonly revealedFields?: readonly string[];
}

export interface RecordedAnswer {
	readonly status: number;
	readonly text: string;
	// biome-ignore lint/suspicious/noExplicitAny: tests look into it
	readonly body: any;
}

/** Sends requests, and keeps all that comes back. */
export interface Recorder {
	send(method: string, path: string, request?: RecordedRequest): Promise<RecordedAnswer>;
	/** From now on. */
	use(connection: { readonly url?: string; readonly token?: string }): void;
	/** All answers, without what is meant to be shown once. */
	readonly answers: readonly ScannedText[];
	/** Taken out of the answers that show them, under their names. */
	readonly revealed: readonly { readonly field: string; readonly value: string }[];
}

export function createRecorder(): Recorder {
	const answers: ScannedText[] = [];
	const revealed: { field: string; value: string }[] = [];
	let url = "";
	let defaultToken = "";
	let cookie = "";
	/** Cookie of an attempt to sign in. */
	let attempt = "";

	/** The secret fields of an answer that shows them. */
	function extractSecrets(text: string, fields: readonly string[]): string {
		let rest = text;
		for (const field of fields) {
			const [, value] = new RegExp(`"${field}":\\s*"([^"]+)"`).exec(text) ?? [];
			if (value === undefined) continue;
			revealed.push({ field, value });
			rest = rest.replace(value, "<shown>");
		}
		return rest;
	}

	/** The headers of an answer, without the secret of a session that it shows. */
	function extractCookie(response: Response): string {
		const head = JSON.stringify([...response.headers]);
		attempt = /stemma-attempt-[\w-]+=[\w.-]+/.exec(head)?.[0] ?? attempt;
		const [pair, name, value] = /(stemma-[\w-]+)=(st_[\w-]+)/.exec(head) ?? [];
		if (pair === undefined || value === undefined) return head;
		cookie = pair;
		revealed.push({ field: `cookie ${name}`, value });
		return head.replace(value, "<shown>");
	}

	return {
		answers,
		revealed,
		use({ url: newUrl = url, token = defaultToken }) {
			url = newUrl;
			defaultToken = token;
		},
		async send(
			method,
			path,
			{ json, form, body, headers = {}, token = defaultToken, isPage, revealedFields = [] } = {},
		) {
			const cookies = [cookie, attempt].filter((one) => one !== "").join("; ");
			const page = { origin: url, "stemma-csrf": "1", ...(cookies !== "" && { cookie: cookies }) };
			const response = await fetch(`${url}${path}`, {
				method,
				headers: {
					...(isPage ? page : token === null ? {} : { authorization: `Bearer ${token}` }),
					...(json === undefined ? {} : { "content-type": "application/json" }),
					...headers,
				},
				body: json !== undefined ? JSON.stringify(json) : form ? new URLSearchParams(form) : (body ?? null),
			});
			const text = await response.text();
			const head = extractCookie(response);
			answers.push({
				name: `${method} ${path} (${response.status})`,
				content: `${head}\n${extractSecrets(text, revealedFields)}`,
			});
			return { status: response.status, text, body: parse(text) };
		},
	};
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
