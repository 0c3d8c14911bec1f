import type { ReceiptRow, RunError } from "@stemma/core";
import type { FaultyVendor } from "./faulty-vendors";
import type { SendRequest, TestAnswer } from "./send-request";
import { demand, whenIndexed } from "./tenant";
import type { TestWorkspace } from "./test-deployment";

/** The ways to a model. */
export const DOORS = ["ask", "ask-stream", "chat", "chat-stream", "run"] as const;
export type Door = (typeof DOORS)[number];

/** A workspace, and the vendor that fails it. */
export interface FaultSite {
	readonly payer: "deployment" | "workspace";
	/** Of who pays. */
	readonly vendor: FaultyVendor;
	/** Of the deployment. */
	readonly host: FaultyVendor;
	readonly send: SendRequest;
	readonly knowledgeBase: string;
}

/** What a caller is told of a call that failed. */
export interface FaultOutcome {
	readonly answer: TestAnswer;
	readonly error: RunError | undefined;
	/** Where it is told beside the error. */
	readonly receipt: readonly ReceiptRow[] | undefined;
}

export const QUESTION = "When does the office open?";
const DOCUMENT = "The office opens at nine and closes at five.";

/** Gives a workspace a document and, where it pays, settings of its own. */
export async function prepareSite(
	{ send }: TestWorkspace,
	{ payer, vendor, host }: Pick<FaultSite, "payer" | "vendor" | "host">,
): Promise<FaultSite> {
	const { format: provider, baseUrl: base_url, credential: api_key } = vendor;
	if (payer === "workspace") {
		const json = { provider, base_url, model: "usual", api_key };
		await demand(send("PUT", "/v1/workspace/llm-settings", { json }));
	}
	const base = send("POST", "/v1/knowledge-bases", { json: { name: "Office" } });
	const { id: knowledgeBase } = await demand<{ readonly id: string }>(base);
	await demand(send("POST", `/v1/knowledge-bases/${knowledgeBase}/documents`, { json: { text: DOCUMENT } }));
	await whenIndexed(send, knowledgeBase);
	return { payer, vendor, host, send, knowledgeBase };
}

/** Asks a model for something. */
export async function knock(site: FaultSite, door: Door, model: string): Promise<FaultOutcome> {
	const answer = await DOOR_CALLS[door](site, model);
	const { error, receipt } = (answer.body ?? readLastEvent(answer.text)) as Told;
	return { answer, error, receipt: receipt ?? (error?.details?.receipt as ReceiptRow[] | undefined) };
}

interface Told {
	readonly error?: RunError;
	readonly receipt?: readonly ReceiptRow[];
}

type Call = (site: FaultSite, model: string) => Promise<TestAnswer>;

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

async function run({ send }: FaultSite, model: string): Promise<TestAnswer> {
	const graph = { nodes: [{ id: "desk", kind: "coordinator", model: { model } }], edges: [] };
	const slug = model.replaceAll(".", "-");
	const { id } = await demand<{ readonly id: string }>(send("POST", "/v1/agents", { json: { graph, slug } }));
	return send("POST", `/v1/agents/${id}/run`, { json: { input: QUESTION } });
}

const DOOR_CALLS: Readonly<Record<Door, Call>> = {
	ask: ask(false),
	"ask-stream": ask(true),
	chat: chat(false),
	"chat-stream": chat(true),
	run,
};

/** The data of the last event of a stream. */
const readLastEvent = (text: string): unknown =>
	JSON.parse(text.slice(text.lastIndexOf("\ndata: ") + "\ndata: ".length).trim());
