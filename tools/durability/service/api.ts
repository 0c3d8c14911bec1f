/** Sends requests to the service; throws {@link NoResponseError} where the connection broke off. */
export interface Api {
	post<Body>(path: string, json: unknown, headers?: Record<string, string>): Promise<Body>;
	put<Body>(path: string, json: unknown): Promise<Body>;
	get<Body>(path: string, token?: string): Promise<Body>;
	delete(path: string): Promise<void>;
	/** The JSON of each event of a stream, as it comes. */
	stream(path: string, json: unknown, onEvent: (event: StreamedEvent) => void): Promise<void>;
	/** Reads a stream of events after one of them, until it ends or the signal aborts. */
	rejoin(path: string, options: RejoinOptions): Promise<void>;
	status(method: string, path: string, token?: string): Promise<number>;
	/** With any status. */
	ask(method: string, path: string, json?: unknown): Promise<ApiResponse>;
}

/** Options of reading a stream on. */
export interface RejoinOptions {
	/** Number of the last event that is known; 0 for none. */
	readonly lastEventId: number;
	readonly onEvent: (event: StreamedEvent) => void;
	readonly signal: AbortSignal;
}

export interface ApiResponse {
	readonly status: number;
	readonly text: string;
}

export interface StreamedEvent {
	readonly type: string;
	readonly seq: number;
	readonly run_id: string;
	readonly run_token?: string;
}

export interface Credentials {
	readonly client_id: string;
	readonly client_secret: string;
}

/** The service is gone, or was cut off: what became of the request nobody knows. */
export class NoResponseError extends Error {}

/** An answer that should not be. */
export class UnexpectedResponseError extends Error {}

const TIMEOUT_MS = 120_000;

export async function fetchToken(url: string, { client_id, client_secret }: Credentials): Promise<string> {
	const body = new URLSearchParams({ grant_type: "client_credentials", client_id, client_secret });
	const response = await send(`${url}/oauth/token`, { method: "POST", body });
	return (JSON.parse(await readText(response)) as { access_token: string }).access_token;
}

export function createApi(url: string, token: string): Api {
	const auth = (own = token) => ({ authorization: `Bearer ${own}` });
	const toRequest = (method: string, json: unknown, headers: Record<string, string> = {}) => ({
		method,
		headers: { ...auth(), "content-type": "application/json", ...headers },
		body: JSON.stringify(json),
	});
	const sendJson = (method: string, path: string, json: unknown, headers?: Record<string, string>) =>
		send(`${url}${path}`, toRequest(method, json, headers));
	const read = async <Body>(response: Promise<Response>): Promise<Body> =>
		JSON.parse(await readText(await response)) as Body;
	return {
		post: (path, json, headers) => read(sendJson("POST", path, json, headers)),
		put: (path, json) => read(sendJson("PUT", path, json)),
		get: (path, own) => read(send(`${url}${path}`, { headers: auth(own) })),
		delete: async (path) => void (await read(send(`${url}${path}`, { method: "DELETE", headers: auth() }))),
		async stream(path, json, onEvent) {
			const response = await sendJson("POST", path, json, { accept: "text/event-stream" });
			await readEvents(response, onEvent);
		},
		async rejoin(path, { lastEventId, onEvent, signal }) {
			const headers = { ...auth(), accept: "text/event-stream", "last-event-id": `${lastEventId}` };
			try {
				await readEvents(await send(`${url}${path}`, { headers, signal }), onEvent);
			} catch (error) {
				if (!signal.aborted) throw error;
			}
		},
		async status(method, path, own) {
			const response = await send(`${url}${path}`, { method, headers: auth(own) }, true);
			await response.arrayBuffer();
			return response.status;
		},
		async ask(method, path, json) {
			const request = json === undefined ? { method, headers: auth() } : toRequest(method, json);
			const response = await send(`${url}${path}`, request, true);
			return { status: response.status, text: await readText(response) };
		},
	};
}

async function send(url: string, init: RequestInit, acceptAnyStatus = false): Promise<Response> {
	const timeout = AbortSignal.timeout(TIMEOUT_MS);
	const response = await rethrowUnlessDisconnected(
		fetch(url, { ...init, signal: init.signal ? AbortSignal.any([timeout, init.signal]) : timeout }),
	);
	if (response.ok || acceptAnyStatus) return response;
	throw new UnexpectedResponseError(
		`${init.method ?? "GET"} ${url}: ${response.status} ${await readText(response)}`,
	);
}

const readText = (response: Response): Promise<string> => rethrowUnlessDisconnected(response.text());

async function readEvents(response: Response, onEvent: (event: StreamedEvent) => void): Promise<void> {
	let rest = "";
	const decoder = new TextDecoder();
	const reader = (response.body ?? new Blob().stream()).getReader();
	for (
		let part = await rethrowUnlessDisconnected(reader.read());
		!part.done;
		part = await rethrowUnlessDisconnected(reader.read())
	) {
		const blocks = (rest + decoder.decode(part.value, { stream: true })).split("\n\n");
		rest = blocks.pop() ?? "";
		for (const block of blocks)
			for (const [, data = ""] of block.matchAll(/^data: (.*)$/gm))
				onEvent(JSON.parse(data) as StreamedEvent);
	}
}

async function rethrowUnlessDisconnected<Result>(work: Promise<Result>): Promise<Result> {
	try {
		return await work;
	} catch (error) {
		if (error instanceof Error && error.name === "TimeoutError")
			throw new UnexpectedResponseError(`No answer in ${TIMEOUT_MS} ms.`);
		throw new NoResponseError(String(error));
	}
}
