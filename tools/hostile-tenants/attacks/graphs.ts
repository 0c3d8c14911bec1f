import type { Hostile } from "../attacker/hostile.ts";
import type { ModelScript } from "../attacker/model-scripts.ts";
import type { Answer } from "../attacker/send-request.ts";

type Json = Readonly<Record<string, unknown>>;

/** A node whose model is the hostile tenant's own endpoint, which answers by this script. */
export const desk = (script: ModelScript, fields: Json = {}): Json => ({
	id: "desk",
	kind: "coordinator",
	model: { model: script },
	...fields,
});

/** Graph of one node. */
export const oneNode = (node: Json): Json => ({ nodes: [node], edges: [] });

/** Creates an agent; its id, or the empty string where it was refused. */
export async function createAgent(hostile: Hostile, graph: Json): Promise<string> {
	const { id } = await hostile.sendJson("POST", "/v1/agents", { graph });
	return typeof id === "string" ? id : "";
}

/** Runs an agent to its end. A run of an agent that was refused is not sent. */
export async function runAgent(
	hostile: Hostile,
	agent: string,
	body: Json = { input: "Go on." },
): Promise<Answer | undefined> {
	if (agent === "") return undefined;
	return hostile.send("POST", `/v1/agents/${agent}/run`, body);
}

/** Stores one agent at first, tries it again where it was refused, and runs it again and again. */
export const runAgain =
	(toGraph: (hostile: Hostile) => Json, body?: Json) =>
	async (hostile: Hostile): Promise<() => Promise<unknown>> => {
		let agent = await createAgent(hostile, toGraph(hostile));
		return async () => {
			if (agent === "") agent = await createAgent(hostile, toGraph(hostile));
			else await runAgent(hostile, agent, body);
		};
	};
