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
export interface TestAnswer {
	readonly status: number;
	readonly headers: Headers;
	readonly text: string;
	/** Parsed where it is JSON. */
	readonly body: unknown;
}

export type SendRequest = (method: string, path: string, request?: TestRequest) => Promise<TestAnswer>;

/** Sends requests to a service, with or without a port. */
export const sendTo =
	(fetch: (request: Request) => Promise<Response>, usualToken?: string, url = "http://service.test") =>
	async (method: string, path: string, request: TestRequest = {}): Promise<TestAnswer> => {
		const sent = new Request(`${url}${path}`, toInit(method, request, usualToken));
		return inTime(readAnswer(fetch(sent)), `${method} ${path}`);
	};

async function readAnswer(responding: Promise<Response>): Promise<TestAnswer> {
	const response = await responding;
	const text = await response.text();
	return { status: response.status, headers: response.headers, text, body: parse(text) };
}

const MOST_MS = 5000;

/** No answer is a wrong answer. */
async function inTime<Result>(work: Promise<Result>, what: string): Promise<Result> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(new Error(`${what}: no answer within ${MOST_MS} ms.`)), MOST_MS);
	});
	try {
		return await Promise.race([work, late]);
	} finally {
		clearTimeout(timer);
	}
}

function toInit(method: string, request: TestRequest, usualToken: string | undefined): RequestInit {
	const { json, form, body = form, headers, token = usualToken } = request;
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
export function toStream(pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
	let next = 0;
	return new ReadableStream({
		pull(controller) {
			const piece = pieces[next];
			next += 1;
			if (piece === undefined) controller.close();
			else controller.enqueue(piece);
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
