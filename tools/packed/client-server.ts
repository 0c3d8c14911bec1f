import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Stemma } from "@stemma/client";
import type { AgentGraph } from "@stemma/core";
import { resolveConfiguration, startService } from "@stemma/service";
import type { Behaviour, Fields } from "@stemma/simulators/openai";
import { citeFirstPassage, startOpenAiSimulator } from "@stemma/simulators/openai";
import { startHeldVendor } from "./held-vendor";
import type { ClientScenarioOptions } from "./scenarios/client-scenario.mjs";
import { HELD_TEXT } from "./scenarios/held-text.mjs";

/** A service for the client scenario. Any number of platforms may use it at a time. */
export interface ClientServer {
	/** As JSON would have them. */
	readonly options: ClientScenarioOptions;
	close(): Promise<void>;
}

export interface ClientServerOptions {
	/** Whose pages may use the client key. Default: none, but phones and servers may. */
	readonly origins?: readonly string[];
}

export async function startClientServer({ origins = [] }: ClientServerOptions = {}): Promise<ClientServer> {
	const vendor = await startOpenAiSimulator({ apiKey: API_KEY, behaviour: respond });
	const held = await startHeldVendor(vendor.baseUrl);
	const folder = await mkdtemp(join(tmpdir(), "stemma-platforms-"));
	const service = await startService(configure(folder, held.baseUrl));
	const { client_id: clientId, client_secret: clientSecret } = JSON.parse(
		await readFile(service.bootstrapCredentials.path, "utf8"),
	);
	const stemma = new Stemma({ baseUrl: service.url, clientId, clientSecret });
	const knowledgeBaseId = await ingest(stemma);
	const [agent, writer, key] = await Promise.all([
		stemma.agents.create({ slug: "desk", graph: deskGraph(knowledgeBaseId) }),
		stemma.agents.create({ slug: "writer", graph: WRITER }),
		stemma.clientKeys.create({
			name: "platforms",
			...(origins.length === 0 ? { native: true } : { origins }),
			models: true,
			requests_per_minute: 100_000,
			tokens_per_day: 1_000_000_000,
		}),
	]);
	return {
		options: {
			baseUrl: service.url,
			clientKey: key.client_key,
			clientId,
			clientSecret,
			agent: agent.slug,
			heldAgent: writer.slug,
			knowledgeBaseId,
			releaseUrl: held.releaseUrl,
		},
		async close() {
			held.close();
			await Promise.all([service.close(0), vendor.close()]);
			await rm(folder, { recursive: true, force: true });
		},
	};
}

const API_KEY = "key-of-the-platforms";

const configure = (data: string, baseUrl: string) =>
	resolveConfiguration({
		content: {
			data,
			listen: { port: 0 },
			log: { level: "silent" },
			limits: { requests_per_minute: 1_000_000 },
			providers: {
				vendor: {
					provider: "openai-compatible",
					base_url: baseUrl,
					credential: { value: API_KEY },
					default_model: "simulated-1",
				},
			},
			chat: "vendor",
		},
	});

/** What is held back is text that it can be cut out of; who relays calls a tool first; the rest is cited. */
function respond(body: Fields): Behaviour {
	const messages = JSON.stringify(body.messages);
	const [, relayed] = /#relay-(\w+)/.exec(messages) ?? [];
	if (relayed !== undefined) return relay(body, relayed);
	return messages.includes("#held-") ? { kind: "reply", text: HELD_TEXT } : citeFirstPassage(body);
}

/** With what the tool has found, the mark: whoever reads that holds the answer to it back. */
function relay({ messages, tools }: Fields, mark: string): Behaviour {
	const found = (messages as readonly Fields[]).find(({ role }) => role === "tool");
	if (found !== undefined) {
		const isFound = String(found.content).includes("five working days");
		return { kind: "reply", text: isFound ? `#held-${mark}` : "Nothing was found." };
	}
	const [tool] = tools as readonly { readonly function: { readonly name: string } }[];
	const call = { name: tool?.function.name ?? "", arguments: { query: "refunds" } };
	return { kind: "reply", toolCalls: [call] };
}

const PAGE = "# Refunds\n\nRefunds take five working days.";

async function ingest({ knowledge }: Stemma): Promise<string> {
	const { id } = await knowledge.create({ name: "Questions" });
	const added = await knowledge.documents.addText(id, { text: PAGE, title: "Refunds", source: "refunds.md" });
	await knowledge.documents.waitUntilReady(id, added, { pollMs: 20 });
	return id;
}

const WRITER: AgentGraph = { nodes: [{ id: "writer", kind: "coordinator" }] };

const deskGraph = (knowledgeBaseId: string): AgentGraph => ({
	nodes: [
		{ id: "desk", kind: "coordinator", instructions: "Answer {{context.customer}}." },
		{ id: "faq", kind: "knowledge", knowledgeBases: [knowledgeBaseId] },
	],
	edges: [{ from: "desk", to: "faq", mode: "before" }],
});
