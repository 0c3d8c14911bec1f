/** The eras of the protocol: with `initialize`, and with what each request says of itself. */
export type Era = "2025-11-25" | "2026-07-28";

export const ERAS: readonly Era[] = ["2025-11-25", "2026-07-28"];

export interface McpRequest {
	readonly era?: Era;
	readonly method: string;
	readonly params?: Readonly<Record<string, unknown>>;
	readonly id?: number;
	readonly token?: string | null;
	readonly headers?: Readonly<Record<string, string>>;
	readonly signal?: AbortSignal;
}

/** What came back, read to its end. */
export interface McpResponse {
	readonly status: number;
	readonly headers: Headers;
	/** Of a stream each message, else the one. */
	// biome-ignore lint/suspicious/noExplicitAny: tests look into it
	readonly messages: readonly any[];
}

/** Sends a message as any client would that is no library. */
export async function sendMcp(
	url: string,
	defaultToken: string,
	{ era = "2025-11-25", method, params = {}, id = 1, token = defaultToken, headers, signal }: McpRequest,
	send: (request: Request) => Promise<Response> = fetch,
): Promise<McpResponse> {
	const isModern = era === "2026-07-28";
	const { _meta, ...others } = params as { readonly _meta?: object };
	const meta = {
		..._meta,
		...(isModern && {
			"io.modelcontextprotocol/protocolVersion": era,
			"io.modelcontextprotocol/clientCapabilities": {},
		}),
	};
	const request = new Request(`${url}/mcp`, {
		method: "POST",
		headers: {
			accept: "application/json, text/event-stream",
			"content-type": "application/json",
			"mcp-protocol-version": era,
			...(isModern && { "mcp-method": method }),
			...(isModern && "name" in params && { "mcp-name": String(params.name) }),
			...(token !== null && { authorization: `Bearer ${token}` }),
			...headers,
		},
		body: JSON.stringify({
			jsonrpc: "2.0",
			...(!method.startsWith("notifications/") && { id }),
			method,
			params: { ...others, _meta: meta },
		}),
		...(signal && { signal }),
	});
	const response = await send(request);
	const text = await response.text();
	const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
	return { status: response.status, headers: response.headers, messages: readMessages(text, isStream) };
}

function readMessages(text: string, isStream = false): readonly unknown[] {
	if (!isStream) return text === "" ? [] : [JSON.parse(text)];
	return [...text.matchAll(/^data: (.+)$/gm)].map(([, data = ""]) => JSON.parse(data) as unknown);
}
