/** What a test sends besides method and path. */
export interface TestRequest {
	/** Sent as JSON. */
	readonly json?: unknown;
	/** Sent as a form of the kind that OAuth wants. */
	readonly form?: URLSearchParams;
	/** Sent as it is. */
	readonly body?: BodyInit;
	readonly headers?: Readonly<Record<string, string>>;
	/** Instead of the usual credential; `null` for none. */
	readonly token?: string | null;
}

/** An answer, read to its end. */
export interface TestResponse {
	readonly status: number;
	readonly headers: Headers;
	readonly text: string;
	/** Parsed where it is JSON. */
	readonly body: unknown;
}

export type SendRequest = (method: string, path: string, request?: TestRequest) => Promise<TestResponse>;

/** Sends requests to a service, with or without a port. */
export const sendTo =
	(fetch: (request: Request) => Promise<Response>, defaultToken?: string, url = "http://service.test") =>
	async (method: string, path: string, request: TestRequest = {}): Promise<TestResponse> => {
		const sent = new Request(`${url}${path}`, toInit(method, request, defaultToken));
		return withTimeout(readResponse(fetch(sent)), `${method} ${path}`);
	};

async function readResponse(responding: Promise<Response>): Promise<TestResponse> {
	const response = await responding;
	const text = await response.text();
	return { status: response.status, headers: response.headers, text, body: parse(text) };
}

const MAX_RESPONSE_MS = 120_000;

/** No answer is a wrong answer. */
async function withTimeout<Result>(work: Promise<Result>, what: string): Promise<Result> {
	let timer: NodeJS.Timeout | undefined;
	const timeout = new Promise<never>((_, reject) => {
		timer = setTimeout(
			() => reject(new Error(`${what}: no answer within ${MAX_RESPONSE_MS} ms.`)),
			MAX_RESPONSE_MS,
		);
	});
	try {
		return await Promise.race([work, timeout]);
	} finally {
		clearTimeout(timer);
	}
}

function toInit(method: string, request: TestRequest, defaultToken: string | undefined): RequestInit {
	const { json, form, body = form, headers, token = defaultToken } = request;
	return {
		method,
		headers: {
			...(token != null && { authorization: `Bearer ${token}` }),
			...(json !== undefined && { "content-type": "application/json" }),
			...headers,
		},
		...(json !== undefined ? { body: JSON.stringify(json) } : body !== undefined && { body, duplex: "half" }),
	};
}

/** A body of so many pieces, made as they are asked for: its length is not known before. */
export function toStream(chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> {
	let next = 0;
	return new ReadableStream({
		pull(controller) {
			const chunk = chunks[next];
			next += 1;
			if (chunk === undefined) controller.close();
			else controller.enqueue(chunk);
		},
	});
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
