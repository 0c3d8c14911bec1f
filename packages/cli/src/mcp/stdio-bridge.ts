import type { StemmaClient } from "@stemma/client";
import { isStemmaError } from "@stemma/core/errors";
import { isJsonObject } from "@stemma/core/internal";
import { createSseReader } from "@stemma/core/sse";

/** Both sides of the standard streams: one JSON-RPC message a line (MCP, "Transports", stdio). */
export interface StdioLines {
	/** Address of the service, for the error message when it does not answer. */
	readonly url: string;
	readonly input: AsyncIterable<string>;
	/** Writes a line; the message has no line break in it. */
	write(line: string): void;
	/** Tells a person, who may look at it in the log of their assistant. */
	log(text: string): void;
}

interface Message {
	readonly id?: unknown;
	readonly method?: unknown;
	readonly params?: unknown;
	readonly result?: unknown;
}

const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
/** An answer of a model may take its time. */
const RESPONSE_TIMEOUT_MS = 600_000;
/** Methods whose name is sent in a header, too (MCP 2026-07-28, Streamable HTTP, "Standard headers"). */
const NAMED_METHODS = ["tools/call", "prompts/get", "resources/read"];

/**
 * Passes the messages of a program that speaks MCP over its standard streams on to the `/mcp` of a service, and what comes
 * back to it, in both eras of the protocol: for desktop assistants, which start their servers as programs. Ends with the
 * input; what is under way then is given up.
 */
export async function bridgeStdio(
	client: StemmaClient,
	{ url, input, write, log }: StdioLines,
): Promise<void> {
	const inFlight = new Map<unknown, AbortController>();
	/** Version that `initialize` agreed on; later requests of those protocol versions send it. */
	let agreedVersion: string | undefined;

	async function forward(message: Message, signal: AbortSignal): Promise<void> {
		for await (const text of exchange(client, message, agreedVersion, signal)) {
			if (signal.aborted) return;
			if (message.method === "initialize") agreedVersion = readAgreedVersion(text) ?? agreedVersion;
			write(text.replaceAll(/[\r\n]+\s*/g, ""));
		}
	}

	async function handleMessage(message: Message): Promise<void> {
		if (message.method === "notifications/cancelled") inFlight.get(readCancelledId(message))?.abort();
		const controller = new AbortController();
		const isRequest = message.id !== undefined;
		if (isRequest) inFlight.set(message.id, controller);
		try {
			await forward(message, controller.signal);
		} catch (error) {
			if (controller.signal.aborted) return;
			const text = describe(error, url);
			log(text);
			if (isRequest) write(toErrorLine(message.id, -32603, text));
		} finally {
			if (inFlight.get(message.id) === controller) inFlight.delete(message.id);
		}
	}

	for await (const line of input) {
		if (line.trim() === "") continue;
		const message = parseMessage(line);
		if (message === undefined) write(toErrorLine(null, -32700, "The line is not a JSON-RPC message."));
		else void handleMessage(message);
	}
	for (const controller of inFlight.values()) controller.abort();
}

/** The lines of an input. A line feed alone ends one: texts in JSON may have all other line breaks that Unicode knows. */
export async function* readLines(input: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
	const decoder = new TextDecoder();
	let rest = "";
	for await (const bytes of input) {
		const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
		rest = lines.pop() ?? "";
		yield* lines;
	}
	yield rest + decoder.decode();
}

/** The messages that come back for one that goes out. */
async function* exchange(
	client: StemmaClient,
	message: Message,
	agreedVersion: string | undefined,
	signal: AbortSignal,
): AsyncGenerator<string> {
	const response = await client.open({
		method: "POST",
		path: "/mcp",
		json: message,
		accept: "text/event-stream",
		headers: { accept: "application/json, text/event-stream", ...toHeaders(message, agreedVersion) },
		// A refusal of the protocol is an answer, too; a credential that is refused is none.
		acceptStatus: (status) => [400, 404, 405].includes(status),
		retry: "if-not-started",
		options: {
			signal,
			timeouts: { headersTimeoutMs: RESPONSE_TIMEOUT_MS, eventTimeoutMs: RESPONSE_TIMEOUT_MS },
		},
	});
	try {
		if (response.isJson) return yield JSON.stringify(await response.json());
		const reader = createSseReader();
		for (let piece = await response.read(); piece !== undefined; piece = await response.read())
			for (const { data } of reader.push(piece)) if (data !== "") yield data;
	} finally {
		response.close();
	}
}

function toHeaders({ method, params }: Message, agreedVersion: string | undefined): Record<string, string> {
	const fields = isJsonObject(params) ? params : {};
	const own = isJsonObject(fields._meta) ? fields._meta[VERSION_KEY] : undefined;
	const headers: Record<string, string> = {};
	const version = typeof own === "string" ? own : method === "initialize" ? undefined : agreedVersion;
	if (version !== undefined) headers["mcp-protocol-version"] = version;
	if (typeof own !== "string" || typeof method !== "string") return headers;
	headers["mcp-method"] = method;
	const name = fields.name ?? fields.uri;
	if (NAMED_METHODS.includes(method) && typeof name === "string") headers["mcp-name"] = encodeHeader(name);
	return headers;
}

/**
 * Encodes a header value; Base64 for text that a header cannot have (MCP 2026-07-28, Streamable HTTP, "Value
 * encoding").
 */
const encodeHeader = (text: string): string =>
	/^[\x21-\x7e]+(?: +[\x21-\x7e]+)*$/.test(text) && !text.startsWith("=?base64?")
		? text
		: `=?base64?${Buffer.from(text).toString("base64")}?=`;

function parseMessage(line: string): Message | undefined {
	try {
		const value: unknown = JSON.parse(line);
		return isJsonObject(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

function readAgreedVersion(text: string): string | undefined {
	const result = parseMessage(text)?.result;
	return isJsonObject(result) && typeof result.protocolVersion === "string"
		? result.protocolVersion
		: undefined;
}

const readCancelledId = ({ params }: Message): unknown =>
	isJsonObject(params) ? params.requestId : undefined;

const toErrorLine = (id: unknown, code: number, message: string): string =>
	JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } });

/** Errors of ours carry no credential; of others nothing is known. */
function describe(error: unknown, url: string): string {
	if (!isStemmaError(error)) return "Something went wrong between this program and the service.";
	if (error.code === "connection_failed")
		return `No service answers at ${url}. Start it, or set STEMMA_BASE_URL.`;
	return error.hint === undefined ? error.message : `${error.message} ${error.hint}`;
}
