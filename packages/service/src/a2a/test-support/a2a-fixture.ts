import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { A2aMessage, A2aStreamResponse, A2aTask } from "@stemma/client/a2a";
import { type OpenAiSimulator, startOpenAiSimulator } from "@stemma/simulators/openai";
import type { ConfigurationInput } from "../../configuration/configuration-file";
import type * as source from "../../index";
import { type SendRequest, sendTo, type TestResponse } from "../../test-support/send-request";
import { getBody } from "../../test-support/tenant";
import { fetchToken, TEST_ENCRYPTION, toTestConfiguration } from "../../test-support/test-deployment";

/** A service on a port, with an agent `desk` of one workspace and a model that does what a test wants. */
export interface A2aFixture {
	/** `http://127.0.0.1:<port>` of now: a restart moves it. */
	url(): string;
	readonly folder: string;
	readonly vendor: OpenAiSimulator;
	/** Access token of the first client. */
	readonly token: string;
	/** Sends a request with the token, unless the request has one of its own. */
	readonly send: SendRequest;
	/** Creates a client key and returns it; all visitors of a page share it. */
	makeKey(limits?: object): Promise<string>;
	/** Closes the service and opens the same folder again. */
	restart(content?: ConfigurationInput): Promise<void>;
	/** Stops the service and keeps its folder. */
	stop(): Promise<void>;
	start(content?: ConfigurationInput): Promise<void>;
	/** Serves the folder from another process; call what is returned to kill that one. Only while the service is stopped. */
	startInProcess(): Promise<() => Promise<void>>;
	close(): Promise<void>;
}

const SERVE = fileURLToPath(new URL("./serve.mjs", import.meta.url));

export const GRAPH = {
	name: "Desk",
	description: "Answers at the desk.",
	nodes: [{ id: "desk", kind: "coordinator" }],
};

/** The model of the deployment is that of the vendor. */
const toContent = (vendor: OpenAiSimulator, content: ConfigurationInput): ConfigurationInput => ({
	encryption: TEST_ENCRYPTION,
	providers: {
		main: { provider: "openai-compatible", base_url: vendor.baseUrl, default_model: "model" },
	},
	chat: "main",
	...content,
});

export async function startA2aFixture(
	built: typeof source,
	content: ConfigurationInput = {},
): Promise<A2aFixture> {
	const folder = await mkdtemp(join(tmpdir(), "stemma-a2a-"));
	const vendor = await startOpenAiSimulator();
	const open = (overrides: ConfigurationInput) =>
		built.startService(toTestConfiguration(built, folder, toContent(vendor, overrides)));
	let service = await open(content);
	const credentials = JSON.parse(await readFile(service.bootstrapCredentials.path, "utf8"));
	const token = await fetchToken(sendTo(fetch, undefined, service.url), credentials);
	let { url } = service;
	const send: SendRequest = (method, path, request) => sendTo(fetch, token, url)(method, path, request);
	await getBody(send("POST", "/v1/agents", { json: { graph: GRAPH, slug: "desk" } }));
	const start = async (overrides: ConfigurationInput = content): Promise<void> => {
		service = await open(overrides);
		url = service.url;
	};
	return {
		url: () => url,
		folder,
		vendor,
		token,
		send,
		async makeKey(limits = {}) {
			const json = { name: "page", native: true, requests_per_minute: 1_000_000, ...limits };
			return (await getBody<{ client_key: string }>(send("POST", "/v1/client-keys", { json }))).client_key;
		},
		async restart(overrides) {
			await service.close(0);
			await start(overrides);
		},
		stop: () => service.close(0),
		start,
		async startInProcess() {
			const limits = { requests_per_minute: 10_000_000 };
			const overrides = { data: folder, listen: { port: 0 }, log: { level: "silent" as const }, limits };
			const json = JSON.stringify({ ...toContent(vendor, content), ...overrides });
			const child = spawn(process.execPath, [SERVE, json], { stdio: ["ignore", "pipe", "inherit"] });
			const [line] = await once(child.stdout, "data");
			url = String(line).trim();
			return async () => {
				child.kill("SIGKILL");
				await once(child, "exit");
			};
		},
		async close() {
			await service.close(0);
			await vendor.close();
			await rm(folder, { recursive: true, force: true });
		},
	};
}

export const VERSION = { "a2a-version": "1.0" };

/** A message that says something; each has an id of its own. */
export const toMessage = (text = "Hello?", overrides: Partial<A2aMessage> = {}): A2aMessage => ({
	messageId: randomUUID(),
	role: "ROLE_USER",
	parts: [{ text }],
	...overrides,
});

export interface RpcResponse<Result> extends TestResponse {
	readonly result: Result;
	readonly error?: {
		readonly code: number;
		readonly message: string;
		readonly data: readonly { readonly reason?: string; readonly metadata?: { readonly code: string } }[];
	};
}

export interface RpcOptions {
	readonly token?: string;
	readonly agent?: string;
	readonly headers?: Readonly<Record<string, string>>;
}

/** Calls a method of an agent by JSON-RPC. */
export async function call<Result>(
	{ send }: Pick<A2aFixture, "send">,
	method: string,
	params: object,
	{ token, agent = "desk", headers }: RpcOptions = {},
): Promise<RpcResponse<Result>> {
	const answer = await send("POST", `/a2a/${agent}`, {
		json: { jsonrpc: "2.0", id: 1, method, params },
		headers: { ...VERSION, ...headers },
		...(token !== undefined && { token }),
	});
	const body = answer.body as Pick<RpcResponse<Result>, "result" | "error"> | undefined;
	return { ...answer, ...body } as RpcResponse<Result>;
}

/** Sends a message and gives its task, by default at once. */
export async function sendMessage(
	fixture: Pick<A2aFixture, "send">,
	message: A2aMessage,
	options: RpcOptions & { readonly configuration?: object } = {},
): Promise<A2aTask> {
	const { configuration = { returnImmediately: true } } = options;
	const answer = await call<{ task: A2aTask }>(fixture, "SendMessage", { message, configuration }, options);
	if (answer.error !== undefined || answer.result === undefined) throw new Error(answer.text);
	return answer.result.task;
}

/** A task, asked for until it has this state. */
export async function waitForState(
	fixture: Pick<A2aFixture, "send">,
	id: string,
	state: string,
	options: RpcOptions = {},
): Promise<A2aTask> {
	for (;;) {
		const { result } = await call<A2aTask>(fixture, "GetTask", { id }, options);
		if (result?.status.state === state) return result;
		await new Promise((resolve) => setTimeout(resolve, 25));
	}
}

/** Reads a stream of JSON-RPC to its end. */
export async function* readStream(response: Response): AsyncGenerator<A2aStreamResponse> {
	let text = "";
	if (response.body === null) return;
	for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
		text += chunk;
		const events = text.split("\n\n");
		text = events.pop() ?? "";
		for (const event of events) {
			const data = /^data: (.*)$/m.exec(event)?.[1];
			if (data !== undefined) yield (JSON.parse(data) as { result: A2aStreamResponse }).result;
		}
	}
	if (text !== "") throw new Error(`The stream broke off: ${text}`);
}

/** Starts a stream of JSON-RPC. */
export const openStream = (
	{ url, token: defaultToken }: Pick<A2aFixture, "url" | "token">,
	method: string,
	params: object,
	{ token = defaultToken, agent = "desk", signal }: RpcOptions & { readonly signal?: AbortSignal } = {},
): Promise<Response> =>
	fetch(`${url()}/a2a/${agent}`, {
		method: "POST",
		headers: { ...VERSION, "content-type": "application/json", authorization: `Bearer ${token}` },
		body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
		...(signal !== undefined && { signal }),
	});
