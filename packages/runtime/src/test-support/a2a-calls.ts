import type { A2aStreamResponse } from "@stemma/client/a2a";
import { createSseReader } from "@stemma/core/sse";

const HEADERS = { "content-type": "application/json", "a2a-version": "1.0" };

/** An agent by A2A, at its address. */
export function a2aAgent(url: string, headers: Readonly<Record<string, string>> = {}) {
	const post = (method: string, params?: object): Promise<Response> =>
		fetch(url, {
			method: "POST",
			headers: { ...HEADERS, ...headers },
			body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
		});
	return {
		post,
		// biome-ignore lint/suspicious/noExplicitAny: answers are read by assertions.
		call: async (method: string, params?: object): Promise<any> => (await post(method, params)).json(),
		/** A stream, thing by thing. */
		async *open(method: string, params: object): AsyncGenerator<A2aStreamResponse> {
			const reader = (await post(method, params)).body?.getReader();
			const sse = createSseReader();
			try {
				for (let next = await reader?.read(); next?.done === false; next = await reader?.read())
					for (const { data } of sse.push(next.value)) yield JSON.parse(data).result;
			} finally {
				await reader?.cancel();
			}
		},
		get: (path: string, more: Readonly<Record<string, string>> = {}): Promise<Response> =>
			fetch(`${url}${path}`, { headers: { "a2a-version": "1.0", ...headers, ...more } }),
	};
}

let count = 0;

/** The parameters of a message of its own. */
export function toMessage(
	text: string,
	{ configuration, ...more }: { readonly [field: string]: unknown } = {},
): object {
	count += 1;
	return {
		message: { messageId: `m-${count}`, role: "ROLE_USER", parts: [{ text }], ...more },
		configuration,
	};
}

export const RETURN_IMMEDIATELY = { configuration: { returnImmediately: true } };
