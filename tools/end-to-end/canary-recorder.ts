import type { Place } from "./canaries";

export interface RecordedRequest {
	readonly json?: unknown;
	readonly form?: Readonly<Record<string, string>>;
	/** As it is. */
	readonly body?: string | FormData;
	readonly headers?: Readonly<Record<string, string>>;
	/** `null` for none. Default: the usual one. */
	readonly token?: string | null;
	/** Where the answer shows a secret, this once. */
	readonly shows?: readonly string[];
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
	readonly answers: readonly Place[];
	/** Taken out of the answers that show them, under their names. */
	readonly shown: readonly { readonly field: string; readonly value: string }[];
}

export function createRecorder(): Recorder {
	const answers: Place[] = [];
	const shown: { field: string; value: string }[] = [];
	let url = "";
	let usualToken = "";

	/** The secret fields of an answer that shows them. */
	function takeOut(text: string, fields: readonly string[]): string {
		let rest = text;
		for (const field of fields) {
			const [, value] = new RegExp(`"${field}":\\s*"([^"]+)"`).exec(text) ?? [];
			if (value === undefined) continue;
			shown.push({ field, value });
			rest = rest.replace(value, "<shown>");
		}
		return rest;
	}

	return {
		answers,
		shown,
		use({ url: newUrl = url, token = usualToken }) {
			url = newUrl;
			usualToken = token;
		},
		async send(method, path, { json, form, body, headers = {}, token = usualToken, shows = [] } = {}) {
			const response = await fetch(`${url}${path}`, {
				method,
				headers: {
					...(token === null ? {} : { authorization: `Bearer ${token}` }),
					...(json === undefined ? {} : { "content-type": "application/json" }),
					...headers,
				},
				body: json !== undefined ? JSON.stringify(json) : form ? new URLSearchParams(form) : (body ?? null),
			});
			const text = await response.text();
			const head = JSON.stringify([...response.headers]);
			answers.push({
				name: `${method} ${path} (${response.status})`,
				content: `${head}\n${takeOut(text, shows)}`,
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
