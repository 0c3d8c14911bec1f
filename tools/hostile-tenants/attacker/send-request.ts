import { type Agent, request } from "node:http";

export interface RequestOptions {
	readonly method?: string;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: string | Uint8Array;
	readonly agent?: Agent;
	/** Address to send from; default: the system chooses. */
	readonly localAddress?: string;
	/** From the start to the end of the response; default 60,000. */
	readonly timeoutMs?: number;
	readonly signal?: AbortSignal | undefined;
	/** Stop after so many bytes of the response. */
	readonly maxBytes?: number;
}

/** Response of a request, or why there is none. */
export interface Answer {
	/** 0 where there is no response. */
	readonly status: number;
	readonly headers: Readonly<Record<string, string | string[] | undefined>>;
	readonly text: string;
	/** Milliseconds to the end of the response. */
	readonly ms: number;
	/** Why there is no whole response: a code of Node, or `timeout`. */
	readonly broken?: string;
	/** The caller's signal has ended it. */
	readonly isAborted?: boolean;
}

/** Sends one request over HTTP/1.1. Never rejects: a broken connection is an answer here. */
export function sendRequest(url: string, options: RequestOptions = {}): Promise<Answer> {
	const {
		method = "GET",
		headers = {},
		body,
		agent,
		timeoutMs = 60_000,
		signal,
		maxBytes,
		localAddress,
	} = options;
	const from = performance.now();
	return new Promise((resolve) => {
		let status = 0;
		let received: Answer["headers"] = {};
		let text = "";
		const end = (extra: Partial<Answer> = {}): void => {
			clearTimeout(timer);
			signal?.removeEventListener("abort", abort);
			resolve({ status, headers: received, text, ms: performance.now() - from, ...extra });
		};
		const sent = request(
			url,
			{ method, headers: { ...lengthOf(body), ...headers }, agent, localAddress },
			(response) => {
				status = response.statusCode ?? 0;
				received = response.headers;
				response.setEncoding("utf8");
				response.on("data", (chunk: string) => {
					text += chunk;
					if (maxBytes !== undefined && text.length > maxBytes) sent.destroy();
				});
				response.on("end", () => end());
				response.on("error", (error: NodeJS.ErrnoException) => fail(error));
				response.on("close", () => (response.complete ? undefined : fail(new Error("cut"))));
			},
		);
		const fail = (error: NodeJS.ErrnoException): void => {
			if (signal?.aborted === true) return end({ isAborted: true });
			if (maxBytes !== undefined && text.length > maxBytes) return end();
			end({ broken: error.code ?? error.message });
		};
		const abort = (): void => void sent.destroy(new Error("aborted"));
		const timer = setTimeout(() => sent.destroy(new Error("timeout")), timeoutMs);
		signal?.addEventListener("abort", abort, { once: true });
		sent.on("error", fail);
		if (signal?.aborted === true) abort();
		sent.end(body);
	});
}

const lengthOf = (body: string | Uint8Array | undefined): Record<string, string> =>
	body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
