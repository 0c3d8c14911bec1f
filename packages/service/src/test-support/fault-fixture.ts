import type { ReceiptRow, RunError } from "@stemma/core";
import type { FaultyVendor } from "./faulty-vendors";
import type { SendRequest, TestResponse } from "./send-request";
import { getBody, waitUntilIndexed } from "./tenant";
import type { TestWorkspace } from "./test-deployment";

/** The ways to a model. */
export const MODEL_ROUTES = ["ask", "ask-stream", "chat", "chat-stream", "run"] as const;
export type ModelRoute = (typeof MODEL_ROUTES)[number];

/** A workspace, and the vendor that fails it. */
export interface FaultFixture {
	readonly payer: "deployment" | "workspace";
	/** Of who pays. */
	readonly vendor: FaultyVendor;
	/** Of the deployment. */
	readonly deploymentVendor: FaultyVendor;
	readonly send: SendRequest;
	readonly knowledgeBase: string;
}

/** What a caller is told of a call that failed. */
export interface FaultResult {
	readonly answer: TestResponse;
	readonly error: RunError | undefined;
	/** Where it is told beside the error. */
	readonly receipt: readonly ReceiptRow[] | undefined;
}

export const QUESTION = "When does the office open?";
const DOCUMENT = "The office opens at nine and closes at five.";

/** Gives a workspace a document and, where it pays, settings of its own. */
export async function createFaultFixture(
	{ send }: TestWorkspace,
	{ payer, vendor, deploymentVendor }: Pick<FaultFixture, "payer" | "vendor" | "deploymentVendor">,
): Promise<FaultFixture> {
	const { format: provider, baseUrl: base_url, credential: api_key } = vendor;
	if (payer === "workspace") {
		const json = { provider, base_url, model: "usual", api_key };
		await getBody(send("PUT", "/v1/workspace/llm-settings", { json }));
	}
	const base = send("POST", "/v1/knowledge-bases", { json: { name: "Office" } });
	const { id: knowledgeBase } = await getBody<{ readonly id: string }>(base);
	await getBody(send("POST", `/v1/knowledge-bases/${knowledgeBase}/documents`, { json: { text: DOCUMENT } }));
	await waitUntilIndexed(send, knowledgeBase);
	return { payer, vendor, deploymentVendor, send, knowledgeBase };
}

/** Asks a model for something. */
export async function callRoute(
	fixture: FaultFixture,
	route: ModelRoute,
	model: string,
): Promise<FaultResult> {
	const answer = await ROUTE_CALLS[route](fixture, model);
	const { error, receipt } = (answer.body ?? readLastEvent(answer.text)) as ErrorFields;
	return { answer, error, receipt: receipt ?? (error?.details?.receipt as ReceiptRow[] | undefined) };
}

interface ErrorFields {
	readonly error?: RunError;
	readonly receipt?: readonly ReceiptRow[];
}

type Call = (fixture: FaultFixture, model: string) => Promise<TestResponse>;

const ask =
	(stream: boolean): Call =>
	({ send, knowledgeBase }, model) => {
		const json = { question: QUESTION, knowledge_base_ids: [knowledgeBase], model: { model }, stream };
		return send("POST", "/v1/ask", { json });
	};

const chat =
	(stream: boolean): Call =>
	({ send }, model) => {
		const json = { model, messages: [{ role: "user", content: QUESTION }], stream };
		return send("POST", "/v1/chat/completions", { json });
	};

async function run({ send }: FaultFixture, model: string): Promise<TestResponse> {
	const graph = { nodes: [{ id: "desk", kind: "coordinator", model: { model } }], edges: [] };
	const slug = model.replaceAll(".", "-");
	const { id } = await getBody<{ readonly id: string }>(
		send("POST", "/v1/agents", { json: { graph, slug } }),
	);
	return send("POST", `/v1/agents/${id}/run`, { json: { input: QUESTION } });
}

const ROUTE_CALLS: Readonly<Record<ModelRoute, Call>> = {
	ask: ask(false),
	"ask-stream": ask(true),
	chat: chat(false),
	"chat-stream": chat(true),
	run,
};

/** The data of the last event of a stream. */
const readLastEvent = (text: string): unknown =>
	JSON.parse(text.slice(text.lastIndexOf("\ndata: ") + "\ndata: ".length).trim());
